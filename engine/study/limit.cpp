// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"

#include <cmath>
#include <string_view>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kLimitForms =
    "Write metric<=number, metric>=number, metric=from:to, feasible or measured";

double numberIn(std::string_view text, const std::string& whole) {
    const auto value = parseNumber(trimmed(text));
    if (!value || !std::isfinite(*value))
        throwInvalid("limit \"" + whole.substr(0, 80) + "\"",
                     "\"" + std::string(text.substr(0, 40)) + "\" is not a number", std::string(kLimitForms));
    return *value;
}

} // namespace

Limit parseLimit(const std::string& text) {
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
    std::string_view rest(text);
    if (text[sign] == '=') {
        rest.remove_prefix(sign + 1);
        const auto colon = rest.find(':');
        limit.least = numberIn(rest.substr(0, colon), text);
        limit.most = colon == std::string_view::npos ? limit.least : numberIn(rest.substr(colon + 1), text);
        if (limit.least > limit.most)
            throwInvalid(where, "its lower end lies above the upper one", "Turn the two numbers round");
        return limit;
    }
    if (sign + 1 >= text.size() || text[sign + 1] != '=')
        throwInvalid(where, "a limit includes its end", "Write <= or >=");
    rest.remove_prefix(sign + 2);
    (text[sign] == '<' ? limit.most : limit.least) = numberIn(rest, text);
    return limit;
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
