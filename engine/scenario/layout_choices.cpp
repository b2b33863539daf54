// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/layout_choices.h"

#include "engine/base/error.h"
#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr double kMostRanks = 100'000; ///< of any degree, as of a node's fields
constexpr std::string_view kPart = " · ";
constexpr std::string_view kDot = "·";
constexpr std::string_view kLayoutForms = "Write it as \"tp 8 · dp 4 · ep 32\" or \"tp8 dp4 ep32\"";

double endless(const Model&) {
    return std::numeric_limits<double>::infinity();
}

double copy(const Layout&, double devices) {
    return devices;
}
double stage(const Layout& layout, double devices) {
    return devices / layout.pp;
}
double rank(const Layout& layout, double devices) {
    return devices / layout.pp / layout.dp;
}

const std::array<LayoutDegree, 6> kDegrees{{
    {"pp", &Layout::pp, &Node::pp, [](const Model& model) { return model.layers.valueOr(1.0); }, "layer",
     "stages", &copy},
    {"dp", &Layout::dp, &Node::dp, &endless, "", "ranks", &stage},
    {"cp", &Layout::cp, &Node::cp, &endless, "", "prompt ranks", &rank},
    {"ep", &Layout::ep, &Node::ep, [](const Model& model) { return model.experts.valueOr(1.0); }, "expert",
     "ranks", &stage},
    {"tp", &Layout::tp, nullptr, [](const Model& model) { return model.queryHeads(); }, "attention head",
     "ranks", &stage},
    {"etp", &Layout::etp, nullptr, &endless, "", "ranks", &stage},
}};

bool divides(double value, double whole) {
    return value >= 1.0 && value == std::floor(value) && std::fmod(whole, value) == 0.0;
}

/// In the order of the words.
constexpr std::array<std::string_view, 5> kWordOrder{"tp", "dp", "cp", "pp", "ep"};

bool parts(char c) {
    return c == ' ' || c == '\t' || c == '*';
}

} // namespace

std::vector<double> LayoutDegree::values(const Model& model, double whole) const {
    std::vector<double> below;
    std::vector<double> above;
    for (double divisor = 1.0; divisor * divisor <= whole; ++divisor) {
        if (std::fmod(whole, divisor) != 0.0)
            continue;
        below.push_back(divisor);
        if (divisor * divisor != whole)
            above.push_back(whole / divisor);
    }
    below.insert(below.end(), above.rbegin(), above.rend());
    std::erase_if(below, [limit = most(model)](double value) { return value > limit; });
    if (below.empty())
        below.push_back(1.0);
    return below;
}

bool LayoutDegree::allows(const Model& model, double whole, double value) const {
    return value == 1.0 || (divides(value, whole) && value <= most(model));
}

LayoutDegree::Answer LayoutDegree::ask(const Model& model, double whole, double value) const {
    if (allows(model, whole, value))
        return {};
    Answer answer{false, {}, {}};
    if (!divides(value, whole))
        answer.reason = plainText(value) + " does not divide " + plainText(whole) +
                        (whole == 1.0 ? " device" : " devices");
    if (value > most(model))
        answer.reason.append(answer.reason.empty() ? "" : ", and ")
            .append("the model has ")
            .append(plainText(most(model)))
            .append(" ")
            .append(lacks)
            .append(most(model) == 1.0 ? "" : "s");
    const auto all = values(model, whole);
    const auto above = std::upper_bound(all.begin(), all.end(), value);
    if (above != all.begin())
        answer.nearest.push_back(*std::prev(above));
    if (above != all.end())
        answer.nearest.push_back(*above);
    return answer;
}

std::span<const LayoutDegree> layoutDegrees() {
    return kDegrees;
}

const LayoutDegree& layoutDegree(std::string_view key) {
    for (const auto& degree : kDegrees)
        if (degree.key == key)
            return degree;
    throw Error(ErrorCode::NotFound, "layout",
                "no degree is called \"" + std::string(key.substr(0, 80)) + "\"",
                "Allowed: pp, dp, cp, ep, tp, etp");
}

Layout layoutOfRanks(double devices, double dp, double ep, double cp, double pp) {
    Layout layout;
    layout.dp = dp;
    layout.ep = ep;
    layout.cp = cp;
    layout.pp = pp;
    layout.tp = devices / (pp * dp * cp);
    layout.etp = devices / (pp * ep);
    layout.microbatches = pp;
    return layout;
}

std::vector<Layout> validLayouts(const Model& model, LayoutDevices devices, LayoutVaries varies) {
    std::vector<Layout> layouts;
    if (!model.hasLayers())
        return {Layout::tensorParallel(devices.devices)};
    const auto valuesOf = [&](std::string_view key, bool mayVary, double whole) {
        return mayVary ? layoutDegree(key).values(model, whole) : std::vector{1.0};
    };
    const auto& heads = layoutDegree("tp");
    for (const double pp : valuesOf("pp", varies.pp, devices.devices)) {
        const double stage = devices.devices / pp;
        const auto experts = valuesOf("ep", varies.ep, stage);
        for (const double dp : valuesOf("dp", varies.dp, stage))
            for (const double cp : valuesOf("cp", varies.cp, stage / dp)) {
                const double tp = stage / (dp * cp);
                if (!heads.allows(model, stage, tp) || (devices.perDomain > 0.0 && tp > devices.perDomain))
                    continue;
                for (const double ep : experts)
                    layouts.push_back(layoutOfRanks(devices.devices, dp, ep, cp, pp));
            }
    }
    return layouts;
}

std::string layoutWords(const Layout& layout) {
    std::string text;
    for (const auto key : kWordOrder) {
        const double value = layout.*layoutDegree(key).member;
        if (value > 1.0 || key == "tp")
            text.append(text.empty() ? "" : kPart).append(key).append(" ").append(plainText(value, 9));
    }
    return text;
}

Layout parseLayout(std::string_view words, const std::string& where) {
    Layout layout;
    std::vector<std::string_view> named;
    double etp = 0.0;
    const auto refuse = [&](std::string_view word, const std::string& what) {
        throwInvalid(where, "\"" + std::string(word.substr(0, 80)) + "\" " + what, std::string(kLayoutForms));
    };
    auto rest = words;
    const auto skip = [&](bool signs) {
        while (!rest.empty())
            if (parts(rest.front()))
                rest.remove_prefix(1);
            else if (signs && rest.starts_with(kDot))
                rest.remove_prefix(kDot.size());
            else
                return;
    };
    for (skip(true); !rest.empty(); skip(true)) {
        const auto word = rest;
        std::size_t letters = 0;
        while (letters < rest.size() && rest[letters] >= 'a' && rest[letters] <= 'z')
            ++letters;
        const auto key = rest.substr(0, letters);
        const auto* degree = std::find_if(kDegrees.begin(), kDegrees.end(),
                                          [key](const LayoutDegree& known) { return known.key == key; });
        if (degree == kDegrees.end())
            refuse(word, "does not begin with a degree: tp, dp, cp, pp, ep or etp");
        if (std::find(named.begin(), named.end(), key) != named.end())
            refuse(words, "names " + std::string(key) + " twice");
        named.push_back(key);
        rest.remove_prefix(letters);
        skip(false);
        std::size_t digits = 0;
        while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9')
            ++digits;
        const auto value = parseNumber(rest.substr(0, digits));
        if (digits == 0 || !value || *value < 1.0 || *value > kMostRanks)
            refuse(word, "has no whole number from 1 to 100000 behind " + std::string(key));
        rest.remove_prefix(digits);
        if (!rest.empty() && !parts(rest.front()) && !rest.starts_with(kDot))
            refuse(word, "goes on behind its number");
        (key == "etp" ? etp : layout.*degree->member) = *value;
    }
    if (named.empty())
        refuse(words, "names no degree");
    layout.microbatches = layout.pp;
    layout.etp = layout.stageDevices() / layout.ep;
    if (layout.etp != std::floor(layout.etp)) {
        const double devices = layout.stageDevices();
        const auto divides = [devices](double ranks) {
            return devices / ranks == std::floor(devices / ranks);
        };
        double below = std::min(layout.ep, devices);
        double above = layout.ep;
        while (!divides(below))
            --below;
        while (above < devices && !divides(above))
            ++above;
        throwInvalid(where,
                     "\"" + std::string(words.substr(0, 80)) + "\" deals experts to " + plainText(layout.ep) +
                         " ranks, which do not divide the " + plainText(devices) + " devices of tp x dp x cp",
                     "The nearest that do: " + plainText(below) +
                         (above > below && above <= devices ? ", " + plainText(above) : std::string()));
    }
    if (etp > 0.0 && etp != layout.etp)
        refuse(words, "has etp " + plainText(etp) + " where etp x ep = tp x dp x cp makes it " +
                          plainText(layout.etp));
    return layout;
}

double layoutDistance(const Layout& a, const Layout& b) {
    double distance = 0.0;
    for (const auto& degree : kDegrees)
        distance += std::fabs(std::log2(a.*degree.member / b.*degree.member));
    return distance;
}

double layoutChoiceDevices(const Node& node) {
    return node.replicas.isSet() ? tensorParallel(node) : node.count.value;
}

std::vector<Layout> layoutsOf(const Model& model, const Node& node) {
    const double devices = layoutChoiceDevices(node);
    if (!isAccelerator(node.device.kind) || !(devices >= 1.0) || devices != std::floor(devices))
        return {};
    return validLayouts(model, {devices});
}

std::string nearestLayouts(const Model& model, const Node& node, const Layout& layout, std::size_t most) {
    std::vector<Layout> layouts;
    const double count = node.count.valueOr(1.0);
    for (double replicas = 1.0; replicas <= count; ++replicas)
        if (const double devices = count / replicas; devices == std::floor(devices))
            for (const auto& valid : validLayouts(model, {devices}))
                layouts.push_back(valid);
    std::stable_sort(layouts.begin(), layouts.end(), [&](const Layout& a, const Layout& b) {
        return layoutDistance(a, layout) < layoutDistance(b, layout);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(most, layouts.size()); ++i)
        text.append(text.empty() ? "" : ", ").append(layoutWords(layouts[i]));
    return text;
}

bool isLayoutPath(std::string_view path) {
    return path.starts_with("nodes.") && path.ends_with(".layout");
}

EditList layoutEdit(const Node& node, const Layout& layout) {
    const auto prefix = "nodes." + node.id.value + ".";
    const auto where = prefix + "layout";
    const auto words = layoutWords(layout);
    const double replicas = node.count.value / layout.devices();
    if (!(replicas >= 1.0) || replicas != std::floor(replicas))
        throwInvalid(where,
                     words + " takes " + plainText(layout.devices()) + " devices, which do not divide the " +
                         plainText(node.count.value) + " of " + node.shownName(),
                     "Choose degrees whose product divides them, or change " + prefix + "count");
    EditList list{{}, "Lay the model over " + node.shownName() + " as " + words};
    // What says nothing stays unset; an unset ep would be all ranks where there are several of attention.
    const auto set = [&](std::string_view key, double value, bool says) {
        list.edits.push_back(SetQuantity{prefix + std::string(key),
                                         says ? Quantity{value, Provenance::User, {}} : Quantity{}});
    };
    set("replicas", replicas, node.replicas.isSet() || replicas != node.count.value);
    for (const auto& degree : kDegrees)
        if (degree.field)
            set(degree.key, layout.*degree.member,
                layout.*degree.member > 1.0 || (degree.key == "ep" && (layout.dp > 1.0 || layout.cp > 1.0)));
    return list;
}

bool isWorkersPath(std::string_view path) {
    return path.starts_with("nodes.") && path.ends_with(".workers");
}

std::vector<std::string> workersOf(const Node& node) {
    std::set<double> numbers{1, 2, 3, 4, 6, 8, 12, 16, replicas(node)};
    std::vector<std::string> texts;
    for (const double number : numbers)
        texts.push_back(plainText(number));
    return texts;
}

EditList workersEdit(const Node& node, const std::string& text) {
    const auto prefix = "nodes." + node.id.value + ".";
    const auto workers = parseNumber(text);
    const double devices = node.count.value / replicas(node);
    const double most = std::floor(findField(nodeFields(), "count")->spec.maximum / devices);
    if (!workers || *workers < 1.0 || *workers != std::floor(*workers) || *workers > most)
        throwInvalid(prefix + "workers", "\"" + text.substr(0, 80) + "\" is no number of workers",
                     "Give a whole number from 1 to " + plainText(most) + ", each of " + plainText(devices) +
                         (devices == 1.0 ? " device" : " devices"));
    EditList list{{},
                  "Give " + node.shownName() + " " + plainText(*workers) +
                      (*workers == 1.0 ? " worker" : " workers")};
    list.edits.push_back(SetQuantity{prefix + "count", {*workers * devices, Provenance::User, {}}});
    list.edits.push_back(SetQuantity{prefix + "replicas", {*workers, Provenance::User, {}}});
    return list;
}

} // namespace heteroscape::engine
