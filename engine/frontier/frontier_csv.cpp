// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_csv.h"

#include "engine/exporters/csv.h"
#include "engine/units/number_text.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

std::string amount(double value) {
    return std::isfinite(value) ? exactText(value) : std::string();
}

/// The columns of a point up to `why`.
std::string pointCells(const FrontierDefinition& definition, const FrontierPoint& point,
                       const std::string& front, const FrontierDetail& detail) {
    std::string text;
    for (const auto& words : {definition.systems[point.system].name, point.server, point.precision,
                              point.layout, exactText(point.users), exactText(point.devices)})
        text += csvField(words) + ',';
    const auto& prefill = point.plan.prefill;
    text += (prefill ? exactText(prefill->count) + ',' + exactText(point.plan.workers.count) : ",") + ',';
    text += front;
    for (const double value :
         {point.rates.outputPerDevice, point.rates.totalPerDevice, frontierValue(point, FrontierAxis::Dollar),
          frontierValue(point, FrontierAxis::Watt), point.rates.perUser, point.rates.perUserMedian,
          point.ttft, point.ttftMedian, point.price, point.watts, point.copies,
          frontierValue(point, FrontierAxis::Budget), detail.rate.percent, detail.speed.percent})
        text += ',' + (point.answered() ? amount(value) : std::string());
    return text + ',' + csvField(detail.bottleneck) + ',' + csvField(point.why);
}

} // namespace

std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front, const std::map<std::size_t, FrontierDetail>& details,
                        std::span<const FrontierMeasured> measured) {
    std::string text =
        "system,server,weights,layout,users,devices,prefill_workers,decode_workers,front,output_tok_s_per_"
        "device,"
        "total_tok_s_per_device,output_tok_s_per_usd,output_tok_s_per_watt,tok_s_per_user,"
        "tok_s_per_user_p50,ttft_s,ttft_p50_s,price_usd,power_w,copies,budget_output_tok_s,"
        "rate_expected_error_pct,speed_expected_error_pct,bottleneck,why,measured\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto detail = details.find(i);
        text += pointCells(definition, points[i], front[i] ? "1" : "0",
                           detail == details.end() ? FrontierDetail() : detail->second) +
                ",\n";
    }
    for (const auto& row : measured)
        text += pointCells(definition, row.point, {}, {}) + ',' + csvField(row.id) + '\n';
    return csvFile(text);
}

} // namespace heteroscape::engine
