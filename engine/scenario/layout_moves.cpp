// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/layout_moves.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kReplicas = "copies";

/// How unlike two layouts are, in factors of two, by what gives way first.
double moveCost(const CopiedLayout& a, const CopiedLayout& b) {
    constexpr std::pair<double Layout::*, double> kWeights[] = {{&Layout::ep, 0.1},  {&Layout::etp, 0.1},
                                                                {&Layout::dp, 0.95}, {&Layout::tp, 1.0},
                                                                {&Layout::pp, 1.1},  {&Layout::cp, 4.0}};
    double cost = 16.0 * std::fabs(std::log2(a.replicas / b.replicas));
    for (const auto& [member, weight] : kWeights)
        cost += weight * std::fabs(std::log2(a.layout.*member / b.layout.*member));
    return cost;
}

double valueOf(const CopiedLayout& laid, std::string_view key) {
    return key == kReplicas ? laid.replicas : laid.layout.*layoutDegree(key).member;
}

double openExperts(const Layout& layout) {
    return layout.dp > 1.0 || layout.cp > 1.0 ? layout.stageDevices() : 1.0;
}

std::vector<double> divisorsOf(double whole) {
    std::vector<double> found;
    for (double n = 1.0; n <= whole; ++n)
        if (std::fmod(whole, n) == 0.0)
            found.push_back(n);
    return found;
}

void addCut(std::string& text, std::string_view sign, std::string_view key, double value) {
    if (value > 1.0)
        text.append(text.empty() ? "" : sign).append(key).append(" ").append(plainText(value, 9));
}

} // namespace

CopiedLayout copiedLayoutOf(const Node& node) {
    return {replicas(node), layoutOf(node)};
}

bool saysOnlyOfSide(const Layout& layout, LayerSide side) {
    switch (side) {
    case LayerSide::Whole:
        return true;
    case LayerSide::Attention:
        return layout.pp == 1.0 && layout.ep == 1.0;
    case LayerSide::Ffn:
        return layout.pp == 1.0 && layout.dp == 1.0 && layout.cp == 1.0;
    }
    return true;
}

std::string layoutPhrase(const CopiedLayout& laid) {
    const auto& layout = laid.layout;
    std::string cut;
    if (layout.side != LayerSide::Ffn) {
        addCut(cut, " × ", "tp", layout.tp);
        addCut(cut, " × ", "dp", layout.dp);
        addCut(cut, " × ", "cp", layout.cp);
    }
    if (layout.side == LayerSide::Ffn && layout.ep == 1.0)
        addCut(cut, "", "etp", layout.etp);
    if (layout.ep > 1.0 && layout.side != LayerSide::Attention) {
        std::string experts;
        addCut(experts, "", "ep", layout.ep);
        addCut(experts, " × ", "etp", layout.etp);
        cut.append(cut.empty() ? "" : " + ").append(experts);
    }
    std::string text;
    addCut(text, "", "pp", layout.pp);
    if (text.empty())
        text = cut;
    else if (cut.find(" + ") != std::string::npos || cut.find(" × ") != std::string::npos)
        text += " × (" + cut + ")";
    else if (!cut.empty())
        text += " × " + cut;
    if (text.empty())
        text = "1 device";
    return laid.replicas > 1.0 ? plainText(laid.replicas, 9) + " × " + text : text;
}

LayoutMoves::LayoutMoves(const Model& model, const Node& node)
    : m_model(model), m_devices(node.count.valueOr(1.0)), m_opensExperts(!node.ep.isSet()),
      m_now(copiedLayoutOf(node)) {}

std::vector<CopiedLayout> LayoutMoves::candidates(std::string_view key) const {
    std::vector<CopiedLayout> found;
    if (!(m_devices >= 1.0) || m_devices != std::floor(m_devices))
        return found;
    const auto add = [&](double replicas) {
        for (const auto& layout : validLayouts(m_model, {m_devices / replicas}))
            if (saysOnlyOfSide(layout, m_now.layout.side) &&
                (m_now.layout.side == LayerSide::Ffn ||
                 layoutDegree("tp").allows(m_model, layout.stageDevices(), layout.tp)))
                found.push_back({replicas, layout});
    };
    const bool whole = m_now.replicas >= 1.0 && std::fmod(m_devices, m_now.replicas) == 0.0;
    if (key != kReplicas && whole) {
        add(m_now.replicas);
        const auto first = found.empty() ? 0.0 : valueOf(found.front(), key);
        if (std::any_of(found.begin(), found.end(),
                        [&](const CopiedLayout& laid) { return valueOf(laid, key) != first; }))
            return found;
        found.clear();
    }
    for (const double replicas : divisorsOf(m_devices))
        add(replicas);
    return found;
}

std::vector<double> LayoutMoves::values(std::string_view key) const {
    if (key == kReplicas)
        return divisorsOf(m_devices);
    std::vector<double> found;
    for (const auto& laid : candidates(key))
        found.push_back(valueOf(laid, key));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::optional<CopiedLayout> LayoutMoves::with(std::string_view key, double value) const {
    std::optional<CopiedLayout> best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& laid : candidates(key)) {
        if (valueOf(laid, key) != value)
            continue;
        double cost = moveCost(laid, m_now);
        if (m_opensExperts && key != "ep" && key != "etp" && laid.layout.ep != openExperts(laid.layout))
            cost += 8.0;
        if (cost < least) {
            least = cost;
            best = laid;
        }
    }
    if (best) {
        best->layout.side = m_now.layout.side;
        if (best->layout.side != LayerSide::Whole) // in flight between the two sides, whatever the degrees
            best->layout.microbatches = m_now.layout.microbatches;
    }
    return best;
}

LayoutDegree::Answer LayoutMoves::ask(std::string_view key, double value) const {
    const auto all = values(key);
    if (std::binary_search(all.begin(), all.end(), value))
        return {};
    LayoutDegree::Answer answer{false, {}, {}};
    if (key != kReplicas) // what the rule of the degree itself says
        answer = layoutDegree(key).ask(m_model, m_devices, value);
    if (answer.reason.empty() && (value != std::floor(value) || std::fmod(m_devices, value) != 0.0))
        answer.reason = plainText(value) + " does not divide " + plainText(m_devices) + " devices";
    if (answer.reason.empty())
        answer.reason = "No layout has " + std::string(key) + " " + plainText(value) + " here";
    answer.allowed = false;
    answer.nearest.clear();
    const auto above = std::upper_bound(all.begin(), all.end(), value);
    if (above != all.begin())
        answer.nearest.push_back(*std::prev(above));
    if (above != all.end())
        answer.nearest.push_back(*above);
    return answer;
}

EditList copiedLayoutEdit(const Node& node, const CopiedLayout& laid) {
    auto list = layoutEdit(node, laid.layout);
    list.text = "Lay the model over " + node.shownName() + " as " + layoutPhrase(laid);
    return list;
}

} // namespace heteroscape::engine
