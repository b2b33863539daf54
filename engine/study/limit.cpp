// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/parameters.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kLimitForms =
    "Write metric<=number, metric>=number, metric=from:to, feasible or measured";

/// The words of a name, in small letters and in the order of the alphabet.
std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!words.back().empty())
            words.emplace_back();
    if (words.back().empty())
        words.pop_back();
    std::sort(words.begin(), words.end());
    return words;
}

/// A metric by its key, or as people call it: by its label, or by its key without the unit, in any order of
/// words ("p99 TTFT", "price"). Null: none, or several.
const MetricSpec* metricCalled(const std::string& name) {
    if (const auto* spec = findMetric(name))
        return spec;
    const auto asked = wordsOf(name);
    for (const auto& spec : metricSpecs())
        if (asked == wordsOf(spec.label))
            return &spec;
    const MetricSpec* found = nullptr;
    for (const auto& spec : metricSpecs()) {
        auto key = wordsOf(spec.key);
        for (const auto& word : wordsOf(spec.unit == "$" ? "usd" : spec.unit))
            if (const auto at = std::find(key.begin(), key.end(), word); at != key.end())
                key.erase(at);
        if (asked != key)
            continue;
        if (found)
            return nullptr;
        found = &spec;
    }
    return found;
}

std::string_view unitOf(std::string_view column) {
    const auto unit = metricUnit(column);
    return unit.empty() ? parameterUnit(column) : unit;
}

} // namespace

Limit parseLimit(const std::string& told, Decimals decimals) {
    const auto where = "limit \"" + told.substr(0, 80) + "\"";
    auto text = told;
    for (const auto& [sign, plain] : {std::pair("\u2264", "<="), std::pair("\u2265", ">=")})
        if (const auto at = text.find(sign); at != std::string::npos)
            text.replace(at, 3, plain);
    Limit limit;
    const auto sign = text.find_first_of("<>=");
    limit.column = currentPath(trimmed(std::string_view(text).substr(0, sign)));
    if (sign == std::string::npos && limit.column == "feasible") {
        limit.least = 1;
        return limit;
    }
    if (sign == std::string::npos && limit.column == "measured")
        return measuredLimit();
    if (sign == std::string::npos)
        throwInvalid(where, "there is no <=, >= or =", std::string(kLimitForms));
    if (const auto* metric = metricCalled(limit.column))
        limit.column = metric->key;
    else if (limit.column != "feasible" && limit.column != kTruthColumn &&
             limit.column.find('.') == std::string::npos)
        throwInvalid(where, "no metric is called \"" + limit.column.substr(0, 80) + "\"",
                     "Give a metric's name or key, such as TTFT, tpot_s, price_usd or throughput_tok_s");
    const auto number = [&](std::string_view typed) {
        return parseQuantity(typed, unitOf(limit.column), where, decimals, std::string(kLimitForms));
    };
    std::string_view rest(text);
    if (text[sign] == '=') {
        rest.remove_prefix(sign + 1);
        const auto colon = rest.find(':');
        limit.least = number(rest.substr(0, colon));
        limit.most = colon == std::string_view::npos ? limit.least : number(rest.substr(colon + 1));
        if (limit.least > limit.most)
            throwInvalid(where, "its lower end lies above the upper one", "Turn the two numbers round");
        return limit;
    }
    if (sign + 1 >= text.size() || text[sign + 1] != '=')
        throwInvalid(where, "a limit includes its end", "Write <= or >=");
    rest.remove_prefix(sign + 2);
    (text[sign] == '<' ? limit.most : limit.least) = number(rest);
    return limit;
}

std::vector<std::string> limitTexts(std::string_view line) {
    std::vector<std::string> texts;
    while (!line.empty()) {
        const auto end = std::min(line.find_first_of(",;"), line.size());
        const auto piece = trimmed(line.substr(0, end));
        const bool goesOn = !texts.empty() && !piece.empty() && piece.front() >= '0' && piece.front() <= '9';
        if (goesOn) // a mark within a number
            texts.back() += "," + std::string(line.substr(0, end));
        else if (!piece.empty())
            texts.emplace_back(piece);
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return texts;
}

std::string limitText(const Limit& limit) {
    if (limit == Limit{"feasible", 1})
        return limit.column;
    if (limit == measuredLimit())
        return "measured";
    const bool above = std::isfinite(limit.least), below = std::isfinite(limit.most);
    if (above && below)
        return limit.column + "=" + exactText(limit.least) +
               (limit.most == limit.least ? std::string() : ":" + exactText(limit.most));
    return limit.column + (below ? "<=" + exactText(limit.most) : ">=" + exactText(limit.least));
}

} // namespace heteroscape::engine
