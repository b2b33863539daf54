// SPDX-License-Identifier: GPL-3.0-or-later
// Which ready servers, software, formats, layouts and counts a question is answered from.
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/frontier/recommend.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <type_traits>

namespace heteroscape::engine {

namespace {

/// As people write names: "nvidia" is NVIDIA. No names: any is.
bool isAmong(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::any_of(names.begin(), names.end(),
                                        [&](const std::string& one) { return isSameInAnyCase(one, name); });
}

template <auto member>
RecommendNumber numberAt(const FieldSpec& spec) {
    return {spec, [](const RecommendQuestion& question) { return static_cast<double>(question.*member); },
            [](RecommendQuestion& question, double si) {
                question.*member = static_cast<std::remove_cvref_t<decltype(question.*member)>>(si);
            }};
}

void checkAmong(const std::vector<std::string>& names, const std::vector<std::string>& known,
                const char* where) {
    for (const auto& name : names)
        if (known.empty() || !isAmong(known, name))
            throw Error(ErrorCode::NotFound, where, "\"" + name.substr(0, 80) + "\" is not known",
                        "There are: " + joined(known));
}

bool computes(const Node& node) {
    return isAccelerator(node.device.kind);
}

/// Which devices there are ready servers of, and which not.
struct Vendors {
    std::vector<std::string> ready;
    std::set<std::string> none; ///< vendors of which there is no accelerator in any, and kinds
};

Vendors vendorsOf(const GpuServers& servers) {
    Vendors vendors;
    std::set<DeviceKind> kinds;
    for (const auto& group : servers.ready())
        for (const auto& node : group.clip.nodes)
            if (const std::string vendor(node.device.vendor); isAccelerator(node.device.kind)) {
                kinds.insert(node.device.kind);
                if (vendors.ready.empty() || !isAmong(vendors.ready, vendor))
                    vendors.ready.push_back(vendor);
            }
    for (const auto& device : servers.catalog().devices)
        if (const std::string vendor(device.vendor); isAccelerator(device.kind)) {
            if (!kinds.contains(device.kind))
                vendors.none.insert(std::string(deviceKindLabel(device.kind)));
            else if (!vendor.empty() && !isAmong(vendors.ready, vendor))
                vendors.none.insert(vendor);
        }
    return vendors;
}

void checkQuestion(const RecommendQuestion& question, const GpuServers& servers) {
    servers.catalog().model(question.model, "model");
    for (const auto& number : recommendNumbers())
        if (const double value = number.get(question); number.spec.required || value != 0.0)
            checkRange(number.spec, toEdge(value, number.spec.scale), std::string(number.spec.key));
    if (question.rented && question.price > 0.0)
        throwInvalid("price", "what is rented has no price", "Limit what a token costs, or buy");
    const auto known = recommendChoices(servers);
    checkAmong(question.vendors, known.vendors, "vendors");
    checkAmong(question.ready, known.ready, "ready");
    checkAmong(question.software, known.software, "software");
    checkAmong(question.formats, known.formats, "formats");
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

std::span<const RecommendNumber> recommendNumbers() {
    constexpr double kMost = 1e6, kMostMoney = 1e12, kMostDraws = 100'000, kMostSeed = 9007199254740992.0;
    using Q = RecommendQuestion;
    static const std::array kNumbers{
        numberAt<&Q::prompt>({"prompt_tokens", "Prompt", "tok", 1.0, 1, kMostFrontierTokens, true, true,
                              "Tokens of a prompt, at most."}),
        numberAt<&Q::output>({"output_tokens", "Output", "tok", 1.0, 1, kMostFrontierTokens, true, true,
                              "Tokens of an answer, at most."}),
        numberAt<&Q::users>({"users", "Users", "", 1.0, 1, kMostFrontierUsers, true, true,
                             "Who send one request after another, without a pause."}),
        numberAt<&Q::ttft>({"ttft_s", "TTFT p99, at most", "s", 1.0, 1e-6, kMost, false, false,
                            "Limit of the time to first token of 99 % of the requests."}),
        numberAt<&Q::tpot>({"tpot_ms", "TPOT p99, at most", "ms", units::milli, 1e-3, kMost, false, false,
                            "Limit of the time per output token, over requests."}),
        numberAt<&Q::power>({"power_kw", "Rated power, at most", "kW", units::kilo, 1e-3, kMost, false, false,
                             "Limit of what the servers are rated for."}),
        numberAt<&Q::price>({"price_usd", "Price, at most", "$", 1.0, 1, kMostMoney, false, false,
                             "Limit of what the servers cost to buy."}),
        numberAt<&Q::cost>({"usd_per_mtok", "Token cost, at most", "$/Mtok", units::micro, 1e-6, kMost, false,
                            false, "Limit of what output tokens cost under this load."}),
        numberAt<&Q::ratio>({"length_ratio", "Shortest length", "", 1.0, 0, 1, false, false,
                             "Lengths are uniform from this share of the longest; 1: all are as long."}),
        numberAt<&Q::lengthError>(
            {"length_error", "Lengths are off by", "", 1.0, 0, 10, false, false,
             "80 % of the mean lengths lie within it, either way, for the robust best; 0: they are known."}),
        numberAt<&Q::draws>({"draws", "Draws", "", 1.0, 0, kMostDraws, true, false,
                             "Draws for the robust best; 0: none is looked for."}),
        numberAt<&Q::seed>({"seed", "Seed", "", 1.0, 0, kMostSeed, true, false, "Of the draws."})};
    return kNumbers;
}

RecommendChoices recommendChoices(const GpuServers& servers) {
    RecommendChoices choices;
    choices.vendors = vendorsOf(servers).ready;
    for (const auto& group : servers.ready())
        if (std::ranges::any_of(group.clip.nodes, computes))
            choices.ready.push_back(group.id);
    for (const auto& server : servers.catalog().servers)
        choices.software.push_back(server.id);
    choices.software.emplace_back(kClassSoftware);
    choices.formats = {"bf16", "fp8", "fp4", "int4"};
    return choices;
}

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
        const auto sorts = std::count_if(ready.clip.nodes.begin(), ready.clip.nodes.end(), computes);
        if (sorts == 0)
            continue;
        RecommendPassed fallen{ready.id, ready.name, {}, {}};
        const auto pass = [&](std::string why) {
            fallen.why = std::move(why);
            passed.push_back(fallen);
        };
        if (!isAmong(question.ready, ready.id)) {
            pass("not among the ready servers asked for");
            continue;
        }
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
    std::string none;
    for (const auto& one : vendorsOf(servers).none)
        none += (none.empty() ? "" : "; ") + one;
    if (!none.empty())
        passed.push_back({{}, none, "in the catalogue as devices, but in no ready server", {}});
    return {std::move(definition), std::move(passed)};
}

} // namespace heteroscape::engine
