// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations that keep the steps of nodes give what evaluate() gives, to the last bit: over designs of every
// sort, axes drawn at random from all their parameters, and points in any order.
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/step_cache.h"
#include "engine/study/study.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <bit>
#include <random>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::uint64_t bitsOf(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

/// Everything that an evaluation says, as bits.
std::vector<std::uint64_t> bitsOf(const Evaluation& e) {
    std::vector<std::uint64_t> bits{e.feasible,
                                    e.shortNode,
                                    e.bound.node,
                                    e.bound.link,
                                    static_cast<std::uint64_t>(e.bound.phase),
                                    static_cast<std::uint64_t>(e.bound.bound)};
    const auto add = [&](auto... values) { (bits.push_back(bitsOf(static_cast<double>(values))), ...); };
    for (const double metric : e.metrics)
        add(metric);
    for (const auto& node : e.nodes) {
        for (const auto* p : {&node.prefill, &node.decode})
            add(p->seconds, p->totalSeconds, p->flops, p->bytes, p->movedBytes, p->peakFlops,
                p->peakBandwidth, p->collectiveBytes.near, p->collectiveBytes.far, p->watts, p->requests,
                static_cast<int>(p->bound));
        const auto& l = node.layer;
        add(l.fullSeconds, l.allReduceSeconds, l.attentionReadSeconds, l.ffnReadSeconds, l.attentionFootprint,
            l.ffnFootprint, l.prefetched);
        add(node.devices, node.prefillBusy, node.decodeBusy, node.weightBytes, node.kvBytes,
            node.memoryCapacity, node.fits, node.bottleneck, static_cast<int>(node.role));
    }
    for (const auto& link : e.links)
        add(link.bytesPerSecond, link.capacity, link.starting);
    return bits;
}

/// The bits of an evaluation; none where it throws, as checks of passes do on numbers that are none.
template <class Evaluate>
std::vector<std::uint64_t> answer(const Evaluation& evaluation, Evaluate evaluateIt) {
    try {
        evaluateIt();
    } catch (const Error&) {
        return {};
    }
    return bitsOf(evaluation);
}

Scenario eightGpus(const char* model, const char* device, const char* runtime) {
    Scenario scenario;
    scenario.model = catalog().model(model, "test");
    Node node;
    node.id = {"gpu"};
    node.device = catalog().device(device, "test");
    node.count.value = 8;
    node.replicas.value = 1;
    node.runtime = catalog().runtime(runtime, "test").on(node.device);
    Node fabric;
    fabric.id = {"nvswitch"};
    fabric.device = catalog().device("nvswitch", "test");
    fabric.role = Role::Fabric;
    Link link{{"link"}, node.id, fabric.id, catalog().linkType("nvlink4", "test")};
    scenario.nodes = {node, fabric};
    scenario.links = {link};
    return scenario;
}

std::vector<Scenario> designs() {
    std::vector<Scenario> all;
    const auto presets = listPresets(catalog());
    for (std::size_t i = 0; i < presets.size(); i += 2)
        all.push_back(preset(presets[i].id));
    all.push_back(eightGpus("llama3-1-70b", "h100-sxm", "trtllm"));
    all.push_back(eightGpus("deepseek-v3", "h200-sxm", "best"));
    auto prefetched = eightGpus("llama3-70b", "ascend-910b", "fused-fp16");
    prefetched.techniques[l2Prefetch()].enabled = true;
    all.push_back(prefetched);
    return all;
}

/// Some values of a number that keep to its range, its own among them.
Axis axisOf(const Scenario& base, const Parameter& parameter, std::mt19937& random) {
    const auto own = toEdge(resolveQuantity(base, parameter.path).in(base).value, parameter.spec.scale);
    std::set<double> values;
    for (const double factor : {1.0, 0.5, 2.0, 1.25, 0.9}) {
        double value = std::isnan(own) ? factor * 8 : own * factor;
        if (parameter.spec.integer)
            value = std::round(value);
        values.insert(std::clamp(value, parameter.spec.minimum, parameter.spec.maximum));
    }
    Axis axis{parameter.path, {values.begin(), values.end()}};
    std::shuffle(axis.values.begin(), axis.values.end(), random);
    axis.values.resize(std::min<std::size_t>(axis.values.size(), 2 + random() % 3));
    return axis;
}

} // namespace

TEST_CASE("evaluations that keep steps give the same bits as evaluate(), over random designs and axes") {
    std::mt19937 random(7);
    std::size_t points = 0, feasible = 0;
    for (const auto& base : designs()) {
        std::vector<Parameter> numbers, choices;
        for (auto& parameter : listParameters(base, catalog()))
            (parameter.kind == ParameterKind::Number ? numbers : choices).push_back(parameter);
        for (int draw = 0; draw < rounds(10, 1); ++draw) {
            Study study{"random", base, {}};
            std::set<std::string> taken;
            for (std::size_t k = 0, count = 2 + random() % 3; k < count; ++k) {
                const auto& parameter = numbers[random() % numbers.size()];
                if (taken.insert(parameter.path).second)
                    study.axes.push_back(axisOf(base, parameter, random));
            }
            if (draw % 3 == 0) { // a switch or a choice among them
                const auto& choice = choices[random() % choices.size()];
                try {
                    Axis axis = parseAxis(base, catalog(), choice.path + "=*");
                    if (axis.names.size() > 3) {
                        axis.names.resize(3);
                        axis.values.resize(3);
                        axis.edits.resize(3);
                    }
                    study.axes.insert(study.axes.begin() + static_cast<std::ptrdiff_t>(random() % 2), axis);
                    checkStudy(study);
                } catch (const Error&) { // it takes what another axis sets, or nothing can be chosen
                    std::erase_if(study.axes, [&](const Axis& axis) { return axis.path == choice.path; });
                }
            }
            try {
                checkStudy(study);
            } catch (const Error&) {
                continue;
            }
            PointSetter setter(study), plain(study);
            StepCache cache(64);
            Evaluation kept, computed;
            const auto count = study.pointCount();
            for (std::size_t i = 0; i < 2 * count; ++i) {
                const auto ordinal = i < count ? i : random() % count;
                const auto& scenario = setter.at(ordinal);
                if (hasErrors(validate(scenario)))
                    continue;
                cache.setKeys(setter.stepKeys(), setter.graphKeys());
                const auto known = answer(kept, [&] { evaluateInto(scenario, kept, cache); });
                const auto fresh = answer(computed, [&] { evaluateInto(plain.at(ordinal), computed); });
                ++points;
                feasible += computed.feasible;
                if (known != fresh) {
                    std::string axes;
                    for (const auto& axis : study.axes)
                        axes += axis.path + " ";
                    FAIL_CHECK(base.name, " at ", ordinal, " of ", axes);
                    break;
                }
            }
        }
    }
    CHECK(points > scaled(10000u));
    CHECK(feasible > points / 4);
}

TEST_CASE("steps are computed again only where a parameter reaches them") {
    const auto base = preset("glitches/a100-7u280");
    using Of = StepReach::Of;
    const auto of = [&](const char* path) { return stepReach(base, path).of; };
    CHECK(of("nodes.fpga.count") == Of::Nothing);
    CHECK(of("nodes.fpga.device.price_usd") == Of::Nothing);
    CHECK(of("cost.lifetime_years") == Of::Nothing);
    CHECK(of(("links." + base.links.front().id.value + ".bandwidth_gbps").c_str()) == Of::Nothing);
    CHECK(of("nodes.fpga.device.memory_bandwidth_gbps") == Of::OneNode);
    CHECK(of("workload.batch") == Of::Everything);
    CHECK(of("model") == Of::Everything);

    Study study{"", base, {{"workload.batch", {1, 2}}, {"nodes.fpga.count", {1, 2, 3}}}};
    PointSetter setter(study);
    StepCache cache;
    StepInputs inputs;
    setter.at(0);
    cache.setKeys(setter.stepKeys());
    CHECK_FALSE(cache.find(0, inputs));
    cache.keep(0, inputs, {});
    setter.at(2); // another count
    cache.setKeys(setter.stepKeys());
    CHECK(cache.find(0, inputs));
    inputs.devices = 4;
    CHECK_FALSE(cache.find(0, inputs));
    inputs.devices = 1;
    setter.at(3); // another batch
    cache.setKeys(setter.stepKeys());
    CHECK_FALSE(cache.find(0, inputs));
}
