"""Your table: from a dropped file to a model, compared with the command-line tool."""

import csv
import io
import shlex
import time

import pytest
from closeness import differences
from conftest import ROOT
from model_files import sections
from table_steps import drop, fit, ready_to_fit, saved, saved_numbers
from tables import ring, three
from waiting import until

PARQUET = ROOT / "crates" / "gpclass-table" / "tests" / "data"
TOLERANCE = 1e-9


def numbers_of(text):
    """A CSV text as numbers where it has some."""

    def value(cell):
        try:
            return float(cell)
        except ValueError:
            return cell

    return [[value(cell) for cell in row] for row in csv.reader(io.StringIO(text))]


@pytest.fixture
def fitted(page, tool):
    """A table fitted by the page, and by the tool with the command that the page shows."""
    content = ring(90)
    (tool.folder / "ring.csv").write_bytes(content)
    drop(page, "ring.csv", content)
    page.select_option("#effort", "one")
    fit(page)
    command = shlex.split(page.text_content("#command"))
    assert command[:3] == ["gpclass", "fit", "ring.csv"]
    return tool.json(*command[1:])


def test_numbers_are_the_tools(page, tool, fitted):
    assert page.input_value("#label") == "kind"
    numbers = saved_numbers(page)
    assert differences(fitted, numbers, TOLERANCE) == []
    assert fitted["suspects"] and "Labels to check" in page.text_content("#suspects")


def test_the_model_file_is_the_tools(page, tool, fitted):
    content, name = saved(page, "#save-model")
    assert name == "ring.gpc"
    written = (tool.folder / "model.gpc").read_bytes()
    # Two fits by the tool itself differ in the time and the seconds. Here numbers may differ in their last digits besides, since
    # WebAssembly does not round as processors do, so that the last digits differ.
    of_page, of_tool = sections(content), sections(written)
    assert list(of_page) == list(of_tool)
    assert differences(of_tool, of_page, TOLERANCE) == []
    # The tool reads the page's model and predicts with it as the page does, and as by its own.
    new = ring(40, seed=9)
    (tool.folder / "new.csv").write_bytes(new)
    (tool.folder / "page.gpc").write_bytes(content)
    drop(page, "new.csv", new, zone="#predict-drop")
    page.wait_for_selector("#predicted:not([hidden])")
    by_page = numbers_of(saved(page, "#save-predictions")[0].decode())
    assert differences(numbers_of(tool.run("predict", "page.gpc", "new.csv")), by_page, TOLERANCE) == []
    assert differences(numbers_of(tool.run("predict", "model.gpc", "new.csv")), by_page, TOLERANCE) == []
    # The tool's model goes through the page without the change of a byte.
    drop(page, "model.gpc", written)
    until(page, "document.getElementById('file-status').textContent.includes('Opened model.gpc, a model of 90 rows')")
    page.wait_for_selector("#result:not([hidden])")
    assert saved(page, "#save-model")[0] == written
    # Nothing is said any more about the fit of before.
    assert page.text_content("#fit-status") == ""
    drop(page, "page.gpc", content)
    until(page, "document.getElementById('file-status').textContent.includes('Opened page.gpc')")
    page.wait_for_selector("#result:not([hidden])")
    assert saved(page, "#save-model")[0] == content


def test_the_report_is_shown_and_saved(page, fitted):
    html, name = saved(page, "#save-report")
    frame = page.frame_locator("#report")
    assert name == "ring.html" and html.startswith(b"<!DOCTYPE html>")
    assert frame.locator("h1").text_content() == "ring.csv"
    assert frame.locator("svg").count() > 5
    # Its style has come through the page's policy.
    assert frame.locator(".verdict").evaluate("e => getComputedStyle(e).borderLeftWidth") == "4px"
    height = page.locator("#report").evaluate("e => [e.clientHeight, e.contentDocument.documentElement.scrollHeight]")
    assert height[0] >= height[1] > 1000


def test_the_default_of_three_classes_is_the_tools(page, tool):
    content = three(30)
    (tool.folder / "three.tsv").write_bytes(content)
    drop(page, "three.tsv", content)
    ready_to_fit(page)
    assert page.input_value("#label") == "greatest"
    fit(page)
    by_tool = tool.json(*shlex.split(page.text_content("#command"))[1:])
    numbers = saved_numbers(page)
    assert differences(by_tool["provenance"], numbers["provenance"], 0) == []
    assert differences(by_tool["spec"], numbers["spec"], 0) == []
    probabilities = [account["summary"]["loo_probability"] for account in (by_tool, numbers)]
    assert differences(*probabilities, TOLERANCE) == []


def test_columns_can_be_changed(page):
    drop(page, "ring.csv", ring(60))
    ready_to_fit(page)
    kinds = page.locator("#column-rows td:nth-child(3)").all_text_contents()
    assert kinds == ["numbers", "numbers", "categories", "classes"]
    page.get_by_label("use of column x").select_option("categories")
    page.get_by_label("use of column colour").select_option("left_out")
    page.select_option("#positive", "in")
    until(page, "document.getElementById('command').textContent.includes('--drop colour')")
    assert page.text_content("#command").startswith(
        "gpclass fit ring.csv --label kind --positive in --discrete x --drop colour"
    )
    page.get_by_label("use of column colour").select_option("numbers")
    page.wait_for_selector("#estimate.wrong")
    assert "colour" in page.text_content("#estimate") and page.is_disabled("#start")


def test_a_fit_can_be_cancelled(page):
    drop(page, "many.csv", ring(900))
    ready_to_fit(page)
    page.click("#start")
    until(page, "document.getElementById('progress').textContent.includes('step')")
    page.click("#cancel")
    assert page.text_content("#fit-status") == "Cancelled; nothing was kept."
    assert page.is_hidden("#working") and page.is_hidden("#result")
    # What comes next is answered by another worker.
    drop(page, "few.csv", ring(50))
    until(page, "document.getElementById('estimate').textContent.startsWith('50 rows')")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("book.xlsx", b"PK\x03\x04rest", "is a zip archive or an Excel workbook"),
        ("nothing.csv", b"", "is empty; expected a header and rows"),
        ("ragged.csv", b"a,b\n1,2\n3\n", "ragged.csv, line 3 has 1 fields where 2 are expected"),
        ("latin.csv", b"a,b\n\xe9,2\n", "is not UTF-8"),
        ("cut.parquet", b"PAR1 and no more", "the Parquet file 'cut.parquet' is damaged"),
        ("broken.gpc", b"GPCLASS\n" + b"\x03\0\0\0" + b"\x09" * 40, "the model file cannot be used"),
    ],
)
def test_broken_files_are_told_in_a_sentence(page, name, content, words):
    drop(page, name, content)
    page.wait_for_selector("#file-status.wrong")
    assert words in page.text_content("#file-status")
    assert page.is_hidden("#columns") and page.is_hidden("#result")


def test_labels_that_cannot_be_learned_are_told_before_the_fit(page):
    drop(page, "one.csv", b"x,class\n1,a\n2,a\n3,a\n")
    page.wait_for_selector("#estimate.wrong")
    assert page.is_disabled("#start")


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "lz4", "brotli", "zstd"])
def test_parquet_is_read(page, codec):
    drop(page, "types.parquet", (PARQUET / f"types_{codec}.parquet").read_bytes())
    page.wait_for_selector("#columns:not([hidden])")
    assert page.locator("#column-rows tr").count() > 3


def test_a_pasted_table_and_decimal_commas(page):
    page.get_by_text("Paste a table").click()
    rows = "".join(f"{i % 7},{i % 10};{'ab'[i % 2]}\n" for i in range(30))
    page.fill("#pasted", f"size;class\n{rows}")
    page.click("#use-pasted")
    page.wait_for_selector("#estimate.wrong")
    assert "decimal comma" in page.text_content("#estimate")
    page.check("#decimal-comma")
    ready_to_fit(page)
    assert "--decimal-comma" in page.text_content("#command")


def test_a_fit_ends_by_its_limit_of_time_with_the_best_so_far(page):
    drop(page, "many.csv", ring(900))
    page.select_option("#effort", "one")
    ready_to_fit(page)
    page.fill("#minutes", "-1")
    page.wait_for_selector("#estimate.wrong")
    assert "no number of minutes" in page.text_content("#estimate") and page.is_disabled("#start")
    page.fill("#minutes", "0.1")
    ready_to_fit(page)
    assert "after 6 seconds it takes the best so far" in page.text_content("#estimate")
    assert "--time 6 " in page.text_content("#command")
    fit(page)
    numbers = saved_numbers(page)
    assert numbers["spec"]["fit"]["time_budget"] == 6
    # Without the clock that the page lends, the search would end by itself.
    assert numbers["summary"]["stop"] == "time"


def test_five_thousand_rows_are_announced_and_freeze_nothing(page):
    drop(page, "large.csv", ring(5_000))
    ready_to_fit(page)
    said = page.text_content("#estimate")
    assert said.startswith("5,000 rows of 3 columns") and "blocks" in said and "The fit needs about" in said
    page.click("#start")
    until(page, "document.getElementById('progress').textContent.includes(' s of about ')")
    # The longest wait for a turn of the page's own thread, in seconds, while the worker computes.
    longest = page.evaluate(
        """() => new Promise((resolve) => {
            let [last, longest, turns] = [performance.now(), 0, 0];
            const turn = () => {
                const now = performance.now();
                longest = Math.max(longest, now - last);
                last = now;
                if (++turns < 60) setTimeout(turn, 16);
                else resolve(longest / 1000);
            };
            turn();
        })"""
    )
    begin = time.monotonic()
    page.click("#cancel")
    assert page.text_content("#fit-status").startswith("Cancelled")
    # Half of what a fit of this size would take in the page's thread is a minute at least.
    assert longest < 5 and time.monotonic() - begin < 10
