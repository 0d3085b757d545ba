"""The page: whole, safe, self-contained, and the answer first."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from equiglot.audit import ScriptAudit
from equiglot.report import Answer, Section, write_report
from equiglot.report._numbers import typeset

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Reader(HTMLParser):
    """Keeps every tag, checks that they nest, and collects what is read as text outside style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data

    def named(self, *names: str) -> list[tuple[str, dict[str, str | None]]]:
        return [(tag, attrs) for tag, attrs in self.tags if tag in names]


def test_tags_nest_and_nothing_is_a_script(page: str) -> None:
    read = Reader(page)
    assert read.named("script") == []
    assert not [attrs for _, attrs in read.tags if any(name.startswith("on") for name in attrs)]


def test_everything_a_user_named_is_escaped(page: str, evil: str) -> None:
    assert "<script" not in page
    read = Reader(page)
    places = ["title", "h1", "h2", "figcaption", "dt", "dd", "li", "td"]
    for place in places:
        inner = re.findall(rf"<{place}[^>]*>(.*?)</{place}>", page, re.DOTALL)
        assert any("&lt;script&gt;" in text for text in inner), place
    assert evil in read.text
    labels = [attrs["aria-label"] for _, attrs in read.named("svg")]
    assert any(label and evil in label for label in labels)


def test_nothing_is_fetched(page: str) -> None:
    read = Reader(page)
    for tag, attrs in read.tags:
        for name in ("src", "srcset", "href", "xlink:href", "data", "poster"):
            value = attrs.get(name)
            if value is not None:
                assert tag == "a", (tag, name)
                assert re.match(r"#|charts/|tables/|beside/", value), value
    styles = " ".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    assert all(url.startswith("data:") for url in re.findall(r"url\(['\"]?([^)'\"]+)", styles))
    assert "@import" not in styles
    policy = next(attrs["content"] for _, attrs in read.named("meta") if "http-equiv" in attrs)
    assert policy is not None
    assert policy.startswith("default-src 'none'")


def test_links_lead_somewhere(page: str, folder: Path) -> None:
    read = Reader(page)
    ids = [attrs["id"] for _, attrs in read.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in read.named("a"):
        target = attrs["href"]
        assert target is not None
        assert target[1:] in ids if target.startswith("#") else (folder / unquote(target)).is_file()
    for _, attrs in read.tags:
        for label in (attrs.get("aria-labelledby") or "").split():
            assert label in ids
        for reference in re.findall(r"url\(#([^)]+)\)", " ".join(filter(None, attrs.values()))):
            assert reference in ids


def test_headings_and_landmarks(page: str) -> None:
    read = Reader(page)
    levels = [int(tag[1]) for tag, _ in read.named("h1", "h2", "h3", "h4")]
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    for tag in ("header", "main", "nav", "footer"):
        assert len(read.named(tag)) == 1
    assert next(attrs for tag, attrs in read.tags if tag == "html")["lang"] == "en"


def test_the_answer_comes_first_in_words(page: str, audit: ScriptAudit) -> None:
    text = " ".join(Reader(page).text.split())
    headline = " ".join(typeset(audit.headline).replace("`", "").split())
    assert text.index(headline) < text.index("How it was made")
    assert page.index('class="answer"') < page.index("<figure") < page.index("<table")
    for verdict in audit.verdicts:
        assert verdict.question in text
        assert " ".join(typeset(verdict.sentence).split()) in text


def test_every_chart_has_its_words_and_both_widths(page: str) -> None:
    pictures = [attrs for _, attrs in Reader(page).named("svg")]
    assert len(pictures) == 2 * 4
    assert all(attrs["role"] == "img" and len(attrs["aria-label"] or "") > 40 for attrs in pictures)
    assert page.count('<div class="wide">') == page.count('<div class="narrow">') == 4


def test_colours_follow_the_theme(page: str) -> None:
    styles = " ".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    assert "prefers-color-scheme: dark" in styles
    assert "size: A4" in styles
    pictures = " ".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', pictures)) <= {
        "none",
        "transparent",
        *(color for color in re.findall(r"var\(--\w+,#[0-9a-f]{6}\)", pictures)),
    }


def test_only_fonts_that_are_used_are_embedded(page: str, tmp_path: Path) -> None:
    assert set(re.findall(r"font-family:'([^']+)'", page)) == {"Noto Sans", "Noto Sans Devanagari", "Noto Sans Tamil"}
    plain = write_report(tmp_path, title="Plain", sections=[Section("One", "Lead")], card={}).read_text("utf-8")
    assert "@font-face" not in plain
    Reader(plain)


def test_an_answer_is_a_word_and_prose_may_hold_code(tmp_path: Path) -> None:
    section = Section("Q", "Use `equiglot <x>` now", answers=(Answer("Well?", "can't tell", "s", ""),))
    html = write_report(tmp_path, title="T", sections=[section], card={}).read_text("utf-8")
    assert "Use <code>equiglot &lt;x&gt;</code> now" in html
    assert html.count('<span class="word unclear">Can&#39;t tell</span>') == 2
    assert "What to do" not in html


def test_missing_cells_are_dashes(tmp_path: Path) -> None:
    from equiglot.report import ReportTable

    table = ReportTable("t", "T", pl.DataFrame({"a": ["x", None], "b": [1.5, None]}))
    html = write_report(tmp_path, title="T", sections=[Section("S", "", (table,))], card={}).read_text("utf-8")
    assert '<th scope="row">–</th>' in html
    assert '<td class="n">–</td>' in html


def test_files_are_linked_right_below_the_answer(page: str) -> None:
    answer = page[page.index('class="answer"') : page.index("<nav")]
    assert 'href="beside/a%20%231%20file%3F.json"' in answer


def test_mathematics_is_typeset_in_prose_and_not_in_code(tmp_path: Path) -> None:
    section = Section("Q", "eta^2 = 0.1, p < 10^-21, down by -3; run `x -3 eta^2 10^-2`")
    html = write_report(tmp_path, title="T", sections=[section], card={}).read_text("utf-8")
    assert "η² = 0.1, p &lt; 10⁻²¹, down by −3; run <code>x -3 eta^2 10^-2</code>" in html


def test_the_words_that_occur_are_explained_and_no_others(page: str, tmp_path: Path) -> None:
    terms = re.findall(r"<b>([^<]+)</b>: ", page[page.index("<details") : page.index("</details>")])
    assert {"cell", "rho", "Holm", "quantile normalisation"} <= set(terms)
    plain = write_report(tmp_path, title="T", sections=[Section("One", "Every cell.")], card={}).read_text("utf-8")
    assert re.findall(r"<b>([^<]+)</b>: ", plain) == ["cell"]
    assert "<details" not in write_report(tmp_path, title="T", sections=[], card={}).read_text("utf-8")
