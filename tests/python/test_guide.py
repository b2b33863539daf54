# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands and Python of the README and the guide run as they stand, and so do the worked examples.

Blocks fenced as sh are run by a shell and blocks fenced as python by Python, those of a page one after another in one
folder; what cannot run is fenced as text.
"""

import contextlib
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from support import CLI, cli

import heteroscape

ROOT = Path(__file__).parents[2]
HELP = ROOT / "resources" / "help"
PAGES = [ROOT / "README.md", *sorted(HELP.glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
RUN = {
    "backend": "vllm", "model_id": "openai/gpt-oss-120b", "num_prompts": 64, "request_rate": "inf",
    "max_concurrency": 16, "duration": 41.25, "completed": 64, "total_input_tokens": 65536,
    "total_output_tokens": 32768, "output_throughput": 794.4, "mean_ttft_ms": 310.5, "mean_tpot_ms": 12.5,
}  # fmt: skip
SERVERS = (
    "source,date,device,count,model,weight_format,layout,framework,isl,osl,concurrency_or_batch,metric,measured\n"
    "mine,2026-01,h100-sxm,1,gpt-oss-120b,mxfp4,tp 1,vllm,1024,1024,16,output_tok_s,1500\n"
)


def put_files(folder):
    """What a reader of the commands has: files of their own by the names that the pages use."""
    shutil.copy(ROOT / "tests/data/hugging_face/falcon-7b.json", folder / "config.json")
    rows = (Path(heteroscape.presets_folder()) / "measured/kernels.csv").read_text().splitlines(keepends=True)
    reduces = [row for row in rows if row.startswith("h100_sxm,vllm") or row.startswith("h100_sxm,sglang")]
    (folder / "kernels.csv").write_text("".join(rows[:2] + reduces))
    (folder / "servers.csv").write_text(SERVERS)
    (folder / "run.json").write_text(json.dumps(RUN))
    (folder / "trace.csv").write_text("arrival_s,prompt_tokens,output_tokens\n0,512,64\n0.5,1024,128\n")
    heteroscape.design("glitches/a100-7u280").save(folder / "mine.hscape")


class Blocks(unittest.TestCase):
    maxDiff = None

    def test_every_command_and_block_runs(self):
        ran = {"sh": 0, "python": 0}
        for page in PAGES:
            blocks = FENCE.findall(page.read_text())
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                put_files(folder)
                environment = {**os.environ, "XDG_DATA_HOME": name,
                               "PATH": f"{os.path.dirname(CLI)}:{os.environ['PATH']}"}  # fmt: skip
                for language, block in blocks:
                    with self.subTest(page=page.name, block=block):
                        self.assertIn(language, ("sh", "python", "text"))
                        if language == "sh":
                            done = subprocess.run(["sh", "-e", "-c", block], cwd=folder, env=environment,
                                                  capture_output=True, text=True)  # fmt: skip
                            self.assertEqual((done.returncode, done.stderr[-2000:] if done.returncode else ""), (0, ""))
                        elif language == "python":
                            with contextlib.redirect_stdout(io.StringIO()) as said:
                                exec(compile(block, page.name, "exec"), {})
                            self.assertTrue(said.getvalue())
                        if language in ran:
                            ran[language] += 1
        self.assertGreaterEqual(ran["sh"], 20)
        self.assertGreaterEqual(ran["python"], 4)

    def test_commands_stand_in_blocks_that_run(self):
        """A command in a paragraph of its own would not be run."""
        for page in PAGES:
            outside = FENCE.sub("", page.read_text())
            self.assertEqual(re.findall(r"^ {4,}heteroscape-cli .*", outside, re.M), [], page.name)


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.site.cleanup)
        cli("guide", "--out", cls.site.name)

    def told(self, name):
        """What its notebook says, cell by cell, which is the script word for word."""
        notebook = json.loads((Path(self.site.name) / "examples" / name).with_suffix(".ipynb").read_text())
        self.assertEqual((notebook["nbformat"], notebook["metadata"]["kernelspec"]["language"]), (4, "python"))
        cells = notebook["cells"]
        self.assertEqual(cells[0]["cell_type"], "markdown")
        script = (HELP / "examples" / name).read_text()
        self.assertTrue(all(cell["source"] in script for cell in cells if cell["cell_type"] == "code"))
        self.assertEqual(script.count("# %%"), sum(cell["cell_type"] == "code" for cell in cells))
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            for cell in cells:
                if cell["cell_type"] == "code":
                    exec(compile(cell["source"], cell["id"], "exec"), names)
        self.assertTrue(said.getvalue())
        return names

    def test_each_has_a_test(self):
        tested = {name.removeprefix("test_") + ".py" for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual({path.name for path in (HELP / "examples").glob("*")}, tested)

    def test_paper_figure(self):
        names = self.told("paper_figure.py")
        self.assertEqual(set(names["tables"]), set(names["FIGURES"]))
        for table in names["tables"].values():
            self.assertGreater(len(table), 3)

    def test_own_gpu(self):
        names = self.told("own_gpu.py")
        self.assertLess(names["after"], names["before"])
        self.assertGreater(names["held_out"]["after"]["rows"], 0)
        self.assertNotEqual(names["fitted_design"].key, names["design"].key)

    def test_cheapest_system(self):
        names = self.told("cheapest_system.py")
        best = names["evaluation"]
        self.assertLessEqual(best["ttft_p99_s"], names["TTFT"])
        self.assertLessEqual(best["tpot_p99_s"], names["TPOT"])
        for device, count in itertools.product(("h100-sxm", "h200-sxm", "b200-sxm"), (1, 2, 4, 8)):
            other = names["design"].copy().set({"nodes.gpu.device": device, "nodes.gpu.count": count})
            answer = other.evaluate()
            if answer.feasible and answer["price_usd"] < best["price_usd"]:
                self.assertTrue(answer["ttft_p99_s"] > names["TTFT"] or answer["tpot_p99_s"] > names["TPOT"])


class Page(HTMLParser):
    """Its links, pictures and anchors."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.ids, self.words = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.targets += [told[name] for name in ("href", "src") if name in told]
        if "id" in told:
            self.ids.append(told["id"])

    def handle_data(self, data):
        self.words += data


class Site(unittest.TestCase):
    def test_all_links_and_pictures_hold(self):
        with tempfile.TemporaryDirectory() as name:
            cli("guide", "--out", name)
            pages = {path.name: Page(path.read_text()) for path in Path(name).glob("*.html")}
            self.assertGreater(len(pages), 20)
            for file, page in pages.items():
                self.assertEqual(len(page.ids), len(set(page.ids)), file)
                for target in page.targets:
                    self.assertNotIn("word:", target)
                    path, _, anchor = target.partition("#")
                    with self.subTest(page=file, target=target):
                        self.assertTrue((Path(name) / (path or file)).is_file())
                        if anchor:
                            self.assertIn(anchor, pages[path or file].ids)

    def test_pages_are_made_from_the_tables(self):
        with tempfile.TemporaryDirectory() as name:
            cli("guide", "--out", name)
            metrics = Page((Path(name) / "metrics.html").read_text()).words
            for path in heteroscape.metric_table():
                if "." not in path:
                    self.assertIn(path, metrics)
            self.assertIn("Request rate × Output", metrics)  # as an evaluation has it
            servers = (Path(name) / "servers.html").read_text()
            self.assertIn("vLLM", servers)
            options = Page((Path(name) / "options.html").read_text()).words
            for option in ("--largest", "--kubernetes", "--length-error"):
                self.assertIn(option, options)

    def test_a_folder_that_cannot_be_written_is_named(self):
        done = subprocess.run([CLI, "guide", "--out", "/proc/none"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("/proc/none", done.stderr)


if __name__ == "__main__":
    unittest.main()
