# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs as lines of Python and as commands: what these make is the design."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import CLI, text_of

import heteroscape

H100 = "served/gpt-oss-120b-h100"


def made(text):
    names = {}
    exec(text, names)
    return names["design"]


def commanded(text, folder):
    """What the command says of its design."""
    path = f"{os.path.dirname(CLI)}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", text.rstrip("\n") + " --json"], env={**os.environ, "PATH": path}, cwd=folder,
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


class Texts(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)

    def same(self, design):
        """Key, words and answers, and what parts are called."""
        again = made(design.to_python())
        self.assertEqual((again.key, again.name, again.about), (design.key, design.name, design.about))
        self.assertEqual([one.value for one in again.parameters], [one.value for one in design.parameters])
        said = commanded(design.to_command(), self.folder)
        mine = design.evaluate().to_dict()
        for document in (said, mine):
            document.pop("design")
        self.assertEqual(text_of(said), text_of(mine))

    def test_a_preset_is_one_line(self):
        self.assertEqual(
            heteroscape.design(H100).to_python(), f'import heteroscape\n\ndesign = heteroscape.design("{H100}")\n'
        )
        self.assertEqual(heteroscape.design(H100).to_command(), f"heteroscape-cli evaluate {H100}\n")

    def test_launch_commands_go_round(self):
        design = heteroscape.launched("vllm serve openai/gpt-oss-120b -tp 4 --max-num-seqs 300", "h200-sxm")
        self.assertEqual(design["nodes.gpu.count"], 4)
        self.assertEqual(heteroscape.launched(design.to_launch(), "h200-sxm").key, design.key)
        self.assertIn("kind: Deployment", design.to_launch(kubernetes=True))
        with self.assertWarnsRegex(UserWarning, "--seed 3"):
            heteroscape.launched("vllm serve openai/gpt-oss-20b --seed 3")
        with self.assertRaisesRegex(heteroscape.Error, "no line of it starts a server"):
            heteroscape.launched("ls")

    def test_every_preset_with_something_set(self):
        for preset in heteroscape.presets():
            design = heteroscape.design(preset)
            design["cost.lifetime_years"] = 7.5
            with self.subTest(preset=preset):
                self.assertEqual(
                    design.to_python(),
                    f'import heteroscape\n\ndesign = heteroscape.design("{preset}")\n'
                    'design["cost.lifetime_years"] = 7.5\n',
                )
                self.same(design)

    def test_parts_and_what_is_set_of_them(self):
        design = heteroscape.design(H100)
        design.set({"nodes.gpu.device": "h200-sxm", "nodes.gpu.device.memory_bandwidth_gbps": 4321.5, "workload.batch": 3,
                    "serving.arrivals": "poisson", "techniques.l2_prefetch.enabled": True, "nodes.gpu.count": 2})
        text = design.to_python()
        self.assertIn('design["nodes.gpu.device"] = "h200-sxm"\n', text)
        self.assertLess(text.index("h200-sxm"), text.index("4321.5"))
        self.assertIn('design["techniques.l2_prefetch.enabled"] = True\n', text)
        self.assertIn("--set nodes.gpu.device=h200-sxm", design.to_command())
        self.same(design)

    def test_what_does_nothing_is_left_out(self):
        design = heteroscape.design(H100)
        design["workload.batch"] = 99
        design["nodes.gpu.device"] = "h200-sxm"
        design["nodes.gpu.device"] = "h100-sxm"
        design["workload.batch"] = 16
        self.assertEqual(design.to_command(), f"heteroscape-cli evaluate {H100}\n")

    def test_a_part_of_ones_own_is_a_dict_and_a_file(self):
        device = heteroscape.entry("device", "h100-sxm")
        device.update(id="mine", name="It's mine")
        design = heteroscape.design(H100)
        design["nodes.gpu.device"] = device
        design.name = 'A "name"\nof two lines'
        self.assertIn('design["nodes.gpu.device"] = {', design.to_python())
        self.assertIn("design.hscape", design.to_command())
        self.same(design)

    def test_a_design_without_an_origin_is_told_whole(self):
        document = heteroscape.design("glitches/a100-7u280").to_dict()
        document["nodes"][0]["name"] = "It's the first"
        design = heteroscape.design(document)
        self.assertIn("heteroscape.design({", design.to_python())
        self.same(design)

    def test_a_file_is_opened(self):
        path = self.folder / "my design.hscape"
        heteroscape.design(H100).save(path)
        design = heteroscape.open(path)
        design["workload.batch"] = 2
        self.assertIn(f'heteroscape.open("{path}")', design.to_python())
        self.assertIn(f"'{path}'", design.to_command())
        self.same(design)


if __name__ == "__main__":
    unittest.main()
