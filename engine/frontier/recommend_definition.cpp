// SPDX-License-Identifier: GPL-3.0-or-later
// Which ready servers, software, formats, layouts and counts a question is answered from.
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/frontier/recommend.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// As people write names: "nvidia" is NVIDIA. No names: any is.
bool isAmong(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::any_of(names.begin(), names.end(),
                                        [&](const std::string& one) { return isSameInAnyCase(one, name); });
}

void checkAmong(const std::vector<std::string>& names, const std::vector<std::string>& known,
                const char* where) {
    for (const auto& name : names)
        if (known.empty() || !isAmong(known, name))
            throw Error(ErrorCode::NotFound, where, "\"" + name.substr(0, 80) + "\" is not known",
                        "There are: " + joined(known));
}

void checkQuestion(const RecommendQuestion& question, const GpuServers& servers) {
    const auto& catalog = servers.catalog();
    catalog.model(question.model, "model");
    const auto inside = [](double value, double least, double most, const char* where) {
        if (!(value >= least && value <= most))
            throwInvalid(where, exactText(value) + " is not allowed",
                         "Allowed: from " + exactText(least) + " to " + exactText(most));
    };
    constexpr double kMostDraws = 100'000;
    inside(question.prompt, 1, kMostFrontierTokens, "prompt");
    inside(question.output, 1, kMostFrontierTokens, "output");
    inside(question.ratio, 0, 1, "length_ratio");
    inside(question.users, 1, kMostFrontierUsers, "users");
    inside(question.lengthError, 0, 10, "length_error");
    inside(static_cast<double>(question.draws), 0, kMostDraws, "draws");
    for (const auto limit : {question.ttft, question.tpot, question.power, question.price, question.cost})
        inside(limit, 0, 1e15, "limit");
    if (question.rented && question.price > 0.0)
        throwInvalid("price", "what is rented has no price", "Limit what a token costs, or buy");
    std::vector<std::string> vendors, ready, software{std::string(kClassSoftware)};
    for (const auto& group : servers.ready()) {
        ready.push_back(group.id);
        for (const auto& node : group.clip.nodes)
            if (const std::string vendor(node.device.vendor);
                isAccelerator(node.device.kind) && (vendors.empty() || !isAmong(vendors, vendor)))
                vendors.push_back(vendor);
    }
    for (const auto& server : catalog.servers)
        software.push_back(server.id);
    checkAmong(question.vendors, vendors, "vendors");
    checkAmong(question.ready, ready, "ready");
    checkAmong(question.software, software, "software");
    checkAmong(question.formats, {"bf16", "fp8", "fp4", "int4"}, "formats");
}

std::vector<std::string> softwareOf(const Device& device, const GpuServers& servers) {
    std::vector<std::string> ids;
    if (!device.kernels.empty() && servers.recipes().findDevice(device.kernels, device.id)) {
        for (const auto& server : servers.catalog().servers)
            if (canRun(servers.catalog().runtime(server.runtime, "runtime").on(device), device))
                ids.push_back(server.id);
    } else if (device.kernels.empty() &&
               canRun(servers.catalog().runtime(std::string(kClassSoftware), "runtime").on(device), device)) {
        ids.emplace_back(kClassSoftware);
    }
    return ids;
}

/// Formats of weights that a device multiplies or unpacks, those of the checkpoint first; each once. None
/// wider than the checkpoint and no INT4 that it does not have, unless they are asked for.
std::vector<std::string> formatsOf(const RecommendQuestion& question, const Device& device,
                                   const GpuServers& servers) {
    const auto& model = servers.catalog().model(question.model, "model");
    const double bytes =
        model.weights ? model.weights->of(model.isMixture() ? ModelPart::Experts : ModelPart::Dense).bytes
                      : 2.0;
    constexpr double kNarrow = 0.75, kWide = 1.5; // B an element
    std::vector<std::string> order{"bf16", "fp8", "fp4"};
    if (bytes < kNarrow)
        order = {"fp4", "int4"};
    else if (bytes < kWide)
        order = {"fp8", "fp4"};
    if (!question.formats.empty())
        order = question.formats;
    const bool fp4 = device.kernels.empty() ? device.peakFp4.isSet()
                                            : servers.kernels()
                                                  .architecture(servers.kernels().gpu(device.kernels).arch)
                                                  .multiplies(Rate::Fp4);
    std::vector<std::string> formats;
    std::vector<ServedFormats> known;
    for (const auto& format : order) {
        RecipeLabels labels;
        labels.model = question.model;
        labels.device = device.id;
        labels.backend =
            device.kernels.empty() ? std::string(kClassSoftware) : servers.catalog().servers.front().id;
        labels.precision = labels.denseFormat = labels.expertFormat = format;
        const auto served = servers.plan(labels, {}).recipe.formats;
        const bool multiplied = fp4 || (served.dense != "nvfp4" && served.experts != "nvfp4");
        if (multiplied && std::find(known.begin(), known.end(), served) == known.end()) {
            known.push_back(served);
            formats.push_back(format);
        }
    }
    return formats;
}

/// All to eight, then by a seventh more each, to the most that a limit or the users leave.
std::vector<double> countsWithin(double most) {
    std::vector<double> counts;
    for (double count = 1; count < most; count = count < 8 ? count + 1 : std::ceil(count * 8 / 7))
        counts.push_back(count);
    counts.push_back(most);
    return counts;
}

/// Why not even one of a ready server can be taken, and how far it misses; else empty, and the most that can.
std::string whyNone(const RecommendQuestion& question, const ReadyGroup& ready, const Node& node,
                    double& most, double& miss) {
    const auto passes = [&](double one, double limit, const std::string& words) {
        if (!(limit > 0.0))
            return std::string();
        most = std::min(most, std::floor(limit / one));
        if (most >= 1.0)
            return std::string();
        miss = one / limit;
        return words + ", " + recommendTimes(miss) + " the limit";
    };
    const double price = priceOf(ready, 1);
    if (question.rented ? !node.device.rent.isSet() : !(price > 0.0))
        return question.rented ? "its rent is not known" : "its price is not known";
    if (auto why = passes(price, question.price,
                          "one costs " + recommendText(question, RecommendFigure::Price, price));
        !why.empty())
        return why;
    const double rated =
        node.chassisRated.value * std::ceil(node.count.value / node.chassisDevices.valueOr(node.count.value));
    if (question.power > 0.0 && !(rated > 0.0))
        return "what it is rated for is not known";
    return passes(rated, question.power, "one is rated for " + shortText(rated / units::kilo) + " kW");
}

} // namespace

Truth truthUnder(const std::string& software, const Node& accelerators, const Catalog& catalog) {
    Scenario one;
    auto& node = one.nodes.emplace_back(accelerators);
    node.server.reset();
    if (software != kClassSoftware)
        node.server = catalog.server(software, "software");
    node.runtime = catalog.runtime(node.server ? node.server->runtime : software, "runtime").on(node.device);
    return truthOf(one);
}

std::pair<FrontierDefinition, std::vector<RecommendPassed>>
recommendDefinition(const RecommendQuestion& question, const GpuServers& servers) {
    checkQuestion(question, servers);
    FrontierDefinition definition;
    definition.id = "recommendation";
    definition.where = definition.id;
    definition.model = question.model;
    definition.name = "What to buy for " + servers.catalog().model(question.model, "model").name + ", " +
                      exactText(question.users) + " users";
    definition.prompt = question.prompt;
    definition.output = question.output;
    definition.ratio = question.ratio;
    definition.users = {question.users};
    definition.rented = question.rented;
    std::vector<RecommendPassed> passed;
    for (const auto& ready : servers.ready()) {
        const auto computes = [](const Node& one) { return isAccelerator(one.device.kind); };
        const auto sorts = std::count_if(ready.clip.nodes.begin(), ready.clip.nodes.end(), computes);
        if (!isAmong(question.ready, ready.id) || sorts == 0)
            continue;
        RecommendPassed fallen{ready.id, ready.name, {}, {}};
        const auto pass = [&](std::string why) {
            fallen.why = std::move(why);
            passed.push_back(fallen);
        };
        if (sorts > 1) {
            pass("several servers in one; they are tried by themselves");
            continue;
        }
        const auto& node = acceleratorsOf(ready);
        if (!isAmong(question.vendors, std::string(node.device.vendor))) {
            pass("not of the vendors asked for");
            continue;
        }
        FrontierSystem system;
        for (auto& id : softwareOf(node.device, servers))
            if (isAmong(question.software, id))
                system.servers.push_back(std::move(id));
        if (system.servers.empty()) {
            pass("no kernels of the software asked for");
            continue;
        }
        fallen.truth = truthUnder(system.servers.front(), node, servers.catalog());
        double most = std::min(kMostReady, question.users);
        if (auto why = whyNone(question, ready, node, most, fallen.miss); !why.empty()) {
            pass(std::move(why));
            continue;
        }
        system.name = ready.name;
        system.ready = ready.id;
        system.counts = countsWithin(most);
        system.precisions = formatsOf(question, node.device, servers);
        if (system.precisions.empty())
            pass("it has no rates for these formats");
        else
            definition.systems.push_back(std::move(system));
    }
    return {std::move(definition), std::move(passed)};
}

} // namespace heteroscape::engine
