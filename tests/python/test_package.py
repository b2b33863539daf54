# SPDX-License-Identifier: GPL-3.0-or-later
"""The package: pictures, stubs, words of its documents."""

import ast
import doctest
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import support  # noqa: F401

import heteroscape
from heteroscape import _engine

SOURCE = Path(__file__).resolve().parents[2] / "app" / "python"
SVG = "{http://www.w3.org/2000/svg}"


class Pictures(unittest.TestCase):
    def test_every_preset_has_a_picture_of_its_nodes_and_links(self):
        for preset in heteroscape.presets():
            with self.subTest(preset=preset):
                design = heteroscape.design(preset)
                document = design.to_dict()
                picture = ElementTree.fromstring(design._repr_svg_())
                boxes = [
                    tuple(float(box.get(key)) for key in ("x", "y", "width", "height"))
                    for box in picture.iter(f"{SVG}rect")
                ]
                self.assertEqual(len(boxes), len(document["nodes"]))
                self.assertEqual(len(list(picture.iter(f"{SVG}line"))), len(document["links"]))
                left, top, width, height = map(float, picture.get("viewBox").split())
                for i, (x, y, w, h) in enumerate(boxes):
                    self.assertTrue(left <= x and x + w <= left + width and top <= y and y + h <= top + height)
                    for other_x, other_y, other_w, other_h in boxes[:i]:
                        self.assertTrue(
                            x + w <= other_x or other_x + other_w <= x or y + h <= other_y or other_y + other_h <= y
                        )

    def test_names_do_not_become_markup(self):
        design = heteroscape.design("glitches/8a100")
        design.name = "<b>&"
        self.assertIn("&lt;b&gt;&amp;", design._repr_svg_())
        self.assertNotIn("<b>", design._repr_html_())

    def test_html_has_the_metrics(self):
        page = heteroscape.design("glitches/8a100")._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("throughput_tok_s", page)


class Stubs(unittest.TestCase):
    def test_stubs_have_what_the_module_has(self):
        tree = ast.parse((SOURCE / "heteroscape" / "_engine.pyi").read_text())

        def names(body):
            found = {}
            for node in body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    found[node.name] = node
                elif isinstance(node, ast.AnnAssign):
                    found[node.target.id] = node
            return found

        stubs = names(tree.body)
        there = {name for name in vars(_engine) if not name.startswith("__")}
        self.assertEqual({name for name in stubs}, there)
        for name, node in stubs.items():
            told = getattr(_engine, name)
            if isinstance(node, ast.FunctionDef):
                self.same_arguments(node, told)
            elif isinstance(node, ast.ClassDef) and not issubclass(told, Exception):
                members = names(node.body)
                self.assertEqual(set(members) - {"__init__"}, {one for one in vars(told) if not one.startswith("_")}, name)
                for inner, of in members.items():
                    if not isinstance(vars(told)[inner], property):
                        self.same_arguments(of, vars(told)[inner])

    def same_arguments(self, node, function):
        """pybind11 writes "name(one: int, other: str) -> str" into the first line."""
        told = re.match(r"\w+\((.*)\) -> ", function.__doc__).group(1)
        self.assertEqual([one.arg for one in node.args.args], re.findall(r"(?:^|, )(\w+)(?=:)", told), node.name)

    def test_everything_public_says_what_it_is(self):
        for name in heteroscape.__all__:
            one = getattr(heteroscape, name)
            self.assertTrue(inspect.getdoc(one), name)
            if inspect.isclass(one) and one.__module__.startswith("heteroscape._") and one.__module__ != "heteroscape._engine":
                for inner, of in vars(one).items():
                    if not inner.startswith("_") and (callable(of) or isinstance(of, (property, staticmethod))):
                        self.assertTrue(inspect.getdoc(of), f"{name}.{inner}")


class Installed(unittest.TestCase):
    def test_it_finds_the_presets_of_its_own_prefix(self):
        with tempfile.TemporaryDirectory() as prefix:
            package = Path(prefix).resolve() / "lib" / "python3" / "dist-packages"
            presets = Path(prefix).resolve() / "share" / "heteroscape" / "presets"
            shutil.copytree(Path(heteroscape.__file__).parent, package / "heteroscape")
            shutil.copytree(heteroscape.presets_folder(), presets)
            environment = {key: value for key, value in os.environ.items() if key != "HETEROSCAPE_PRESETS"}
            told = subprocess.run(
                [sys.executable, "-c", "import heteroscape; print(heteroscape.presets_folder(), len(heteroscape.presets()))"],
                env={**environment, "PYTHONPATH": str(package)}, cwd=prefix, check=True, capture_output=True, text=True,
            ).stdout
            self.assertEqual(told.split(), [str(presets), str(len(heteroscape.presets()))])


class Documents(unittest.TestCase):
    def test_lines_of_the_readme_do_what_they_say(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                result = doctest.testfile(
                    str(SOURCE / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
                )
            finally:
                os.chdir(here)
        self.assertGreater(result.attempted, 20)
        self.assertEqual(result.failed, 0)


if __name__ == "__main__":
    unittest.main()
