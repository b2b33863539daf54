#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what an NVIDIA GPU draws for what it does, and how long its kernels take.

    packaging/measure_gpu.py --out FOLDER [--seconds 540] [--card h100_sxm] [--only idle,gemm] [--note TEXT]
    packaging/measure_gpu.py --out FOLDER --dry     # no GPU: the same loops on tiny shapes, watts made up

Needs PyTorch, Triton and nvidia-ml-py; runs on cards from Volta on, and leaves out, with a word on standard error,
what one cannot do. It reads counters and sets nothing: clocks and limits are as they are found. It ends within
--seconds: each point of power gets an equal share of them, eight seconds at most; a row is written as soon as it is
measured.

FOLDER/power.csv: one row a point, in the columns that `heteroscape-cli calibrate power.csv --device ...` reads, with
others beside them. Watts are the difference of the card's energy counter between two of its ticks over the time
between them, after a third of the point's time of warming. `idle_w`: of the last idle point. `kernel_share`: time in
which kernels ran over all time, by events. Rates (TB/s, TFLOP/s) are what the work needs (each input read once, each
output written once) over all time, gaps included. `pace`: the share of the time that launches are spread for.
`capped`: the share of readings at which the power limit held the clock. `memory_w`: what the memory draws of the
watts, where the card tells it.

FOLDER/kernels.csv: medians over replays of CUDA graphs that go through more weights or caches than L2 holds, in the
columns of presets/measured/kernels.csv, framework `torch`; `version` names the kernel where PyTorch has several.
"""
import argparse
import csv
import math
import os
import statistics
import sys
import threading
import time
from collections import namedtuple

POINT_SECONDS = 8.0
KERNEL_SECONDS = 60.0
COLD_BYTES = 200e6  # several times any L2

# kind: what errors are told by. make() gives a Work; points with the same key in a row share it.
Point = namedtuple("Point", "kind op pace key make seconds", defaults=(POINT_SECONDS,))

# launch() puts one unit on the stream; amounts are of a unit: bytes, FLOP by format, bytes of packed weights, tokens.
Work = namedtuple("Work", "launch source bytes flops16 flops8 unpacked tokens", defaults=(0.0, 0.0, 0.0, 0.0, 0.0))

AMOUNTS = "tok_s,j_per_token,tflops16,tflops8,tflops4,tb_s,unpack_tb_s,slow_tb_s,kernel_share,link_gb_s"
POWER_COLUMNS = (f"id,kind,device,class,limit_w,idle_w,gpus,watts,{AMOUNTS},op,pace,unit_us,sm_mhz,memory_mhz,"
                 "temperature_c,capped,watts_sampled,memory_w,seconds,counter,source").split(",")
KERNEL_COLUMNS = ("device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,kv_dtype,window,"
                  "ranks,bytes,measured_us").split(",")


def note(*words):
    print(*words, file=sys.stderr, flush=True)


def digits(value, count=5):
    return "" if math.isnan(value) else f"{value:.{count}g}"


class Table:
    """A CSV that loses nothing when the program is killed."""

    def __init__(self, path, comments, columns):
        self.file = open(path, "w", encoding="utf-8", newline="")
        for line in comments:
            self.file.write("# " + line + "\n")
        self.columns = columns
        self.rows = []
        self.writer = csv.DictWriter(self.file, columns, lineterminator="\n")
        self.writer.writeheader()
        self.head = self.file.tell()
        self.file.flush()

    def fill(self, column, value):
        """Writes the whole file anew."""
        self.file.seek(self.head)
        for row in self.rows:
            self.writer.writerow({**row, column: value})
        self.file.truncate()
        self.file.flush()

    def add(self, **row):
        self.rows.append(row)
        self.writer.writerow(row)
        self.file.flush()
        os.fsync(self.file.fileno())


# ---- The meter

class Counters:
    """The card's own counters, by NVML. Nothing is set."""

    SW_POWER_CAP = 0x4
    POWER_AVERAGE, OF_MEMORY = 185, 2  # NVML_FI_DEV_POWER_AVERAGE, NVML_POWER_SCOPE_MEMORY

    def __init__(self, index):
        import pynvml
        self.nvml = pynvml
        pynvml.nvmlInit()
        self.handle = pynvml.nvmlDeviceGetHandleByIndex(index)
        self.reasons = getattr(pynvml, "nvmlDeviceGetCurrentClocksEventReasons", None) or \
            pynvml.nvmlDeviceGetCurrentClocksThrottleReasons
        self.hasEnergy = self.energy() is not None

    def text(self, call):
        try:
            value = call()
            return value.decode() if isinstance(value, bytes) else str(value)
        except self.nvml.NVMLError as error:
            return f"unknown ({error})"

    def driver(self):
        return self.text(self.nvml.nvmlSystemGetDriverVersion)

    def limit(self):
        try:
            return self.nvml.nvmlDeviceGetEnforcedPowerLimit(self.handle) / 1000.0
        except self.nvml.NVMLError:
            return 0.0

    def number(self, call, *args):
        try:
            return float(call(self.handle, *args))
        except self.nvml.NVMLError:
            return None

    def energy(self):
        millijoules = self.number(self.nvml.nvmlDeviceGetTotalEnergyConsumption)
        return None if millijoules is None else millijoules / 1000.0

    def memoryWatts(self):
        """A mean over about a second, where the card tells what its memory draws."""
        try:
            value = self.nvml.nvmlDeviceGetFieldValues(self.handle, [(self.POWER_AVERAGE, self.OF_MEMORY)])[0]
        except (self.nvml.NVMLError, TypeError, AttributeError):
            return None
        return value.value.uiVal / 1000.0 if value.nvmlReturn == 0 else None

    def read(self):
        nvml = self.nvml
        watts = self.number(nvml.nvmlDeviceGetPowerUsage)
        reasons = self.number(self.reasons)
        return (self.energy() if self.hasEnergy else None, None if watts is None else watts / 1000.0,
                self.number(nvml.nvmlDeviceGetClockInfo, nvml.NVML_CLOCK_SM),
                self.number(nvml.nvmlDeviceGetClockInfo, nvml.NVML_CLOCK_MEM),
                self.number(nvml.nvmlDeviceGetTemperature, nvml.NVML_TEMPERATURE_GPU),
                None if reasons is None else float(bool(int(reasons) & self.SW_POWER_CAP)), self.memoryWatts())


class MadeUp:
    """100 W, in ticks of 20 ms."""

    hasEnergy = True

    def driver(self):
        return "none"

    def limit(self):
        return 700.0

    def read(self):
        return math.floor(time.perf_counter() / 0.02) * 2.0, 100.0, 1000.0, 1000.0, 40.0, 0.0, None


class Meter:
    """Reads counters all the time on a thread of its own."""

    def __init__(self, counters):
        self.counters = counters
        self.samples = []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.stopped.is_set():
            begin = time.perf_counter()
            values = self.counters.read()
            self.samples.append(((begin + time.perf_counter()) / 2,) + values)
            self.stopped.wait(0.01)

    def stop(self):
        self.stopped.set()
        self.thread.join()

    def over(self, begin, end):
        """Means over a stretch of time; watts between the first and the last tick of the counter in it."""
        inside = [sample for sample in list(self.samples) if begin <= sample[0] <= end]
        if len(inside) < 2:
            raise RuntimeError("too few readings of the counters")

        def mean(column):
            values = [sample[column] for sample in inside if sample[column] is not None]
            return statistics.fmean(values) if values else float("nan")

        ticks = [b for a, b in zip(inside, inside[1:]) if a[1] is not None and b[1] != a[1]]
        sampled = mean(2)
        counted = len(ticks) > 1
        watts = (ticks[-1][1] - ticks[0][1]) / (ticks[-1][0] - ticks[0][0]) if counted else sampled
        return {"watts": watts, "sampled": sampled, "sm": mean(3), "memory": mean(4), "temperature": mean(5),
                "capped": mean(6), "memoryWatts": mean(7),
                "seconds": ticks[-1][0] - ticks[0][0] if counted else end - begin,
                "counter": "energy" if counted else "power"}


# ---- The card

class Card:
    """A GPU as PyTorch has it."""

    dry = False

    def __init__(self, torch, index):
        self.torch = torch
        torch.cuda.set_device(index)
        self.device = torch.device("cuda", index)
        self.properties = torch.cuda.get_device_properties(index)
        self.capability = torch.cuda.get_device_capability(index)
        self.half = torch.bfloat16 if self.capability >= (8, 0) else torch.float16
        self.name = torch.cuda.get_device_name(index)
        self.sms = self.properties.multi_processor_count
        torch.zeros(1, device=self.device)  # the context

    def sync(self):
        self.torch.cuda.synchronize()

    def mark(self):
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def wait(self, event):
        event.synchronize()

    def between(self, first, last):
        return first.elapsed_time(last) / 1000.0

    def graph(self, launch):
        """launch() as one thing that is replayed."""
        torch = self.torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                launch()
        torch.cuda.current_stream().wait_stream(stream)
        self.sync()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            launch()
        return graph.replay

    def clear(self):
        import gc
        gc.collect()
        self.torch.cuda.empty_cache()

    def free(self):
        return self.torch.cuda.mem_get_info()[0]

    def size(self, value, multiple=1):
        return value


class DryCard(Card):
    """The processor, which computes tiny shapes."""

    dry = True
    name = "dry"
    capability = (9, 0)
    sms = 4

    def __init__(self, torch):
        self.torch = torch
        self.half = torch.float32  # what processors multiply
        torch.set_num_threads(1)
        self.device = torch.device("cpu")

    def sync(self):
        pass

    def mark(self):
        return time.perf_counter()

    def wait(self, event):
        pass

    def between(self, first, last):
        return last - first

    def graph(self, launch):
        launch()
        return launch

    def clear(self):
        pass

    def free(self):
        return 1e7

    def size(self, value, multiple=1):
        return max(multiple, int(value / 64) // multiple * multiple)


# ---- Kernels of our own

try:
    import triton
    import triton.language as tl
except ImportError:  # then points that need them are left out
    triton = None

if triton:
    @triton.jit
    def spin(out, rounds, BLOCK: tl.constexpr):
        """Multiply-adds in registers alone."""
        at = tl.arange(0, BLOCK)
        x = at.to(tl.float32) * 1e-3 + tl.program_id(0)
        for _ in range(rounds):
            for _ in tl.static_range(16):
                x = x * 0.999 + 0.5
        tl.store(out + tl.program_id(0) * BLOCK + at, x)

    @triton.jit
    def e2m1(code):
        """Such a number lies in the bits of a float16 as it is, but for the bias of the exponent: 2^14 too small."""
        bits = ((code & 8) << 12) | ((code & 7) << 9)
        return bits.to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32)

    @triton.jit
    def mxfp4(x, packed, scales, out, m, n, k, M: tl.constexpr, N: tl.constexpr, PAIRS: tl.constexpr):
        """out = x w^T. Byte j of PAIRS has element j of 2 PAIRS in its low bits, element PAIRS + j in the high ones."""
        rows = tl.arange(0, M)
        columns = tl.program_id(0) * N + tl.arange(0, N)
        pair = tl.arange(0, PAIRS)
        total = tl.zeros((M, N), tl.float32)
        some = rows[:, None] < m
        for begin in range(0, k, 2 * PAIRS):
            codes = tl.load(packed + columns[None, :] * (k // 2) + begin // 2 + pair[:, None]).to(tl.int32)
            block = columns[None, :] * (k // 32) + (begin + pair[:, None]) // 32
            low = tl.load(scales + block).to(tl.float32)
            high = tl.load(scales + block + PAIRS // 32).to(tl.float32)
            at = x + rows[:, None] * k + begin + pair[None, :]
            w = (e2m1(codes & 15) * tl.exp2(low - 113.0)).to(tl.bfloat16)  # 2^(s - 127 + 14)
            total += tl.dot(tl.load(at, some, 0.0), w)
            w = (e2m1(codes >> 4) * tl.exp2(high - 113.0)).to(tl.bfloat16)
            total += tl.dot(tl.load(at + PAIRS, some, 0.0), w)
        tl.store(out + rows[:, None] * n + columns[None, :], total.to(tl.bfloat16), some)


def needTriton(card):
    if card.dry or not triton:
        raise RuntimeError("needs Triton and a GPU")


def unpacked(torch, packed, scales, pairs):
    """The weights of mxfp4(), in float32."""
    n = packed.shape[0]
    table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], device=packed.device)
    codes = packed.reshape(n, -1, pairs).long()
    values = torch.cat([table[codes & 15], table[codes >> 4]], dim=2).reshape(n, -1)
    return values * torch.exp2(scales.float() - 127.0).repeat_interleave(32, dim=1)


# ---- Attention

def attentionBackends(card):
    """(name, call(q, k, v, causal)) of what PyTorch has for bf16 on this card; heads of a group share a key."""
    torch = card.torch
    if card.dry:
        def plain(q, k, v, causal):
            k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
            return torch.softmax(q @ k.transpose(2, 3), dim=-1) @ v
        return [("plain", plain)]
    from torch.nn.attention import SDPBackend, sdpa_kernel
    found = []
    for name, backend in (("flash", SDPBackend.FLASH_ATTENTION), ("cudnn", SDPBackend.CUDNN_ATTENTION),
                          ("efficient", SDPBackend.EFFICIENT_ATTENTION)):
        def call(q, k, v, causal, backend=backend, name=name):
            if name == "efficient":  # which shares no keys
                k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
        found.append((name, call))
    return found


def fastestAttention(card, q, k, v, causal):
    """The backend that takes these tensors in the least time, by name and call."""
    best = None
    why = "none"
    for name, call in attentionBackends(card):
        try:
            call(q, k, v, causal)
            seconds = min(timed(card, lambda: call(q, k, v, causal)) for _ in range(3))
        except RuntimeError as error:
            why = str(error).splitlines()[0]
            continue
        if best is None or seconds < best[0]:
            best = (seconds, name, call)
    if best is None:
        raise RuntimeError("no attention takes these tensors: " + why)
    return best[1], best[2]


def timed(card, launch):
    first = card.mark()
    launch()
    last = card.mark()
    card.wait(last)
    return card.between(first, last)


# ---- What is measured: power

def smooth(card, *shape):
    return card.torch.randn(*shape, device=card.device, dtype=card.half)


def spinWork(card, share, block, warps):
    needTriton(card)
    programs = max(1, round(card.sms * share))
    out = card.torch.empty(programs * block, device=card.device)
    rounds = 20000

    def launch():
        spin[(programs,)](out, rounds, BLOCK=block, num_warps=warps)

    launch()
    rounds = max(1, int(rounds * 3e-3 / timed(card, launch)))
    return Work(launch, f"Triton: multiply-adds in registers, {programs} blocks of {32 * warps} threads")


def memoryWork(card, kind, zeros=False):
    torch = card.torch
    count = min(card.size(2_000_000_000), int(card.free() / 4 / 2.5))
    a = torch.zeros(count, device=card.device)
    if not zeros:
        a.normal_()
    size = 4.0 * count
    if kind == "read":
        return Work(lambda: a.sum(), "torch.sum of float32", size)
    b = torch.empty_like(a)
    return Work(lambda: b.copy_(a), "torch copy of float32", 2 * size)


def gemmWork(card, narrow, zeros):
    torch = card.torch
    n = card.size(8192, 16)
    if narrow and (card.dry or card.capability < (8, 9)):
        raise RuntimeError("no matrix units for fp8")
    a, b = (smooth(card, n, n).mul_(0.0 if zeros else 1.0) for _ in range(2))
    flops = 2.0 * n ** 3
    if not narrow:
        out = torch.empty_like(a)
        return Work(lambda: torch.mm(a, b.t(), out=out), f"torch.mm (cuBLAS), {str(card.half)[6:]}", 6.0 * n * n, flops)
    a, b = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn)
    one = torch.ones((), device=card.device)
    return Work(lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16,
                                         use_fast_accum=True),
                "torch._scaled_mm (cuBLASLt), fp8 e4m3", 4.0 * n * n, 0.0, flops)


def attentionWork(card, context, tokens=1 << 20, heads=32, kvHeads=8, size=128):
    batch = 1 if card.dry else max(1, tokens // context)
    context = card.size(context)
    q = smooth(card, batch, heads, 1, size)
    k, v = (smooth(card, batch, kvHeads, context, size) for _ in range(2))
    name, call = fastestAttention(card, q, k, v, False)
    return Work(lambda: call(q, k, v, False),
                f"torch attention ({name}), batch {batch}, {heads} heads on {kvHeads}",
                2.0 * 2 * batch * (kvHeads * context + heads) * size, 4.0 * batch * heads * context * size)


def unpackWork(card, rows, n=65536, k=8192, pairs=64):
    needTriton(card)
    torch = card.torch

    def made(n, k):
        return (smooth(card, rows, k).bfloat16(),
                torch.randint(0, 256, (n, k // 2), device=card.device, dtype=torch.uint8),
                torch.randint(120, 128, (n, k // 32), device=card.device, dtype=torch.uint8),
                torch.empty(rows, n, device=card.device, dtype=torch.bfloat16))

    def launch(given, width, warps):
        x, packed, scales, out = given
        n, k = packed.shape[0], x.shape[1]
        mxfp4[(n // width,)](x, packed, scales, out, rows, n, k, M=max(16, rows), N=width, PAIRS=pairs, num_warps=warps,
                             num_stages=3)

    small, large = made(256, 512), made(n, k)
    reference = small[0].float() @ unpacked(torch, small[1], small[2], pairs).t()
    best = None
    for ways in ((64, 4), (128, 8)):
        small[3].fill_(float("nan"))
        launch(small, *ways)
        off = ((small[3].float() - reference).norm() / reference.norm()).item()
        if not off < 1e-2:
            raise RuntimeError(f"the unpacked product is off by {off}")
        launch(large, *ways)
        took = min(timed(card, lambda: launch(large, *ways)) for _ in range(3))
        best = min(best, (took, ways)) if best else (took, ways)

    def several():
        for _ in range(10):
            launch(large, *best[1])

    weights = n * k / 2 + n * k / 32
    return Work(card.graph(several), f"Triton: mxfp4 unpacked in registers, multiplied in bf16, {rows} x {k} x {n}",
                10 * (weights + 2.0 * rows * (k + n)), 10 * 2.0 * rows * n * k, 0.0, 10 * weights)


class Llama:
    """The shapes of Llama-3.1-8B with random weights, layer by layer in PyTorch; bf16."""

    SAID = "shapes of Llama-3.1-8B, random bf16 weights, CUDA graph"

    def __init__(self, card):
        self.card = card
        self.layers = 2 if card.dry else 32
        self.hidden, self.width = card.size(4096, 64), card.size(14336, 64)
        self.heads, self.kvHeads, self.size = (4, 1, 16) if card.dry else (32, 8, 128)
        self.words = card.size(128256, 64)
        q, kv = self.heads * self.size, self.kvHeads * self.size
        self.shapes = [(q + 2 * kv, self.hidden), (self.hidden, q), (2 * self.width, self.hidden),
                       (self.hidden, self.width)]
        torch = card.torch

        def weights(n, k):
            return smooth(card, n, k).mul_(k ** -0.5)

        self.weights = [[weights(*shape) for shape in self.shapes] for _ in range(self.layers)]
        self.norm = smooth(card, self.hidden).fill_(1.0)
        self.table = weights(self.words, self.hidden)
        self.head = weights(self.words, self.hidden)
        self.dtype = self.table.dtype
        angles = torch.arange(65536 if not card.dry else 512, device=card.device).float()[:, None] * \
            500000.0 ** -(torch.arange(0, self.size, 2, device=card.device).float() / self.size)[None, :]
        angles = torch.cat([angles, angles], dim=1)
        self.cos, self.sin = angles.cos().to(self.dtype), angles.sin().to(self.dtype)

    def normed(self, x):
        functional = self.card.torch.nn.functional
        if hasattr(functional, "rms_norm"):
            return functional.rms_norm(x, (self.hidden,), self.norm, 1e-5)
        return x * (x.float().pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt().to(x.dtype) * self.norm

    def turned(self, x, begin, count):
        """Rotary positions; x: batch, heads, tokens, size."""
        a, b = x.chunk(2, dim=-1)
        return x * self.cos[begin:begin + count] + self.card.torch.cat([-b, a], dim=-1) * self.sin[begin:begin + count]

    def run(self, words, begin, caches, attention):
        """Next words of (batch, tokens) at this place; `caches`: keys and values of each layer, or none."""
        torch = self.card.torch
        batch, tokens = words.shape
        x = self.table[words]
        q, kv = self.heads * self.size, self.kvHeads * self.size
        for layer, (qkv, back, up, down) in enumerate(self.weights):
            parts = (self.normed(x) @ qkv.t()).split([q, kv, kv], dim=-1)
            asked, key, value = (part.reshape(batch, tokens, -1, self.size).transpose(1, 2) for part in parts)
            asked, key = self.turned(asked, begin, tokens), self.turned(key, begin, tokens)
            if caches:
                keys, values = caches[layer]
                keys[:, :, begin:begin + tokens] = key
                values[:, :, begin:begin + tokens] = value
                key, value = keys, values
            seen = attention(asked, key, value, tokens > 1)
            x = x + seen.transpose(1, 2).reshape(batch, tokens, q) @ back.t()
            gate, wide = (self.normed(x) @ up.t()).chunk(2, dim=-1)
            x = x + (torch.nn.functional.silu(gate) * wide) @ down.t()
        return (self.normed(x[:, -1:]) @ self.head.t()).argmax(dim=-1)

    def amounts(self, batch, tokens, context, words):
        """(bytes, FLOP) of a step: new tokens of each request, tokens that they look at, words that are asked for."""
        linear = sum(n * k for n, k in self.shapes)
        through = sum(n + k for n, k in self.shapes)
        rows = batch * tokens
        kv = 2.0 * self.kvHeads * self.size
        # A prompt looks at half of itself; a token at all that is cached.
        pairs = rows * context / (2.0 if tokens > 1 else 1.0)
        flops = self.layers * (2.0 * rows * linear + 4.0 * pairs * self.heads * self.size) + \
            2.0 * words * self.words * self.hidden
        count = self.layers * (linear + rows * through + kv * (batch * context + rows)) + \
            self.words * self.hidden + words * (self.words + self.hidden)
        return 2.0 * count, flops

    def decode(self, batch, context):
        torch = self.card.torch
        context = self.card.size(context)
        with torch.no_grad():
            shape = (batch, self.kvHeads, context, self.size)
            caches = [(smooth(self.card, *shape), smooth(self.card, *shape)) for _ in range(self.layers)]
            words = torch.randint(0, self.words, (batch, 1), device=self.card.device)
            asked = smooth(self.card, batch, self.heads, 1, self.size)
            name, attention = fastestAttention(self.card, asked, *caches[0], False)

            def step():
                with torch.no_grad():
                    words.copy_(self.run(words, context - 1, caches, attention))

            launch = self.card.graph(step)
        return Work(launch, f"{self.SAID}, {name} attention, batch {batch}, context {context}",
                    *self.amounts(batch, 1, context, batch), 0.0, 0.0, batch)

    def prefill(self, batch, tokens):
        torch = self.card.torch
        tokens = self.card.size(tokens)
        with torch.no_grad():
            words = torch.randint(0, self.words, (batch, tokens), device=self.card.device)
            shape = (batch, self.kvHeads, tokens, self.size)
            caches = [(smooth(self.card, *shape), smooth(self.card, *shape)) for _ in range(self.layers)]
            asked = smooth(self.card, batch, self.heads, tokens, self.size)
            name, attention = fastestAttention(self.card, asked, *caches[0], True)

            def step():
                with torch.no_grad():
                    self.run(words, 0, caches, attention)

            launch = self.card.graph(step)
        return Work(launch, f"{self.SAID}, {name} attention, {batch} prompts of {tokens}",
                    *self.amounts(batch, tokens, tokens, batch), 0.0, 0.0, batch * tokens)


def powerPoints(card):
    points = [Point("idle", "context open, before any work", 0, "", None, 15.0)]
    for share, name in ((0.25, "1/4"), (0.5, "1/2"), (1.0, "all")):
        points.append(Point("spin", f"{name} of SMs", 1, f"spin {share}",
                            lambda share=share: spinWork(card, share, 128, 4)))
    points.append(Point("spin", "all of SMs, 1024 threads each", 1, "spin wide", lambda: spinWork(card, 1.0, 4096, 32)))
    for kind in ("copy", "read"):
        for pace in (0.25, 0.5, 1.0):
            points.append(Point("memory", kind, pace, kind, lambda kind=kind: memoryWork(card, kind)))
    points.append(Point("memory", "copy of zeros", 1, "copy zeros", lambda: memoryWork(card, "copy", True)))
    for op, narrow, zeros, paces in (("gemm 16 bit", False, False, (0.1, 0.25, 0.5, 0.75, 1.0)),
                                     ("gemm fp8", True, False, (0.1, 0.25, 0.5, 0.75, 1.0)),
                                     ("gemm 16 bit of zeros", False, True, (0.5, 1.0)),
                                     ("gemm fp8 of zeros", True, True, (0.5, 1.0))):
        for pace in paces:
            points.append(Point("gemm", op, pace, op, lambda narrow=narrow, zeros=zeros: gemmWork(card, narrow, zeros)))
    for context in (1024, 4096, 16384, 65536):
        points.append(Point("attention", f"decode at context {context}", 1, f"attention {context}",
                            lambda context=context: attentionWork(card, context)))
    for rows in (8, 16, 32, 64):
        points.append(Point("unpack", f"mxfp4, {rows} rows", 1, f"unpack {rows}",
                            lambda rows=rows: unpackWork(card, rows)))
    held = []

    def llama():
        if not held:
            held.append(Llama(card))
        return held[0]

    for batch, context, paces in ((1, 2048, (1.0,)), (16, 2048, (0.5, 1.0)), (64, 2048, (1.0,)), (128, 2048, (1.0,)),
                                  (256, 512, (1.0,)), (32, 8192, (1.0,))):
        for pace in paces:
            points.append(Point("decode", f"batch {batch}, context {context}", pace, f"decode {batch} {context}",
                                lambda batch=batch, context=context: llama().decode(batch, context)))
    for batch, tokens, paces in ((1, 512, (0.5, 1.0)), (1, 2048, (0.25, 0.5, 1.0)), (4, 2048, (1.0,)),
                                 (1, 8192, (0.5, 1.0))):
        for pace in paces:
            points.append(Point("prefill", f"prompts of {tokens}, {batch} at once", pace, f"prefill {batch} {tokens}",
                                lambda batch=batch, tokens=tokens: llama().prefill(batch, tokens)))
    points.append(Point("idle", "weights loaded, after work", 0, "", None, 45.0))
    return points


def drive(card, work, pace, seconds, unit):
    """Launches units for so long; (units, seconds in kernels, begin, end)."""
    spans = []
    begin = time.perf_counter()
    following = begin
    while time.perf_counter() - begin < seconds or not spans:
        if pace < 1:
            while (left := following - time.perf_counter()) > 0:
                if left > 2e-4:
                    time.sleep(left - 1.5e-4)
            following = max(following + unit / pace, time.perf_counter())
        first = card.mark()
        work.launch()
        spans.append((first, card.mark()))
        if pace < 1:
            card.wait(spans[-1][1])
        elif len(spans) > 4:
            card.wait(spans[-5][1])
    card.sync()
    end = time.perf_counter()
    return len(spans), sum(card.between(*span) for span in spans), begin, end


def measure(card, meter, point, work, seconds):
    """What the meter tells of a point, and what it did; a third of the time it warms."""
    if work is None:
        time.sleep(min(3.0, seconds / 3))
        begin = time.perf_counter()
        time.sleep(seconds * 2 / 3)
        told = meter.over(begin, time.perf_counter())
        return told, {**dict.fromkeys(AMOUNTS.split(","), 0), "source": "nothing runs"}
    for _ in range(2):
        work.launch()
    card.sync()
    unit = min(timed(card, work.launch) for _ in range(3))
    warm = drive(card, work, point.pace, seconds / 3, unit)
    unit = warm[1] / warm[0]
    units, busy, begin, end = drive(card, work, point.pace, seconds * 2 / 3, unit)
    told = meter.over(begin, end)
    took = end - begin
    each = units / took

    def tera(amount):
        return digits(amount * each / 1e12)

    tokens = work.tokens * each
    return told, {**dict.fromkeys(AMOUNTS.split(","), 0), "tok_s": digits(tokens),
                  "j_per_token": digits(told["watts"] / tokens) if tokens else 0, "tflops16": tera(work.flops16),
                  "tflops8": tera(work.flops8), "tb_s": tera(work.bytes), "unpack_tb_s": tera(work.unpacked),
                  "kernel_share": digits(busy / took, 4), "unit_us": digits(busy / units * 1e6), "source": work.source}


def measurePower(card, counters, table, names, only, deadline):
    points = [point for point in powerPoints(card) if not only or point.kind in only]
    meter = Meter(counters)
    key, work = "", None
    idle = None
    for at, point in enumerate(points):
        left = sum(other.seconds for other in points[at:])
        share = min(1.0, (deadline - time.perf_counter()) / (left * 1.06))  # what is made takes time as well
        if share * point.seconds < 0.15:
            note("no time left for", point.kind, point.op)
            continue
        try:
            if point.key != key:
                work, key = None, ""
                card.clear()
                work, key = point.make() if point.make else None, point.key
            told, row = measure(card, meter, point, work, point.seconds * share)
        except Exception as error:  # a card may lack what one point needs; the others do not
            work, key = None, ""
            note("left out:", point.kind, point.op, "-", type(error).__name__, str(error)[:300])
            continue
        if point.kind == "idle":
            idle = told["watts"]
        table.add(id=f"{names['id']}{len(table.rows) + 1:03}", kind=point.kind, device=names["card"],
                  **{"class": names["class"]}, limit_w=digits(counters.limit()), gpus=1, watts=digits(told["watts"]),
                  op=point.op, pace=f"{point.pace:g}", sm_mhz=digits(told["sm"]), memory_mhz=digits(told["memory"]),
                  temperature_c=digits(told["temperature"], 3), capped=digits(told["capped"], 3),
                  watts_sampled=digits(told["sampled"]), memory_w=digits(told["memoryWatts"]),
                  seconds=digits(told["seconds"], 4), counter=told["counter"], **row)
        note(f"{point.kind:10} {point.op:34} pace {point.pace:<5} {told['watts']:7.1f} W  {told['sm']:6.0f} MHz  "
             f"tb/s {row['tb_s']}  tf16 {row['tflops16']}  tf8 {row['tflops8']}  k {row['kernel_share']}")
    meter.stop()
    if idle:
        table.fill("idle_w", digits(idle))


# ---- What is measured: kernels

GEMMS = [(6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336),  # Llama 3 8B
         (10240, 8192), (8192, 28672),                              # Llama 3 70B
         (10240, 5120), (51200, 5120), (5120, 25600)]               # Qwen3 32B
ROWS = [1, 16, 64, 256, 1024, 4096, 8192]
NARROW_ROWS = [16, 64, 512, 2048, 8192]
DECODES = [(batch, context, heads, kv) for heads, kv in ((32, 8), (64, 8), (16, 2))
           for batch, context in ((1, 2048), (8, 1024), (8, 8192), (32, 4096), (128, 2048))]
PROMPTS = [(batch, tokens, heads, kv) for heads, kv in ((32, 8), (64, 8), (16, 2))
           for batch, tokens in ((1, 512), (1, 2048), (4, 2048), (1, 8192), (1, 16384))]
COPIES = [1 << 20, 1 << 23, 1 << 26, 1 << 29, 1 << 32]


def graphTime(card, launches):
    """us of one of these launches, which come in turn: the median over replays of a graph of them."""
    for launch in launches:
        launch()
    card.sync()
    once = min(timed(card, launches[0]) for _ in range(3))
    rounds = max(1, min(200, round(2e-3 / once)) // len(launches) or 1)

    def several():
        for _ in range(rounds):
            for launch in launches:
                launch()

    replay = card.graph(several)
    replay()
    spans = [timed(card, replay) for _ in range(7)]
    return statistics.median(spans) / rounds / len(launches) * 1e6


def turns(card, size):
    """How many sets of what is read so many bytes of go through L2 in turn."""
    return 1 if card.dry else max(1, min(32, math.ceil(COLD_BYTES / size)))


def gemmTime(card, m, n, k, narrow):
    torch = card.torch
    if narrow and (card.dry or card.capability < (8, 9)):
        raise RuntimeError("no matrix units for fp8")
    if not narrow:
        x = smooth(card, m, k)
        out = torch.empty(m, n, device=card.device, dtype=x.dtype)
        weights = [smooth(card, n, k) for _ in range(turns(card, 2.0 * n * k))]
        return graphTime(card, [lambda w=w: torch.mm(x, w.t(), out=out) for w in weights])
    eight = torch.float8_e4m3fn
    x, one = smooth(card, m, k).to(eight), torch.ones((), device=card.device)
    weights = [smooth(card, n, k).to(eight) for _ in range(turns(card, 1.0 * n * k))]
    return graphTime(card, [lambda w=w: torch._scaled_mm(x, w.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16,
                                                         use_fast_accum=True) for w in weights])


def attentionTime(card, batch, tokens, heads, kv, decodes):
    q = smooth(card, batch, heads, 1 if decodes else tokens, 128)
    sets = [tuple(smooth(card, batch, kv, tokens, 128) for _ in range(2))
            for _ in range(turns(card, 512.0 * batch * kv * tokens) if decodes else 1)]
    name, call = fastestAttention(card, q, *sets[0], not decodes)
    return name, graphTime(card, [lambda k=k, v=v: call(q, k, v, not decodes) for k, v in sets])


def copyTime(card, size):
    torch = card.torch

    def held():
        return torch.empty(size, dtype=torch.uint8, device=card.device).random_()

    pairs = [(held(), held()) for _ in range(turns(card, 2.0 * size))]
    return graphTime(card, [lambda a=a, b=b: b.copy_(a) for a, b in pairs])


def measureKernels(card, table, names, deadline):
    torch = card.torch
    version, half = torch.__version__.split("+")[0], str(card.half)[6:]
    size = card.size
    jobs = []
    for n, k in GEMMS:
        for precision, rows in ((half, ROWS), ("fp8", NARROW_ROWS)):
            for m in rows:
                jobs.append((dict(op="gemm", precision=precision, m=m, n=n, k=k),
                             lambda m=m, n=n, k=k, precision=precision:
                             ("", gemmTime(card, m if m < 64 else size(m, 16), size(n, 16), size(k, 16),
                                           precision == "fp8"))))
    for op, shapes in (("attention_generation", DECODES), ("attention_context", PROMPTS)):
        for batch, tokens, heads, kv in shapes:
            jobs.append((dict(op=op, precision=half, batch=batch, seq=tokens, heads=heads, kv_heads=kv, head_dim=128,
                              kv_dtype=half, window=0),
                         lambda batch=batch, tokens=tokens, heads=heads, kv=kv, op=op:
                         attentionTime(card, batch, size(tokens), heads, kv, op == "attention_generation")))
    for count in COPIES:
        jobs.append((dict(op="copy", precision=half, bytes=count),
                     lambda count=count: ("", copyTime(card, size(count)))))
    # Spread over the list, so that what a short time leaves out is of all kinds.
    order = sorted(range(len(jobs)), key=lambda i: (i * 61) % len(jobs) if math.gcd(61, len(jobs)) == 1 else i)
    done = {}
    for i in order:
        shape, job = jobs[i]
        if time.perf_counter() > deadline:
            note("no time left for", len(order) - len(done), "kernels")
            break
        try:
            name, us = job()
        except Exception as error:
            note("left out:", shape, "-", type(error).__name__, str(error)[:200])
            done[i] = None
        else:
            done[i] = us
            table.add(device=names["card"], framework="torch", version=(version + " " + name).strip(),
                      measured_us=f"{us:.3f}", **shape)
        card.clear()


# ----

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder for power.csv and kernels.csv")
    parser.add_argument("--seconds", type=float, default=540.0, help="end within so many (default 540)")
    parser.add_argument("--device", type=int, default=0, help="which GPU (default 0)")
    parser.add_argument("--card", help="what to call it: an id of presets/kernels/gpus.json")
    parser.add_argument("--only", default="", help="kinds of points: idle,spin,memory,gemm,attention,unpack,decode,"
                                                   "prefill,kernels")
    parser.add_argument("--note", default="", help="a line for the head of each file")
    parser.add_argument("--id", default="g", help="what ids of rows begin with (default g)")
    parser.add_argument("--dry", action="store_true", help="no GPU: tiny shapes on the processor, watts made up")
    options = parser.parse_args()
    begin = time.perf_counter()
    import torch
    card = DryCard(torch) if options.dry else Card(torch, options.device)
    counters = MadeUp() if options.dry else Counters(options.device)
    names = {"card": options.card or card.name.lower().replace(" ", "_"), "id": options.id,
             "class": {9: "hopper", 10: "blackwell"}.get(card.capability[0], "none")}
    comments = [f"packaging/measure_gpu.py, {time.strftime('%Y-%m-%d')}: {card.name}, driver {counters.driver()}, "
                f"PyTorch {torch.__version__}, Triton {triton.__version__ if triton else 'none'}, power limit "
                f"{counters.limit():.0f} W, clocks as found."]
    if options.note:
        comments.append(options.note)
    os.makedirs(options.out, exist_ok=True)
    only = set(filter(None, options.only.split(",")))
    kernels = not only or "kernels" in only
    end = begin + options.seconds - 2.0
    spare = min(KERNEL_SECONDS, options.seconds * 0.2) if kernels else 0.0
    if not only or only - {"kernels"}:
        table = Table(os.path.join(options.out, "power.csv"), comments, POWER_COLUMNS)
        measurePower(card, counters, table, names, only, end - spare)
        card.clear()
    if kernels:
        table = Table(os.path.join(options.out, "kernels.csv"), comments, KERNEL_COLUMNS)
        measureKernels(card, table, names, end)
    note(f"took {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
