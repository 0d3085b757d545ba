"""Text to measure on, the same for the same seed, and how two programs are timed against each other."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

_SENTENCES = [
    "The river rose after the rain, and the road to the village stayed closed for two days.",
    "बारिश के बाद नदी का पानी बढ़ गया, और गाँव की सड़क दो दिन तक बंद रही।",
    "மழைக்குப் பிறகு ஆற்றில் தண்ணீர் அதிகரித்தது, கிராமத்துச் சாலை இரண்டு நாட்கள் மூடப்பட்டது.",
    "മഴയ്ക്ക് ശേഷം പുഴയിൽ വെള്ളം ഉയർന്നു, ഗ്രാമത്തിലേക്കുള്ള വഴി രണ്ടു ദിവസം അടഞ്ഞുകിടന്നു.",
    "વરસાદ પછી નદીનું પાણી વધ્યું અને ગામનો રસ્તો બે દિવસ બંધ રહ્યો.",
    "После дождя река поднялась, и дорога в деревню была закрыта два дня.",
    "ارتفع النهر بعد المطر، وبقي الطريق إلى القرية مغلقا يومين.",
    "Το ποτάμι φούσκωσε μετά τη βροχή και ο δρόμος για το χωριό έμεινε κλειστός δύο μέρες.",
    "雨后河水上涨，通往村子的路封了两天。",
    "雨のあと川の水が増え、村への道は二日間閉ざされた。",
    "비가 온 뒤 강물이 불어나 마을로 가는 길이 이틀 동안 막혔다.",
    "Mto ulifurika baada ya mvua, na barabara ya kijijini ilifungwa kwa siku mbili.",
]


def lines(megabytes: float, seed: int = 0, sentences: list[str] = _SENTENCES) -> list[str]:
    """Lines of about a sentence each, together that many megabytes of UTF-8."""

    def endless() -> Iterator[str]:
        source = random.Random(seed)
        while True:
            words = source.choice(sentences).split()
            yield " ".join(source.choices(words, k=source.randint(5, 25)))

    made: list[str] = []
    left = megabytes * 1e6
    for line in endless():
        if left <= 0:
            return made
        made.append(line)
        left -= len(line.encode())
    return made


def vocabulary(words: int, types: int, seed: int = 0) -> list[str]:
    """Lines of 20 words drawn from a Zipf-like vocabulary, as running text is, English and Hindi letters in turn."""
    source = random.Random(seed)
    letters = ("etaoinshrdlu", "कतनरसमलवहपजद")
    kinds = ["".join(source.choices(letters[i % 2], k=source.randint(2, 9))) for i in range(types)]
    drawn = source.choices(kinds, weights=[1 / (rank + 2) for rank in range(types)], k=words)
    return [" ".join(drawn[at : at + 20]) for at in range(0, words, 20)]


def seconds(work: Callable[[], object]) -> float:
    """The processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def side_by_side(own: Callable[[], object], peer: Callable[[], object], rounds: int) -> tuple[float, float, float]:
    """Median seconds of either and median ratio peer / own, the two in turn, so that a busy machine slows both."""
    pairs = [(seconds(own), seconds(peer)) for _ in range(rounds)]
    median = statistics.median
    return median(o for o, _ in pairs), median(p for _, p in pairs), median(p / o for o, p in pairs)
