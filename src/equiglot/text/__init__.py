"""Unicode facts of texts: scripts, counts, lexical diversity, premiums over the source, romanisation.

Needs no model. Text is data: it is never normalised, stripped or cut, and changed only where romanisation is
asked for.
"""

from equiglot.text._characters import UNICODE_VERSION, script_extensions
from equiglot.text.counts import STATES, text_counts, text_state
from equiglot.text.diversity import mattr
from equiglot.text.premiums import byte_premium, byte_premium_content, length_premium
from equiglot.text.profile import text_profile
from equiglot.text.residue import Residue, residual_letters
from equiglot.text.romanize import SCHEMES, romanize, romanize_texts
from equiglot.text.scripts import script_letters, script_profile

__all__ = [
    "SCHEMES",
    "STATES",
    "UNICODE_VERSION",
    "Residue",
    "byte_premium",
    "byte_premium_content",
    "length_premium",
    "mattr",
    "residual_letters",
    "romanize",
    "romanize_texts",
    "script_extensions",
    "script_letters",
    "script_profile",
    "text_counts",
    "text_profile",
    "text_state",
]
