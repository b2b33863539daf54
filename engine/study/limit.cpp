// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kLimitForms =
    "Write metric<=number, metric>=number, metric=from:to, feasible or measured";

} // namespace

Limit parseLimit(const std::string& text, Decimals decimals) {
    const auto where = "limit \"" + text.substr(0, 80) + "\"";
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
    if (!findMetric(limit.column) && limit.column != "feasible" && limit.column != kTruthColumn &&
        limit.column.find('.') == std::string::npos)
        throwInvalid(where, "no metric is called \"" + limit.column.substr(0, 80) + "\"",
                     "Give a metric's key, such as ttft_s, tpot_s, price_usd or throughput_tok_s");
    const auto* metric = findMetric(limit.column);
    const auto number = [&](std::string_view typed) {
        return parseQuantity(typed, metric ? metric->unit : std::string_view(), where, decimals,
                             std::string(kLimitForms));
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
