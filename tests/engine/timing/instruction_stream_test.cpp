// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/techniques/built_in.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct StreamSetup {
    explicit StreamSetup(const std::string& runtimeId = "glitches-fpga",
                         const std::string& model = "llama2-7b")
        : device(catalog().device("u280", "")), runtime(catalog().runtime(runtimeId, "").on(device)),
          machine(device, runtime), graph(catalog().model(model, ""), StepShape{}) {}
    Device device;
    Runtime runtime;
    Machine machine;
    OperatorGraph graph;
};

/// The recurrence of the header, group by group.
double byRecurrence(const InstructionStream& stream, double tiles, double ratio, double compute) {
    double loadEnd = 0, mvEnd = 0, before = 0, beforeThat = 0;
    for (double left = tiles; left > 1e-12;) {
        const double group = std::min(ratio, left);
        left -= group;
        loadEnd = std::max(loadEnd, beforeThat) + stream.loadSeconds(8192 * group) +
                  stream.loadSeconds(256 * group);
        mvEnd = std::max(mvEnd, loadEnd) + group * compute;
        beforeThat = before;
        before = mvEnd;
    }
    return mvEnd;
}

} // namespace

TEST_CASE("the closed form equals the recurrence, load-bound, compute-bound and at the ends") {
    StreamSetup setup;
    std::mt19937 random(11);
    for (int trial = 0; trial < rounds(400); ++trial) {
        quantityOf(setup.runtime, "timing.decode.tile_compute_cycles").value =
            static_cast<double>(random() % 900);
        quantityOf(setup.runtime, "timing.decode.load_issue_cycles").value =
            static_cast<double>(random() % 300);
        const InstructionStream stream(setup.graph, setup.machine);
        const double tiles = static_cast<double>(random() % 700) * 0.5 + 0.5;
        const double ratio = 1.0 + static_cast<double>(random() % 40);
        const double compute = quantityOf(setup.runtime, "timing.decode.tile_compute_cycles").value / 225e6;
        CAPTURE(tiles);
        CAPTURE(ratio);
        CHECK(off(stream.linearSeconds(tiles, ratio, compute), byRecurrence(stream, tiles, ratio, compute)) <
              1e-12);
    }
}

TEST_CASE("GLITCHES Fig 5: utilisation of one channel with the scheduler") {
    const StreamSetup setup;
    const InstructionStream stream(setup.graph, setup.machine);
    const auto utilisation = [&](double bytes) { return bytes / stream.loadSeconds(bytes) / (460e9 / 32); };
    CHECK(utilisation(256) == doctest::Approx(0.087).epsilon(0.01));
    CHECK(utilisation(1024) == doctest::Approx(0.25).epsilon(0.02));
    CHECK(utilisation(8192) == doctest::Approx(0.56).epsilon(0.01));
    CHECK(utilisation(32768) == doctest::Approx(0.65).epsilon(0.01));
    CHECK(utilisation(262144) == doctest::Approx(0.68).epsilon(0.01));
}

TEST_CASE("GLITCHES Fig 9: speed-up of q_proj, up_proj and the whole token by prefetch ratio") {
    const StreamSetup setup;
    const InstructionStream stream(setup.graph, setup.machine);
    const double ratios[] = {2, 4, 8, 16};
    const double q[] = {1.13, 1.16, 1.05, 0.89};
    const double up[] = {1.16, 1.23, 1.18, 1.09};
    const double whole[] = {1.145, 1.20, 1.13, 1.02};
    const auto token = [&](double ratio) {
        auto graph = setup.graph;
        mergeLoads(graph, ratio);
        return InstructionStream(graph, setup.machine).streamCost().at(128);
    };
    const double compute = stream.tileCompute(setup.graph.operators().front());
    const auto speedUp = [&](double tiles, double ratio) {
        return stream.linearSeconds(tiles, 1, compute) / stream.linearSeconds(tiles, ratio, compute);
    };
    for (int i = 0; i < 4; ++i) {
        CHECK(speedUp(32, ratios[i]) == doctest::Approx(q[i]).epsilon(0.005));
        CHECK(speedUp(86, ratios[i]) == doctest::Approx(up[i]).epsilon(0.005));
        CHECK(token(1) / token(ratios[i]) == doctest::Approx(whole[i]).epsilon(0.006));
    }
}

TEST_CASE("the operators' seconds add up to the token") {
    for (const auto* model : {"llama2-7b", "llama2-13b", "llama3-8b"}) {
        const StreamSetup setup("glitches-fpga", model);
        const InstructionStream stream(setup.graph, setup.machine);
        double sum = 0;
        for (const auto& op : setup.graph.operators())
            sum += stream.seconds(op, 777);
        CHECK(off(sum, stream.streamCost().at(777)) < 1e-12);
    }
}

TEST_CASE("attention takes the same time as one kernel and as three operators") {
    for (const auto* model : {"llama2-7b", "llama3-8b", "mixtral-8x7b"}) {
        const StreamSetup setup("glitches-fpga", model);
        StepShape shape;
        shape.style = OperatorStyle::Fused;
        const OperatorGraph fused(setup.graph.model(), shape);
        const InstructionStream eager(setup.graph, setup.machine);
        const InstructionStream stream(fused, setup.machine);
        for (const double context : {1.0, 128.0, 4096.0, 100000.0}) {
            CHECK(off(stream.streamCost().at(context), eager.streamCost().at(context)) < 1e-12);
            double sum = 0;
            for (const auto& op : fused.operators())
                sum += stream.seconds(op, context);
            CHECK(off(sum, stream.streamCost().at(context)) < 1e-12);
        }
        // Eager writes the whole cache anew; what is loaded of it is the same.
        CHECK(off(stream.movedBytes().perKey, eager.movedBytes().perKey) < 1e-12);
    }
}

TEST_CASE("a longer context makes a step slower and loads more, whatever style the operators are in") {
    for (const auto* model : {"llama2-7b", "llama3-8b", "opt-30b"})
        for (const auto style : {OperatorStyle::Eager, OperatorStyle::Fused, OperatorStyle::Matrices}) {
            const StreamSetup setup("glitches-fpga", model);
            StepShape shape;
            shape.style = style;
            const OperatorGraph graph(setup.graph.model(), shape);
            const InstructionStream stream(graph, setup.machine);
            CAPTURE(model);
            CAPTURE(static_cast<int>(style));
            double before = stream.streamCost().at(1);
            for (double context = 2; context < 2e5; context *= 2) {
                CHECK(stream.streamCost().at(context) > before);
                before = stream.streamCost().at(context);
            }
            CHECK(stream.movedBytes().perKey > 0);
        }
}
