# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C, Python's lock, memory, and several threads."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import support  # noqa: F401

import heteroscape

H100 = "served/gpt-oss-120b-h100"

# Each takes much longer than the test waits.
LONG = {
    "sweep": f'heteroscape.sweep("{H100}", {{"workload.batch": "1:700", "workload.prompt_tokens": "1:700"}})',
    "simulated sweep": f'heteroscape.sweep(heteroscape.design("{H100}").set({{"serving.arrivals": "poisson"}}),'
    ' {"workload.batch": "1:100", "workload.prompt_tokens": "1:100"})',
    "sweep into a store": f'heteroscape.sweep("{H100}", {{"workload.batch": "1:2000", "workload.prompt_tokens": "1:2000"}},'
    " store=sys.argv[1])",
    "find": f'heteroscape.find("{H100}", {{"workload.batch": "1:4000", "workload.prompt_tokens": "1:4000"}},'
    ' maximize="throughput_tok_s")',
    "simulate": f'heteroscape.design("{H100}").simulate(rate=20, requests=20_000_000, recorded=0)',
    "frontier": 'heteroscape.frontier("deepseek-r1")',
    "recommend": 'heteroscape.recommend("deepseek-v3", users=512, draws=100_000)',
}

CHILD = """
import sys, time
import heteroscape
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
"""


def seconds_to_stop(work, *arguments):
    """From Ctrl+C to the exception."""
    command = [sys.executable, "-W", "ignore", "-c", CHILD.format(work=work), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            child.stdout.readline()
            time.sleep(0.7)
            if child.poll() is not None:
                raise AssertionError("it was done before it was stopped")
            asked = time.monotonic()
            child.send_signal(signal.SIGINT)
            told = child.communicate(timeout=60)[0]
            assert child.returncode == 0, child.returncode
            return float(told) - asked
        finally:
            child.kill()


class Interrupts(unittest.TestCase):
    def test_ctrl_c_stops_work_within_100_ms(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, work in LONG.items():
                with self.subTest(work=name):
                    # A busy machine may take away the processor now and then, not each time.
                    seconds = []
                    while len(seconds) < 8 and min(seconds, default=1.0) >= 0.1:
                        seconds.append(seconds_to_stop(work, os.path.join(folder, f"{len(seconds)}.db")))
                    self.assertLess(min(seconds), 0.1)

    def test_other_signals_are_seen_while_it_works(self):
        seen = []
        before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            heteroscape.sweep(H100, {"workload.batch": "1:200", "workload.prompt_tokens": "1:200"})
            self.assertEqual(len(seen), 1)
        finally:
            signal.signal(signal.SIGALRM, before)


class Threads(unittest.TestCase):
    def test_other_threads_go_on(self):
        done = threading.Event()
        beats = []

        def beat():
            while not done.is_set():
                beats.append(time.monotonic())
                time.sleep(0.005)

        thread = threading.Thread(target=beat)
        thread.start()
        begin = time.monotonic()
        try:
            heteroscape.design(H100).simulate(rate=20, requests=300_000, recorded=0)
        finally:
            end = time.monotonic()
            done.set()
            thread.join()
        within = [beat for beat in beats if begin <= beat <= end]
        self.assertGreater(end - begin, 0.1)
        self.assertGreater(len(within), (end - begin) / 0.005 / 5)

    def test_threads_evaluate_beside_each_other(self):
        expected = {preset: heteroscape.design(preset).evaluate()["throughput_tok_s"] for preset in heteroscape.presets()}
        wrong = []

        def evaluate():
            for preset, value in expected.items():
                if heteroscape.design(preset).evaluate()["throughput_tok_s"] != value:
                    wrong.append(preset)

        threads = [threading.Thread(target=evaluate) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


def resident_mib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Memory(unittest.TestCase):
    def test_a_thousand_loads_and_evaluations_leak_nothing(self):
        presets = heteroscape.presets()

        def rounds(count):
            for i in range(count):
                design = heteroscape.design(presets[i % len(presets)])
                design.evaluate().to_dict()
                design.explain("throughput_tok_s").terms
                design["workload.output_tokens"] = 100 + i % 7
                design.to_dict()
                try:
                    design.evaluate()["nothing"]
                except heteroscape.Error:
                    pass

        rounds(200)  # what is kept once is kept by then
        before = resident_mib()
        rounds(1000)
        # A document of one design is 50 KiB and more: a thousand of them, or of anything as large, would show.
        self.assertLess(resident_mib() - before, 8)

    def test_tables_are_given_back(self):
        def sweep():
            heteroscape.sweep(H100, {"workload.batch": "1:100", "workload.prompt_tokens": "1:100"})

        for _ in range(3):
            sweep()
        before = resident_mib()
        for _ in range(20):  # 8 MiB each
            sweep()
        self.assertLess(resident_mib() - before, 24)


if __name__ == "__main__":
    unittest.main()
