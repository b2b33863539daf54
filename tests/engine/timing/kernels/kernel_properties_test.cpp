// SPDX-License-Identifier: GPL-3.0-or-later
// More of a device is never slower, more work never faster: silicon_kernels.md, section 10.
#include "engine/operators/experts.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <cmath>
#include <functional>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

class Random {
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    double logWhole(double low, double high) {
        return std::floor(std::exp(uniform(std::log(low), std::log(high + 1))));
    }
    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(m_engine()) / 4294967296.0);
    }
    template <class T>
    const T& one(const std::vector<T>& of) {
        return of[m_engine() % of.size()];
    }

private:
    std::mt19937 m_engine; // the same numbers everywhere, other than distributions
};

/// A kernel of random shape: microseconds on any device.
using Timed = std::function<double(const GpuFigures&)>;

Timed randomGemm(Random& random) {
    const auto& row = random.one(kernels().gemm.rows);
    const auto& precision = *findGemmPrecision(row.names[2]);
    const GemmShape shape{random.logWhole(1, 16384), random.logWhole(128, 65536),
                          random.logWhole(128, 65536)};
    return [&row, &precision, shape](const GpuFigures& on) {
        return GemmKernel(on, row.constants, precision, kernels().gemmTiles).time(shape).us;
    };
}

Timed randomContext(Random& random) {
    const auto& row = random.one(kernels().attentionContext.rows);
    AttentionContextShape shape;
    shape.batch = random.logWhole(1, 64);
    shape.tokens = random.logWhole(1, 16384);
    shape.kvHeads = random.logWhole(1, 16);
    shape.heads = shape.kvHeads * random.logWhole(1, 16);
    shape.headSize = random.one(std::vector<double>{64, 128, 256});
    shape.window = random.one(std::vector<double>{0, 0, 128, 4096});
    shape.cached = random.one(std::vector<double>{0, 0, 1000, 30000});
    shape.fp8 = row.names[2] == "fp8";
    shape.kvBytes = row.names[3] == "fp8" ? 1 : 2;
    return [&row, shape](const GpuFigures& on) { return attentionContextTime(on, row.constants, shape).us; };
}

Timed randomGeneration(Random& random) {
    const auto& row = random.one(kernels().attentionGeneration.rows);
    AttentionGenerationShape shape;
    shape.batch = random.logWhole(1, 1024);
    shape.cached = random.logWhole(1, 131072);
    shape.kvHeads = random.logWhole(1, 64);
    shape.heads = shape.kvHeads * (row.names[3] == "mha" ? 1 : random.logWhole(2, 16));
    shape.window = random.one(std::vector<double>{0, 0, 1024});
    shape.kvBytes = row.names[2] == "fp8" ? 1 : 2;
    return
        [&row, shape](const GpuFigures& on) { return attentionGenerationTime(on, row.constants, shape).us; };
}

Timed randomCollective(Random& random) {
    const double ranks = random.logWhole(1, 16), bytes = random.logWhole(64, 1 << 30);
    if (random.uniform(0, 1) < 0.5) {
        const auto& row = random.one(kernels().allReduce.rows);
        return [&row, ranks, bytes](const GpuFigures& on) {
            return allReduceTime(on, row.constants, ranks, bytes).us;
        };
    }
    const auto& row = random.one(kernels().nccl.rows);
    return [&row, ranks, bytes](const GpuFigures& on) {
        return ncclTime(on, row.constants, *findNcclOperation(row.names[1]), ranks, bytes).us;
    };
}

Timed randomStream(Random& random) {
    const auto& row = random.one(kernels().elementwise.rows);
    const double bytes = random.logWhole(1, 1e10), footprint = bytes * random.uniform(1, 4);
    return [&row, bytes, footprint](const GpuFigures& on) {
        return elementwiseTime(on, row.constants, bytes, footprint).us;
    };
}

Timed randomMoe(Random& random) {
    const auto& row = random.one(kernels().moe.rows);
    const auto& format = kernels().moeFormat(row.constants.format);
    const double tokens = random.logWhole(1, 65536), experts = random.one(std::vector<double>{8, 128, 256});
    const double chosen = random.logWhole(1, 8), ranks = random.one(std::vector<double>{1, 2, 8});
    MoeShape shape;
    shape.hidden = random.logWhole(512, 8192);
    shape.width = random.logWhole(64, 16384);
    shape.localExperts = experts / ranks;
    shape.pairs = busiestRankPairs(experts, chosen, tokens, ranks, random.uniform(0, 1));
    shape.touched = distinctExperts(experts, chosen, tokens) / ranks;
    shape.seen = row.constants.onlyReceived ? shape.pairs : tokens * chosen;
    return
        [&row, &format, shape](const GpuFigures& on) { return moeTime(on, row.constants, format, shape).us; };
}

Timed randomLatent(Random& random) {
    const double batch = random.logWhole(1, 256), tokens = random.logWhole(1, 65536);
    const double heads = random.one(std::vector<double>{1, 8, 16, 128});
    switch (static_cast<int>(random.uniform(0, 4))) {
    case 0: {
        const auto& row = random.one(kernels().mlaDecode.rows);
        return [&row, batch, tokens, heads](const GpuFigures& on) {
            return mlaDecodeTime(on, row.constants, {batch, tokens, heads, 2, {}}).us;
        };
    }
    case 1: {
        const auto& row = random.one(kernels().mlaSerialDecode.rows);
        return [&row, batch, tokens, heads](const GpuFigures& on) {
            return mlaSerialDecodeTime(on, row.constants, {batch, tokens, heads, 2, {}}).us;
        };
    }
    case 2: {
        const auto& row = random.one(kernels().mlaPrefill.rows);
        return [&row, batch, tokens, heads](const GpuFigures& on) {
            return mlaPrefillTime(on, row.constants, {batch, tokens, 0, heads, 2, {}}).us;
        };
    }
    default: {
        const auto& row = random.one(kernels().mlaAbsorption.rows);
        return [&row, tokens, heads](const GpuFigures& on) {
            MlaAbsorptionShape shape;
            shape.tokens = tokens;
            shape.heads = heads;
            shape.fp8 = row.names[2] == "fp8";
            return mlaAbsorptionTime(on, row.constants, shape).us;
        };
    }
    }
}

Timed randomExchange(Random& random) {
    DeepEpShape shape;
    shape.tokens = random.logWhole(1, 65536);
    shape.hidden = random.logWhole(1024, 8192);
    shape.chosen = random.logWhole(1, 8);
    shape.experts = random.one(std::vector<double>{64, 256});
    shape.nodes = random.one(std::vector<double>{1, 2, 4, 8});
    switch (static_cast<int>(random.uniform(0, 3))) {
    case 0: {
        const auto& row = random.one(kernels().deepEpLowLatency.rows);
        shape.dispatch = row.names[1] == "dispatch";
        return
            [&row, shape](const GpuFigures& on) { return deepEpLowLatencyTime(on, row.constants, shape).us; };
    }
    case 1: {
        const auto& row = random.one(kernels().deepEpNormal.rows);
        shape.dispatch = row.names[1] == "dispatch";
        return [&row, shape](const GpuFigures& on) { return deepEpNormalTime(on, row.constants, shape).us; };
    }
    default: {
        const auto& row = random.one(kernels().nvlinkAllToAll.rows);
        return [&row, shape](const GpuFigures& on) {
            return nvlinkAllToAllTime(on, row.constants,
                                      {shape.tokens, shape.hidden, shape.chosen, shape.nodes * 2, 2})
                .us;
        };
    }
    }
}

Timed randomDelta(Random& random) {
    const auto& row = random.one(kernels().linearAttention.rows);
    const LinearAttentionShape shape{random.logWhole(1, 1024), random.logWhole(1, 16384),
                                     random.logWhole(1, 64), random.logWhole(1, 16)};
    const bool decodes = row.names[3] == "generation";
    auto op = LinearAttentionOp::DeltaRule;
    while (linearAttentionName(op) != row.names[2])
        op = static_cast<LinearAttentionOp>(static_cast<int>(op) + 1);
    return [&row, shape, op, decodes](const GpuFigures& on) {
        return linearAttentionTime(on, row.constants, op, decodes, shape, false).us;
    };
}

/// A device with a peak of every class, so that any constants may be put on it.
GpuFigures randomGpu(Random& random) {
    auto figures = random.one(kernels().gpus).figures;
    for (auto& peak : figures.tflops)
        if (peak <= 0)
            peak = figures.tflops[0];
    return figures;
}

} // namespace

TEST_CASE("more bandwidth, SMs, clock, cache or link is never slower, on 100,000 random kernels") {
    Random random(19);
    const std::vector<Timed (*)(Random&)> families{randomGemm,       randomContext,  randomGeneration,
                                                   randomCollective, randomStream,   randomMoe,
                                                   randomLatent,     randomExchange, randomDelta};
    int slower = 0;
    for (int i = 0; i < rounds(100000); ++i) {
        const auto time = families[static_cast<std::size_t>(i) % families.size()](random);
        const auto on = randomGpu(random);
        const double before = time(on);
        auto more = on;
        const double factor = random.uniform(1, 3);
        switch (i / static_cast<int>(families.size()) % 6) {
        case 0:
            more.hbmTbs *= factor;
            break;
        case 1:
            more = on.withSms(std::ceil(on.sms * factor), on.clockGhz);
            break;
        case 2:
            more = on.withSms(on.sms, on.clockGhz * factor);
            break;
        case 3:
            more.l2Mb *= factor;
            break;
        case 4:
            more.linkGbs *= factor;
            break;
        default:
            more.networkGbs *= factor;
        }
        const double after = time(more);
        const bool finite = std::isfinite(before) && before >= 0.0;
        if (!finite || after > before * (1 + 1e-12)) {
            ++slower;
            CAPTURE(i);
            CAPTURE(factor);
            CAPTURE(before);
            CAPTURE(after);
            CHECK(slower < 0); // says which; a few are enough
            REQUIRE(slower < 5);
        }
    }
    CHECK(slower == 0);
}

TEST_CASE("a larger GEMM is never faster, nor is attention over more sequences or wider heads") {
    Random random(7);
    for (int i = 0; i < rounds(20000); ++i) {
        const auto& row = random.one(kernels().gemm.rows);
        const GemmKernel kernel(randomGpu(random), row.constants, *findGemmPrecision(row.names[2]),
                                kernels().gemmTiles);
        const GemmShape small{random.logWhole(1, 16384), random.logWhole(128, 65536),
                              random.logWhole(128, 65536)};
        auto large = small;
        (i % 3 == 0 ? large.m : i % 3 == 1 ? large.n : large.k) += random.logWhole(1, 5000);
        CHECK(kernel.time(large).us >= kernel.time(small).us * (1 - 1e-12));
    }
    for (int i = 0; i < rounds(20000); ++i) {
        const auto& row = random.one(kernels().attentionContext.rows);
        const auto on = randomGpu(random);
        AttentionContextShape shape;
        shape.batch = random.logWhole(1, 64);
        shape.tokens = random.logWhole(1, 16384);
        shape.kvHeads = random.logWhole(1, 8);
        shape.heads = shape.kvHeads * random.logWhole(1, 16);
        auto more = shape;
        (i % 3 == 0 ? more.batch : i % 3 == 1 ? more.headSize : more.tokens) += random.logWhole(1, 300);
        CHECK(attentionContextTime(on, row.constants, more).us >=
              attentionContextTime(on, row.constants, shape).us * (1 - 1e-12));
    }
}

TEST_CASE(
    "context time falls by up to 40 % where the prompt passes the window: the exception that is stated") {
    const auto& row = kernels().attentionContext.require({"blackwell_rtx", "vllm", "bfloat16", "fp8"});
    AttentionContextShape shape;
    shape.batch = 8, shape.tokens = 4096, shape.heads = 32, shape.kvHeads = 8, shape.window = 4096;
    shape.kvBytes = 1;
    const auto& on = gpu("rtx_pro_6000_server").figures;
    const double inside = attentionContextTime(on, row.constants, shape).us;
    shape.tokens = 4097;
    const double beyond = attentionContextTime(on, row.constants, shape).us;
    CHECK(beyond < 0.65 * inside);
    CHECK(beyond > 0.55 * inside);
}

TEST_CASE("more cache is slower only where the measuring loop keeps one more copy of the weights") {
    const GemmShape shape{64, 8192, 4096}; // weights of 67 MB
    const auto& precision = *findGemmPrecision("bfloat16");
    auto on = gpu("l40s").figures;
    const auto us = [&](double l2, double footprint) {
        on.l2Mb = l2;
        return GemmKernel(on, kernels().gemm.require({"ada", "trtllm", "bfloat16"}).constants, precision,
                          kernels().gemmTiles)
            .time(shape, footprint)
            .us;
    };
    const auto loop = [&](double l2) {
        on.l2Mb = l2;
        return us(l2, gemmLoopFootprint("trtllm", precision, on, shape));
    };
    double slower = 0;
    for (double l2 = 50; l2 < 800; l2 += 1) {
        slower += loop(l2 + 1) > loop(l2) * (1 + 1e-12) ? 1 : 0;
        CHECK(us(l2 + 1, 1e8) <= us(l2, 1e8) * (1 + 1e-12)); // a fixed footprint: never
    }
    CHECK(slower > 0);
}
