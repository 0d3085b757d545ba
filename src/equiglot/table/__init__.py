"""The segment table: its columns, and the files it comes from and goes to."""

from equiglot.table.joining import concat, join_measures, join_scores
from equiglot.table.keys import IDS_NUMBERED
from equiglot.table.languages import is_romanized, language_name, parse_language, parse_script, usual_script
from equiglot.table.lines import read_lines
from equiglot.table.reading import ReadOptions, from_frame, read_segments
from equiglot.table.scores import known_measure
from equiglot.table.scripts import SCRIPT_UNKNOWN, ScriptOf, fill_scripts
from equiglot.table.segments import CELL, KEY, TEXT_COLUMNS, Segments
from equiglot.table.writing import require_folder, require_place, write_segments, write_table

__all__ = [
    "CELL",
    "IDS_NUMBERED",
    "KEY",
    "SCRIPT_UNKNOWN",
    "TEXT_COLUMNS",
    "ReadOptions",
    "ScriptOf",
    "Segments",
    "concat",
    "fill_scripts",
    "from_frame",
    "is_romanized",
    "join_measures",
    "join_scores",
    "known_measure",
    "language_name",
    "parse_language",
    "parse_script",
    "read_lines",
    "read_segments",
    "require_folder",
    "require_place",
    "usual_script",
    "write_segments",
    "write_table",
]
