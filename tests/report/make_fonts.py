"""Makes the report room's fonts and own names from a folder of Noto fonts; run by hand, not by pytest.

    python tests/report/make_fonts.py /usr/share/fonts/truetype/noto

Needs `pip install uharfbuzz` beside the project's own packages. The files that are bundled were made from the fonts of
Debian's `fonts-noto-core` 20201225-1 with fontTools 4.68 and langcodes 3.5.1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOM = Path(__file__).parents[2] / "src" / "equiglot" / "report"

# Digits, brackets, comma to full stop, no-break space, dandas, joiners, dotted circle.
COMMON = [(0x20, 0x20), (0x28, 0x29), (0x2C, 0x2E), (0x30, 0x39), (0xA0, 0xA0)]
COMMON += [(0x964, 0x965), (0x200C, 0x200D), (0x25CC, 0x25CC)]
BLOCKS = {
    "Arabic": [(0x600, 0x6FF)],
    "Bengali": [(0x980, 0x9FF)],
    "Devanagari": [(0x900, 0x97F), (0xA8E0, 0xA8FF), (0x1CD0, 0x1CFF)],
    "Gujarati": [(0xA80, 0xAFF)],
    "Gurmukhi": [(0xA00, 0xA7F)],
    "Kannada": [(0xC80, 0xCFF)],
    "Malayalam": [(0xD00, 0xD7F)],
    "Oriya": [(0xB00, 0xB7F)],
    "Tamil": [(0xB80, 0xBFF)],
    "Telugu": [(0xC00, 0xC7F)],
}
LATIN = [(0x20, 0x7E), (0xA0, 0x17F), (0x1E0, 0x24F), (0x300, 0x4FF), (0x1E00, 0x1EFF), (0x2010, 0x2027)]
LATIN += [(0x2030, 0x2044), (0x2070, 0x208E), (0x20AC, 0x20AC), (0x20B9, 0x20B9), (0x25CC, 0x25CC)]

SCRIPTS = {"Arab": "Arabic", "Beng": "Bengali", "Cyrl": "", "Deva": "Devanagari", "Grek": "", "Gujr": "Gujarati"}
SCRIPTS |= {
    "Guru": "Gurmukhi",
    "Knda": "Kannada",
    "Mlym": "Malayalam",
    "Orya": "Oriya",
    "Taml": "Tamil",
    "Telu": "Telugu",
}
LANGUAGES = (
    "ar as be bg bho bn doi el fa gu hi kk kn kok ks ky mai mk ml mn mr ne or pa ps ru sa sd sr ta te tg ug uk ur"
)


def subset_font(noto: Path, family: str, blocks: list[tuple[int, int]], features: list[str]) -> None:
    from fontTools import subset

    options = subset.Options(layout_features=features, hinting=False, name_IDs=["*"], recalc_timestamp=False)
    options.harfbuzz_repacker = False  # the same bytes whether or not HarfBuzz is installed
    options.notdef_outline = True
    options.drop_tables += ["DSIG"]
    name = f"NotoSans{family}-Regular.ttf"
    with subset.load_font(noto / name, options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[code for low, high in blocks for code in range(low, high + 1)])
        subsetter.subset(font)
        subset.save_font(font, ROOM / "fonts" / name, options)


def own_name(noto: Path, tag: str) -> dict[str, Any]:
    """A language's own name, shaped and drawn: 1,000 units per em, y downward, the baseline at 0."""
    import langcodes
    import uharfbuzz as hb

    language = langcodes.Language.get(tag)
    name, script = language.autonym(), language.maximize().script
    face = hb.Face(hb.Blob.from_file_path(str(noto / f"NotoSans{SCRIPTS[script]}-Regular.ttf")))
    font, buffer = hb.Font(face), hb.Buffer()
    buffer.add_str(name)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    assert all(info.codepoint for info in buffer.glyph_infos), f"a character of {name} is not in the font"
    scale, x, parts = 1000 / face.upem, 0, []

    def drawer(left: int, bottom: int) -> Any:
        def points(*flat: float) -> str:
            pairs = zip(flat[::2], flat[1::2], strict=True)
            return ",".join(f"{round((left + a) * scale)},{round(-(bottom + b) * scale)}" for a, b in pairs)

        funcs = hb.DrawFuncs()
        funcs.set_move_to_func(lambda a, b, _: parts.append("M" + points(a, b)))
        funcs.set_line_to_func(lambda a, b, _: parts.append("L" + points(a, b)))
        funcs.set_quadratic_to_func(lambda a, b, c, d, _: parts.append("Q" + points(a, b, c, d)))
        funcs.set_cubic_to_func(lambda a, b, c, d, e, f, _: parts.append("C" + points(a, b, c, d, e, f)))
        funcs.set_close_path_func(lambda _: parts.append("Z"))
        return funcs

    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        font.draw_glyph(info.codepoint, drawer(x + position.x_offset, position.y_offset), None)
        x += position.x_advance
    return {"name": name, "script": script, "width": round(x * scale), "path": "".join(parts)}


def main(noto: Path) -> None:
    for family, blocks in BLOCKS.items():
        subset_font(noto, family, [*blocks, *COMMON], ["*"])
    subset_font(noto, "", LATIN, ["kern", "mark", "mkmk", "ccmp", "locl", "liga"])
    names = {tag: own_name(noto, tag) for tag in LANGUAGES.split()}
    lines = [f"  {json.dumps(tag)}: {json.dumps(entry, ensure_ascii=False)}" for tag, entry in names.items()]
    (ROOM / "endonyms.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
