"""Raters at work, in a real browser."""

from __future__ import annotations

import hashlib
import re
import sqlite3

import polars as pl
import pytest

from equiglot.people import read_rubric
from equiglot.people.app import export_ratings, export_spans, open_existing

RUBRIC = read_rubric("core-12")
N = 30


def wanted(rater: str, answer: str) -> list[int]:
    """What a rater of these tests gives an answer: something else for each rater, answer and scale."""
    digest = hashlib.sha256(f"{rater}/{answer}".encode()).digest()
    return [byte % (d.high + 1) for byte, d in zip(digest, RUBRIC.dimensions, strict=False)]


def open_start(browser, link, width=1280):
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.set_default_timeout(20_000)
    page.goto(link)
    return page


def answer_of(page):
    return page.locator(".text.answer").first.text_content()


def start(browser, link, width=1280):
    """Open the start page and go on to the first page that is to be rated, by keyboard."""
    page = open_start(browser, link, width)
    page.keyboard.press("Enter")  # the start button has the focus
    page.wait_for_url(re.compile(r"/\d+$"))
    return page


def rate_pages(n, **pages):
    """Every rater rates ``n`` pages by keyboard alone, all of them at the same time."""
    for _ in range(n):
        before = {rater: page.url for rater, page in pages.items()}
        for rater, page in pages.items():
            for value in wanted(rater, answer_of(page)):
                page.keyboard.press(str(value))
            page.keyboard.press("Enter")
        for rater, page in pages.items():
            page.wait_for_url(lambda url, left=before[rater]: url != left)
            page.wait_for_load_state()


def test_three_raters_by_keyboard_one_resumes_and_the_server_dies(browser, items, rate, tmp_path):
    path = items(N)
    server = rate("--items", path, "--raters", "asha,ravi,meena")
    links = server.raters
    asha, ravi, meena = (start(browser, links[rater]) for rater in ("asha", "ravi", "meena"))
    rate_pages(9, asha=asha, ravi=ravi, meena=meena)

    first, second, *others = wanted("meena", answer_of(meena))
    meena.keyboard.press(str(first))
    meena.locator("#status[data-state=saved]").wait_for()  # acknowledged
    meena.keyboard.press(str(second))
    server.kill()  # while the second is on its way
    with sqlite3.connect(tmp_path / "items.ratings.db") as kept:
        assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        query = "SELECT rating FROM ratings WHERE rater = 3 AND position = 10 AND dimension = 'naturalness'"
        assert kept.execute(query).fetchone() == (first,)
    kept.close()
    rate("--items", path, port=server.port)  # the same command goes on
    meena.locator("#status[data-state=saved]").wait_for()  # the page has sent again what was not acknowledged
    for value in others:
        meena.keyboard.press(str(value))
    meena.keyboard.press("Enter")
    meena.wait_for_url(re.compile(r"/11$"))
    meena.wait_for_load_state()

    rate_pages(3, asha=asha, ravi=ravi)
    ravi.context.close()  # midway
    ravi = open_start(browser, links["ravi"], width=360)  # another device
    assert ravi.locator("progress").get_attribute("value") == "12"
    ravi.keyboard.press("Enter")
    ravi.wait_for_url(re.compile(r"/13$"))
    rate_pages(2, meena=meena)
    rate_pages(N - 12, asha=asha, ravi=ravi, meena=meena)
    for page in (asha, ravi, meena):
        assert page.locator(".thanks").is_visible()
        page.context.close()

    texts = dict(pl.read_parquet(path).select("id", "target").iter_rows())
    ratings = export_ratings(open_existing(tmp_path / "items.ratings.db"))
    assert ratings.height == 3 * N * len(RUBRIC.dimensions)
    for (item, rater), rows in ratings.group_by("id", "rater", maintain_order=True):
        assert rows["rating"].to_list() == wanted(rater, texts[item])
    assert (ratings["seconds"] > 0).all()


def test_arrows_notes_skip_and_back(browser, items, serve):
    server = serve(items(4), "asha")
    page = open_start(browser, server.raters["asha"] + "/2")
    page.keyboard.press("ArrowRight")  # from nothing chosen: the first value's neighbour, as radio buttons do
    assert page.locator("fieldset").first.locator("input:checked").get_attribute("value") == "1"
    page.keyboard.press("ArrowLeft")
    assert page.locator("fieldset").first.locator("input:checked").get_attribute("value") == "0"
    page.keyboard.press("9")  # no such value
    page.keyboard.press("Enter")  # the next scale is still to be rated
    assert page.url.endswith("/2")
    assert page.evaluate("document.activeElement.name") == RUBRIC.dimensions[1].name
    page.locator("#note").fill("ठीक है\nline two")
    page.locator("summary").click()
    page.locator("#skipped").select_option("unreadable")
    page.locator("#status[data-state=saved]").wait_for()
    page.locator("#note").press("Control+Enter")
    page.wait_for_url(re.compile(r"/3$"))
    page.keyboard.press("Shift+Enter")
    page.wait_for_url(re.compile(r"/2$"))
    assert page.locator("#note").input_value() == "ठीक है\nline two"
    assert page.locator("#skipped").input_value() == "unreadable"
    page.goto(server.raters["asha"])
    assert page.locator(".overview a.skipped").count() == 1
    page.context.close()
    ratings = server.ratings
    assert ratings["skipped"].to_list() == ["unreadable"] * 5
    assert ratings["rating"].null_count() == 5
    assert set(ratings["note"]) == {"ठीक है\nline two"}


def test_a_page_changed_on_another_device_is_not_overwritten(browser, items, serve):
    server = serve(items(3), "asha")
    one, other = (open_start(browser, server.raters["asha"] + "/1") for _ in range(2))
    one.keyboard.press("3")
    one.locator("#status[data-state=saved]").wait_for()
    other.keyboard.press("0")
    other.locator("#status[data-state=changed]").wait_for()
    for page in (one, other):
        page.context.close()
    assert server.ratings["rating"].to_list() == [3.0]


def test_spans_are_marked_by_keyboard_in_code_points(browser, items, serve):
    text = "😀 नमस्ते जी\r\n👨‍👩‍👧 theek"
    server = serve(items(1, target=[text]), "asha", "mqm")
    page = open_start(browser, server.raters["asha"] + "/1")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")  # नमस्ते: n, ma, ste
    quoted = page.locator("#selected").text_content()
    page.keyboard.press("Enter")
    page.locator("#category").select_option("script")
    page.keyboard.press("Tab")
    page.locator("#severity").select_option("major")
    page.locator("#add").press("Enter")
    page.locator("#text").press("x")  # the text can't be edited
    page.locator("#add").press("Enter")  # nothing is selected: an error without a place
    page.locator("#status[data-state=saved]").wait_for()
    assert page.locator("#text").evaluate("box => box.textContent") == text
    page.locator("#next").click()
    page.wait_for_url(server.raters["asha"])
    page.goto(server.raters["asha"] + "/1")
    assert page.locator("#text mark").text_content() == quoted
    assert page.locator("#errors li").count() == 2
    page.context.close()
    spans = export_spans(server.study)
    placed, nowhere = spans.rows(named=True)
    assert placed["text"] == quoted == text[placed["start"] : placed["end"]]
    assert (placed["start"], placed["category"], placed["weight"]) == (2, "script", 5.0)
    assert (nowhere["start"], nowhere["text"]) == (None, None)
    assert server.ratings.select("dimension", "rating").rows() == [("mqm", -10.0)]


HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>\"'`{{ 7 * 7 }}</textarea>"


def test_scripts_in_texts_notes_names_and_rubric_are_only_text(browser, items, serve, tmp_path):
    (tmp_path / "mine.yaml").write_text(
        f"""name: mine
title: "{HOSTILE.replace('"', "")}"
instructions: "{HOSTILE.replace('"', "")}"
dimensions:
  - name: good
    label: "{HOSTILE.replace('"', "")}"
    question: "{HOSTILE.replace('"', "")}"
    anchors: {{0: "{HOSTILE.replace('"', "")}", 1: "{HOSTILE.replace('"', "")}"}}
""",
        "utf-8",
    )
    path = items(2, source=[HOSTILE] * 2, target=[HOSTILE] * 2)
    server = serve(path, HOSTILE.replace(":", "").replace(",", ""), tmp_path / "mine.yaml")
    (link,) = server.raters.values()
    page = open_start(browser, link + "/1")
    page.locator("#note").fill(HOSTILE)
    page.keyboard.press("Tab")
    page.locator("input").first.check()
    page.locator("#status[data-state=saved]").wait_for()
    for url in (link, link + "/1", server.organizer):
        page.goto(url)
        assert page.evaluate("window.hacked") is None
        assert page.locator("script:not([src])").count() == 0
        assert page.locator("img").count() == 0
    page.goto(link + "/1")
    assert answer_of(page) == HOSTILE
    assert page.locator("#note").input_value() == HOSTILE
    page.context.close()


def test_marked_text_with_scripts_is_only_text(browser, items, serve):
    server = serve(items(1, target=[HOSTILE]), "asha", "mqm")
    page = open_start(browser, server.raters["asha"] + "/1")
    page.keyboard.press("Control+a")
    page.locator("#add").click()
    page.locator("#status[data-state=saved]").wait_for()
    assert page.evaluate("window.hacked") is None
    assert page.locator("#text mark").text_content() == HOSTILE
    assert page.locator("#errors q").text_content() == HOSTILE
    page.context.close()


@pytest.mark.parametrize("shown", [(r, w) for r in ("core-12", "full-25", "mqm") for w in (360, 1440)], ids=str)
def test_pages_fit_and_are_labelled(browser, items, serve, shoot, shown):
    rubric, width = shown
    long = "Bahut lambaa uttar. " * 30
    path = items(4, target=["नमस्ते, మీరు ಹೇಗಿದ್ದೀರಿ?", "السلام علیکم، آپ کیسے ہیں؟", long, "Averyveryverylongword" * 8])
    server = serve(path, "asha", rubric, **({} if rubric == "mqm" else {"checks": 1, "repeats": 1}))
    page = open_start(browser, server.raters["asha"], width)
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: request.url.startswith(server.url) or troubles.append(request.url))
    page.on("response", lambda answer: answer.status < 400 or troubles.append(answer.url))
    link = server.raters["asha"]
    languages, shown_items = (("en", "hi", "te", "kn"), range(1, 7)) if rubric == "core-12" else (("en", "kn"), [1])
    pages = {"start": link, **{f"item-{i}": f"{link}/{i}" for i in shown_items}, "organizer": server.organizer}
    for language in languages:
        page.goto(link)
        if language != "en":
            with page.expect_navigation():
                page.locator("#words").select_option(language)
        for name, url in pages.items():
            if language != "en" and name not in ("start", "item-1"):
                continue
            page.goto(url)
            page.evaluate("document.fonts.ready")
            shoot(page, f"{rubric}-{name}-{language}-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            unlabelled = (
                "[...document.querySelectorAll('input, select, textarea')].filter(i => !i.labels.length).length"
            )
            assert page.evaluate(unlabelled) == 0
            assert page.evaluate("document.documentElement.lang") == ("en" if name == "organizer" else language)
    page.context.close()
    assert troubles == []
