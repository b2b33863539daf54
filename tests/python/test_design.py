# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs: read, set, told whole, written, refused."""

import copy
import json
import math
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

from support import cli_json, refused, text_of

import heteroscape

H100 = "served/gpt-oss-120b-h100"


class Parameters(unittest.TestCase):
    def test_every_parameter_takes_its_own_value(self):
        for preset in (H100, "glitches/a100-7u280", "inf2/opt-30b-h100-16csd", "preserve/llama3-70b-8npu"):
            design = heteroscape.design(preset)
            before = design.copy()
            for one in design.parameters:
                if one.value is None or one.path == "system":
                    continue
                with self.subTest(preset=preset, path=one.path):
                    self.assertEqual(design[one.path], one.value)
                    if not one.choices:
                        design[one.path] = one.value
                        self.assertEqual(design[one.path], one.value)
            self.assertEqual(text_of(design.evaluate().to_dict()), text_of(before.evaluate().to_dict()))

    def test_what_is_set_is_read_back_and_evaluated(self):
        design = heteroscape.design(H100)
        design["workload.batch"] = 32
        design["nodes.gpu.runtime.weight_bits"] = 8.0
        self.assertEqual(design["workload.batch"], 32)
        self.assertIsInstance(design["workload.batch"], int)
        self.assertEqual(
            text_of(design.evaluate().to_dict()),
            text_of(cli_json("evaluate", H100, "--set", "workload.batch=32", "--set", "nodes.gpu.runtime.weight_bits=8")),
        )
        design.set({"techniques.l2_prefetch.enabled": True, "serving.arrivals": "poisson", "draft_model": None})
        self.assertIs(design["techniques.l2_prefetch.enabled"], True)
        self.assertEqual(design["serving.arrivals"], "poisson")
        self.assertIn("served_tok_s", [key for key, value in design.evaluate().items() if value == value])

    def test_parameters_say_what_they_are(self):
        one = heteroscape.design(H100).parameter("nodes.gpu.count")
        self.assertEqual((one.label, one.minimum, one.maximum, one.integer), ("Count", 1, 100000, True))
        self.assertTrue(one.about)
        self.assertEqual(heteroscape.design(H100).parameter("links.gpu-host.bandwidth_gbps").unit, "GB/s")
        self.assertIn("poisson", heteroscape.design(H100).parameter("serving.arrivals").choices)
        table = heteroscape.design(H100).parameter_table()
        self.assertEqual(list(table["path"]), list(heteroscape.design(H100)))

    def test_an_edit_that_is_refused_changes_nothing(self):
        design = heteroscape.design(H100)
        before = design.copy()
        for path, value in (("nodes.gpu.count", 0), ("nodes.gpu.count", "x"), ("nowhere", 1), ("model", "nothing")):
            with self.subTest(path=path, value=value):
                with self.assertRaises(heteroscape.Error) as caught:
                    design[path] = value
                said = refused("evaluate", H100, "--set", f"{path}={value}")
                self.assertEqual(str(caught.exception), said)
                self.assertEqual(design, before)
        with self.assertRaises(TypeError):
            design["nodes.gpu.count"] = [1, 2]

    def test_work_goes_on_with_the_design_that_it_began_with(self):
        design = heteroscape.design(H100)
        evaluation = design.evaluate()
        first = evaluation.to_dict()
        design["workload.batch"] = 1
        self.assertEqual(text_of(evaluation.to_dict()), text_of(first))
        self.assertNotEqual(design.evaluate()["throughput_tok_s"], evaluation["throughput_tok_s"])


class Copies(unittest.TestCase):
    def test_copies_are_equal_and_apart(self):
        design = heteroscape.design(H100)
        for other in (design.copy(), copy.copy(design), copy.deepcopy(design), pickle.loads(pickle.dumps(design)),
                      heteroscape.design(design.to_dict())):
            self.assertEqual(other, design)
            self.assertEqual(other.key, design.key)
            other["workload.batch"] = 3
            self.assertNotEqual(other, design)
            self.assertNotEqual(other.key, design.key)
        self.assertEqual(design["workload.batch"], 16)

    def test_every_preset_goes_round_by_file(self):
        with tempfile.TemporaryDirectory() as folder:
            for preset in heteroscape.presets():
                with self.subTest(preset=preset):
                    design = heteroscape.design(preset)
                    path = Path(folder) / "one.hscape"
                    design.save(path)
                    self.assertEqual(heteroscape.open(path), design)
                    self.assertEqual(text_of(cli_json("evaluate", str(path))), text_of(design.evaluate().to_dict()))

    def test_names_are_kept(self):
        design = heteroscape.design(H100)
        key = design.key
        design.name, design.about = "Mine", "To see."
        self.assertEqual((design.name, design.about, design.key), ("Mine", "To see.", key))
        self.assertEqual(heteroscape.design(design.to_dict()).name, "Mine")


class Parts(unittest.TestCase):
    def test_a_device_from_a_dict_is_the_same_from_a_file(self):
        device = heteroscape.entry("device", "h100-sxm")
        device.update(id="mine", name="Mine")
        device["memory_bandwidth_gbps"] = 5000
        design = heteroscape.design(H100)
        design["nodes.gpu.device"] = device
        self.assertEqual(design["nodes.gpu.device"], "mine")
        self.assertEqual(design["nodes.gpu.device.memory_bandwidth_gbps"], 5000)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mine.json"
            path.write_text(json.dumps(device))
            other = heteroscape.design(H100)
            other["nodes.gpu.device"] = path
            self.assertEqual(other, design)
            self.assertEqual(
                text_of(cli_json("evaluate", H100, "--set", f"nodes.gpu.device={path}")),
                text_of(design.evaluate().to_dict()),
            )

    def test_workloads_runtimes_and_links_from_dicts(self):
        design = heteroscape.design(H100)
        workload = heteroscape.entry("workload", heteroscape.catalog("workloads")["id"][0])
        workload.update(id="mine", name="Mine", prompt_tokens=4321)
        design["workload"] = workload
        self.assertEqual(design["workload.prompt_tokens"], 4321)
        link = heteroscape.entry("link", design["links.gpu-host.type"])
        link.update(id="fast", name="Fast", bandwidth_gbps=1234)
        design["links.gpu-host.type"] = link
        self.assertEqual(design["links.gpu-host.bandwidth_gbps"], 1234)
        runtime = heteroscape.entry("runtime", design["nodes.gpu.runtime"])
        runtime.update(id="other", name="Other")
        design["nodes.gpu.runtime"] = runtime
        self.assertEqual(design["nodes.gpu.runtime"], "other")
        self.assertTrue(design.evaluate().feasible)

    def test_models_from_a_config_of_hugging_face(self):
        config = {
            "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16",
            "architectures": ["LlamaForCausalLM"], "_name_or_path": "someone/some-model",
        }
        design = heteroscape.design(H100)
        design.serve(config)
        self.assertEqual((design["model.layers"], design["model.hidden"]), (32, 4096))
        self.assertTrue(design.evaluate().feasible)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.json").write_text(json.dumps(config))
            self.assertEqual(heteroscape.design(H100).serve(folder)["model.layers"], 32)
        with self.assertRaisesRegex(heteroscape.Error, "config.json"):
            design["model"] = {"no": "model"}
        with self.assertRaisesRegex(heteroscape.Error, "nodes.gpu.count"):
            design["nodes.gpu.count"] = {"value": 3}


class Errors(unittest.TestCase):
    def test_errors_have_the_words_of_the_command_line(self):
        with self.assertRaises(heteroscape.Error) as caught:
            heteroscape.design("no/such")
        self.assertEqual(str(caught.exception), refused("evaluate", "no/such"))
        error = caught.exception
        self.assertEqual(error.code, "not_found")
        self.assertTrue(str(error).startswith(f"{error.where}: {error.message}"))
        self.assertTrue(str(error).endswith(f"{error.remedy}"))
        with self.assertRaises(heteroscape.Error) as caught:
            heteroscape.open("/no/such.hscape")
        self.assertIn("/no/such.hscape", str(caught.exception))

    def test_a_design_with_errors_is_not_evaluated(self):
        document = heteroscape.design(H100).to_dict()
        document["nodes"] = []
        document["links"] = []
        design = heteroscape.design(document)
        self.assertIn("error", [found.severity for found in design.diagnostics])
        with self.assertRaises(heteroscape.Error):
            design.evaluate()
        self.assertIn(design.diagnostics[0].message, design._repr_html_())

    def test_what_does_not_fit_says_why(self):
        design = heteroscape.design(H100)
        design["model"] = "deepseek-v3"
        evaluation = design.evaluate()
        self.assertFalse(evaluation.feasible)
        self.assertIn("GB", evaluation.reason)
        self.assertTrue(math.isnan(evaluation["throughput_tok_s"]))

    def test_notes_are_warnings_at_the_line_that_asked(self):
        design = heteroscape.design(H100)
        design["workload.batch"] = 1
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            design["nodes.gpu.device"] = "u280"
        self.assertTrue(heard)
        self.assertTrue(all(issubclass(one.category, heteroscape.Note) for one in heard))
        self.assertEqual({one.filename for one in heard}, {__file__})

    def test_metrics_that_there_are_none_of(self):
        evaluation = heteroscape.design(H100).evaluate()
        with self.assertRaisesRegex(heteroscape.Error, "no such metric"):
            evaluation["nothing"]
        self.assertIsNone(evaluation.get("nothing"))
        self.assertNotIn("nothing", evaluation)
        self.assertEqual(evaluation.unit("ttft_s"), "s")
        self.assertEqual(evaluation.label("throughput_tok_s"), "Throughput")
        self.assertEqual(evaluation.truth, "served")
        self.assertIn("throughput_tok_s", evaluation.bands)
        self.assertIn("throughput_tok_s", set(evaluation.to_table()["metric"]))


if __name__ == "__main__":
    unittest.main()
