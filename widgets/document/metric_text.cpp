// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/metric_text.h"

#include "engine/units/number_text.h"
#include "engine/units/shown_unit.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"
#include "widgets/document/serving_view.h"

#include <cmath>

namespace heteroscape::widgets {

bool isTokenTime(std::string_view metric) {
    return metric.starts_with("ttft") || metric.starts_with("tpot");
}

MetricUnit metricUnit(const engine::MetricSpec& spec, double value) {
    const auto shown = engine::shownUnit(spec.unit, value);
    return {QString::fromStdString(shown.name), shown.factor};
}

double decidesUnit(std::string_view metric, double one, double other) {
    return isTokenTime(metric) ? std::fmin(one, other) : std::fmax(one, other);
}

MetricText metricText(const engine::MetricSpec& spec, double value) {
    const auto unit = metricUnit(spec, value);
    return {std::isnan(value) ? QStringLiteral("\u2013")
                              : QString::fromStdString(engine::shortText(value * unit.factor)),
            unit.name};
}

std::optional<std::string> missingQuantity(const Document& document, engine::Metric metric) {
    for (const auto& node : document.results().scenario->nodes) {
        const auto prefix = "nodes." + node.id.value + ".device.";
        const auto& device = node.device;
        if (metric == engine::Metric::ThroughputPerArea && engine::isAccelerator(device.kind) &&
            !device.dieArea.isSet())
            return prefix + "die_area_mm2";
        const bool costs = metric == engine::Metric::CostPerToken;
        if ((costs || metric == engine::Metric::ThroughputPerPrice) && !engine::isFabric(device.kind) &&
            !device.price.isSet())
            return prefix + "price_usd";
        const auto* use = document.results().node(node.id);
        if ((!costs && metric != engine::Metric::ThroughputPerPower) || !use)
            continue;
        if (use->prefillBusy > 0.0 && !device.powerPrefill.isSet())
            return prefix + "power_prefill_w";
        if (use->decodeBusy > 0.0 && !device.powerDecode.isSet())
            return prefix + "power_decode_w";
        if (use->busy() < 1.0 && !engine::isFabric(device.kind) && !device.powerIdle.isSet())
            return prefix + "power_idle_w";
    }
    return std::nullopt;
}

} // namespace heteroscape::widgets
