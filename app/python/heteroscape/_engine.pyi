# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any, Dict, List, Optional, Tuple

from ._design import ExpectedError

version: str

class Error(Exception):
    """What the engine refuses: str() reads "<where>: <message>. <remedy>"."""

    code: str
    """"invalid_input", "not_found", "io" or "cancelled"."""
    where: str
    message: str
    remedy: str

class Term:
    """How a number came about: an operation on other terms, down to leaves with their sources."""

    @property
    def name(self) -> str:
        """What it is."""
    @property
    def value(self) -> float:
        """The number, in ``unit``."""
    @property
    def unit(self) -> str:
        """Empty for counts and shares."""
    @property
    def formula(self) -> str:
        """The operation on the names of ``terms``; empty at a leaf."""
    @property
    def terms(self) -> List[Term]:
        """What it is made of; empty at a leaf."""
    @property
    def source(self) -> str:
        """Where the constant of a leaf comes from."""
    @property
    def remark(self) -> str:
        """What else is said: "bound by memory reads"."""
    @property
    def expected_error(self) -> Optional[ExpectedError]:
        """How far it is expected to be off; None where nothing that it rests on was measured."""

class Evaluation:
    @property
    def feasible(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def bound(self) -> str: ...
    @property
    def bound_label(self) -> str: ...
    @property
    def truth(self) -> str: ...
    @property
    def truth_text(self) -> str: ...
    def metrics(self) -> List[Tuple[str, float, str, str, str]]: ...
    def metric(self, path: str) -> Tuple[str, float, str, str, str]: ...
    def errors(self, paths: List[str]) -> Dict[str, Optional[ExpectedError]]: ...
    def document(self, operators: bool = ..., explain: List[str] = ...) -> Dict[str, Any]: ...

class Simulation:
    def document(self) -> Dict[str, Any]: ...
    def requests_csv(self) -> str: ...
    def segments_csv(self) -> str: ...
    def queue_csv(self) -> str: ...
    def trace(self) -> str: ...

class Design:
    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def key(self) -> str: ...
    def describe(self, name: str, about: str) -> None: ...
    def copy(self) -> Design: ...
    def equals(self, other: Design) -> bool: ...
    def document(self) -> Dict[str, Any]: ...
    def save(self, path: str) -> None: ...
    def python_text(self) -> str: ...
    def command_text(self) -> str: ...
    def launch_text(self, kubernetes: bool) -> str: ...
    def paths(self) -> List[str]: ...
    def parameters(self) -> List[Dict[str, Any]]: ...
    def parameter(self, path: str) -> Dict[str, Any]: ...
    def put(self, path: str, value: str) -> None: ...
    def put_part(self, path: str, json: str) -> None: ...
    def serve(self, text: str, where: str) -> None: ...
    def diagnostics(self) -> List[Tuple[str, str, str, str, str]]: ...
    def evaluate(self) -> Evaluation: ...
    def explain(self, metric: str) -> Term: ...
    def simulate(
        self,
        arrivals: str,
        requests: str,
        rate: str,
        trace: str,
        seed: str,
        until: Optional[float],
        recorded: int,
    ) -> Simulation: ...

class FitWishes:
    def __init__(
        self,
        constants: List[str],
        bounds: List[str],
        loss: str,
        loss_scale: Optional[float],
        held_out: Optional[float],
        seed: Optional[int],
        starts: Optional[int],
    ) -> None: ...

class Operator:
    """One operator of a step on one device, once, at one context; SI."""

    @property
    def key(self) -> str:
        """"gate_proj"."""
    @property
    def kind(self) -> str:
        """"linear", "attention", "norm", "all_reduce", ..."""
    @property
    def segment(self) -> str:
        """"attention", "ffn" or "head"."""
    @property
    def repeat(self) -> float:
        """How often it stands in the step."""
    @property
    def context(self) -> float:
        """Tokens that each request attends to."""
    @property
    def flops(self) -> float:
        """FLOP."""
    @property
    def bytes(self) -> float:
        """B moved to and from memory."""
    @property
    def weight_bytes(self) -> float:
        """B of weights among them."""
    @property
    def kv_bytes(self) -> float:
        """B of the KV cache among them."""
    @property
    def rows(self) -> float:
        """Of a matrix product: token rows, all experts together."""
    @property
    def inner(self) -> float:
        """Of a matrix product: its inner width."""
    @property
    def columns(self) -> float:
        """Of a matrix product: columns of one expert."""
    @property
    def experts(self) -> float:
        """Of a matrix product: so many of them."""
    @property
    def payload_bytes(self) -> float:
        """Of a collective, B: the whole vector; of an all-to-all or a send what a device sends."""
    @property
    def ranks(self) -> float:
        """Of a collective: devices that take part."""

class Machine:
    """One device under its runtime, in one phase; SI."""

    @property
    def phase(self) -> str:
        """"prefill" or "decode"."""
    @property
    def device(self) -> str:
        """Id of the device."""
    @property
    def figures(self) -> Dict[str, float]:
        """Figures of the device that are set, by key, in the units that keys tell."""
    @property
    def settings(self) -> Dict[str, float]:
        """Parameters of the timing model, by key, in their units."""
    @property
    def peak_flops(self) -> float:
        """FLOP/s at the runtime's precision."""
    @property
    def peak_bandwidth(self) -> float:
        """B/s of the memory."""
    @property
    def weight_bytes(self) -> float:
        """B of one weight."""
    @property
    def activation_bytes(self) -> float:
        """B of one activation."""
    @property
    def kv_bytes(self) -> float:
        """B of one element of the KV cache."""
    @property
    def devices(self) -> float:
        """Devices that share the model."""
    @property
    def link_bandwidth(self) -> float:
        """B/s that a device sends each way."""
    @property
    def link_latency(self) -> float:
        """s."""
    @property
    def batch(self) -> float:
        """Requests of the step."""
    @property
    def query_tokens(self) -> float:
        """New tokens of each."""

class TimingParameter:
    def __init__(
        self, key: str, label: str, unit: str, about: str, initial: float, minimum: float, maximum: float
    ) -> None: ...

def timing_models() -> List[str]:
    """Ids of the timing models."""

def add_timing_model(
    id: str,
    label: str,
    about: str,
    parameters: List[TimingParameter],
    seconds: Any,
    collective: Any,
    base: str,
) -> None: ...
def use_timing_model(design: Design, node: str, model: str, phases: List[str]) -> None: ...
def presets_folder() -> str:
    """Where the catalogue was read from."""

def kinds() -> List[str]:
    """The kinds that ``catalog()`` takes."""

def metric_table() -> List[Dict[str, Any]]: ...
def rows(kind: str) -> List[Dict[str, str]]: ...
def entry(kind: str, id: str) -> Dict[str, Any]: ...
def open_design(preset_or_file: str) -> Design: ...
def launched_design(
    lines: str, device: str, model: str, users: float, prompt: float, output: float
) -> Tuple[Design, List[str]]: ...
def read_design(json: str, where: str) -> Design: ...
def sweep(
    design: Design,
    axes: List[str],
    points: str,
    metrics: List[str],
    store: Optional[str],
    name: str,
    jobs: int,
) -> Dict[str, Any]: ...
def sweep_figure(id: str, metrics: List[str], store: Optional[str], name: str, jobs: int) -> Dict[str, Any]: ...
def figures() -> List[str]: ...
def find(
    design: Design,
    axes: List[str],
    maximize: List[str],
    minimize: List[str],
    limits: List[str],
    best: int,
    method: str,
    evaluations: int,
    seed: int,
    jobs: int,
) -> Dict[str, Any]: ...
def frontiers() -> List[str]: ...
def frontier_units() -> Dict[str, str]: ...
def frontier(
    id: str,
    systems: List[Tuple[str, Design]],
    per: str,
    against: str,
    load: str,
    ttft: float,
    tpot: float,
    price: float,
    users: List[float],
    all: bool,
    measured: bool,
    jobs: int,
) -> Dict[str, Any]: ...
def recommend(
    model: str,
    numbers: Dict[str, str],
    rented: bool,
    per_token: bool,
    mean_tpot: bool,
    vendors: List[str],
    ready: List[str],
    software: List[str],
    formats: List[str],
    jobs: int,
) -> Tuple[Dict[str, Any], List[List[Design]], Optional[Design]]: ...
def compare_paper(paper: str) -> Dict[str, Any]: ...
def compare_designs(designs: List[Design]) -> Dict[str, Any]: ...
def validate(files: List[str], by: List[str]) -> Tuple[Dict[str, Any], List[str]]: ...
def constants() -> Dict[str, Any]: ...
def calibrate_kernels(
    files: List[str], wishes: FitWishes, runtime: str, id: str
) -> Tuple[Dict[str, Any], Dict[str, Any]]: ...
def calibrate_design(design: Design, files: List[str], wishes: FitWishes) -> Tuple[Dict[str, Any], Design]: ...
def calibrate_device(device: str, file: str, wishes: FitWishes) -> Dict[str, Any]: ...
