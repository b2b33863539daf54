// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"

#include "engine/claims/expression.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace heteroscape::engine {

namespace {

using Settings = ExpressionEvaluator::Settings;

std::string settingText(const Json& setting) {
    return setting.is_number()   ? exactText(setting.get<double>())
           : setting.is_string() ? setting.get<std::string>()
                                 : setting.dump();
}

class DesignCollector {
public:
    DesignCollector(const Catalog& catalog, std::string where)
        : m_evaluator(catalog), m_where(std::move(where)) {}

    std::vector<ClaimDesign> of(const Json& expression) {
        visit(expression, {});
        return std::move(m_designs);
    }

private:
    ExpressionEvaluator m_evaluator;
    std::string m_where;
    std::vector<ClaimDesign> m_designs;
    std::set<std::string> m_keys;

    bool full() const { return m_designs.size() >= kMostClaimDesigns; }

    double valueOf(const Json& expression, const Settings& over) {
        m_evaluator.assume(over);
        return m_evaluator.value(expression, m_where);
    }

    void visit(const Json& expression, const Settings& over) {
        if (full() || !expression.is_object())
            return;
        if (expression.contains("metric") || expression.contains("quantity"))
            return add(expression, over);
        if (expression.contains("of"))
            return visit(expression["of"], over);
        for (const auto* key : {"ratio", "minus", "product", "order"})
            if (expression.contains(key))
                for (const auto& part : expression[key])
                    visit(part, over);
        for (const auto& [key, sign] : {std::pair{"largest", -1.0}, std::pair{"smallest", 1.0}})
            if (expression.contains(key))
                visitBestFirst(alternatives(expression[key], over), sign);
        for (const auto& [key, sign] : {std::pair{"argmax", -1.0}, std::pair{"max", -1.0},
                                        std::pair{"argmin", 1.0}, std::pair{"min", 1.0}})
            if (expression.contains(key))
                visitBestFirst(combinations(expression[key], expression["over"], over), sign);
        for (const auto* key : {"mean", "harmonic_mean", "sum", "settles", "saturates", "crosses", "count"})
            if (expression.contains(key))
                for (const auto& [inner, settings] : combinations(expression[key], expression["over"], over))
                    visit(*inner, settings);
    }

    using Alternative = std::pair<const Json*, Settings>;

    static std::vector<Alternative> alternatives(const Json& expressions, const Settings& over) {
        std::vector<Alternative> all;
        for (const auto& expression : expressions)
            all.emplace_back(&expression, over);
        return all;
    }

    static std::vector<Alternative> combinations(const Json& inner, const Json& axes, const Settings& over) {
        std::vector<Alternative> all{{&inner, over}};
        for (const auto& [path, values] : axes.items()) {
            std::vector<Alternative> more;
            for (const auto& [expression, settings] : all)
                for (const auto& value : values) {
                    more.emplace_back(expression, settings);
                    more.back().second[path] = value;
                }
            all = std::move(more);
        }
        return all;
    }

    void visitBestFirst(const std::vector<Alternative>& all, double sign) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (const double here = sign * valueOf(*all[i].first, all[i].second); here < least) {
                least = here;
                best = i;
            }
        visit(*all[best].first, all[best].second);
        for (std::size_t i = 0; i < all.size() && !full(); ++i)
            if (i != best)
                visit(*all[i].first, all[i].second);
    }

    void add(const Json& leaf, const Settings& over) {
        ClaimDesign design;
        design.preset = leaf.at("scenario").get<std::string>();
        m_evaluator.assume(over);
        design.scenario = m_evaluator.scenarioOf(leaf, m_where);
        const auto settings = m_evaluator.settingsOf(leaf);
        for (const bool numbers : {false, true}) // in the order in which they are set
            for (const auto& [path, setting] : settings)
                if (setting.is_number() == numbers)
                    design.settings +=
                        (design.settings.empty() ? "" : ", ") + path + " " + settingText(setting);
        design.metric = leaf.contains("metric") ? leaf["metric"].get<std::string>()
                                                : leaf.at("quantity").get<std::string>();
        if (!m_keys.insert(scenarioKey(design.scenario)).second)
            return;
        design.value = valueOf(leaf, over);
        m_designs.push_back(std::move(design));
    }
};

} // namespace

std::vector<ClaimDesign> claimDesigns(const Catalog& catalog, const Claim& claim) {
    auto designs = DesignCollector(catalog, claim.id).of(*claim.model);
    if (designs.empty())
        designs.push_back({loadPreset(catalog, claim.scenario, claim.id), claim.scenario, {}, {}, kUnset});
    return designs;
}

} // namespace heteroscape::engine
