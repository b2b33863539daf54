// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_csv.h"

#include "engine/exporters/csv.h"
#include "engine/units/number_text.h"

#include <cmath>

namespace heteroscape::engine {

std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front) {
    std::string text =
        "system,server,weights,layout,users,devices,prefill_workers,decode_workers,front,output_tok_s_per_"
        "device,"
        "total_tok_s_per_device,output_tok_s_per_usd,output_tok_s_per_watt,tok_s_per_user,"
        "tok_s_per_user_p50,ttft_s,ttft_p50_s,price_usd,power_w,copies,budget_output_tok_s,why\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& point = points[i];
        for (const auto& words : {definition.systems[point.system].name, point.server, point.precision,
                                  point.layout, exactText(point.users), exactText(point.devices)})
            text += csvField(words) + ',';
        const auto& prefill = point.plan.prefill;
        text += (prefill ? exactText(prefill->count) + ',' + exactText(point.plan.workers.count) : ",") + ',';
        text += front[i] ? "1" : "0";
        for (const double value :
             {point.rates.outputPerDevice, point.rates.totalPerDevice,
              frontierValue(point, FrontierAxis::Dollar), frontierValue(point, FrontierAxis::Watt),
              point.rates.perUser, point.rates.perUserMedian, point.ttft, point.ttftMedian, point.price,
              point.watts, point.copies, frontierValue(point, FrontierAxis::Budget)})
            text += ',' + (point.answered() && std::isfinite(value) ? exactText(value) : std::string());
        text += ',' + csvField(point.why) + '\n';
    }
    return csvFile(text);
}

} // namespace heteroscape::engine
