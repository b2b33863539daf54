// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <cmath>
#include <limits>

/// Charts of every kind with figures of the size that real ones have; the numbers themselves mean nothing.
namespace heteroscape::widgets::samples {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// 12 models, 5 device counts, two pieces a bar; the largest model does not fit on one or two devices.
inline Chart groupedStackedBars() {
    Chart chart;
    chart.title = QStringLiteral("Weights to prefetch per layer");
    chart.x.categories = {
        QStringLiteral("Llama3-8B"),   QStringLiteral("Llama3-70B"),   QStringLiteral("Llama3.1-405B"),
        QStringLiteral("Mistral-7B"),  QStringLiteral("Mixtral-8x7B"), QStringLiteral("Qwen2-7B"),
        QStringLiteral("Qwen2-72B"),   QStringLiteral("Phi-3-medium"), QStringLiteral("Gemma-2-9B"),
        QStringLiteral("Gemma-2-27B"), QStringLiteral("OPT-66B"),      QStringLiteral("Falcon-40B")};
    chart.x.label = QStringLiteral("Model");
    chart.y.label = QStringLiteral("Weights per layer and device (MB)");
    const double attention[] = {84, 302, 1208, 84, 84, 58, 302, 105, 59, 145, 680, 285};
    const double ffn[] = {352, 1409, 4912, 352, 705, 407, 1456, 550, 309, 1019, 1359, 1074};
    ChartBars bars;
    bars.title = QStringLiteral("Devices");
    bars.reason = QStringLiteral("The weights do not fit into the memory of so few devices");
    for (int bar = 0; bar < 5; ++bar) {
        const int devices = 1 << (bar + 2);
        bars.names.push_back(QString::number(devices));
        ChartBarSeries a{
            .name = QStringLiteral("Attention"), .bar = bar, .values = {}, .color = ChartColor::series(0)};
        ChartBarSeries f{.name = QStringLiteral("FFN"),
                         .bar = bar,
                         .values = {},
                         .color = ChartColor::series(4),
                         .fill = ChartFill::Hatched};
        for (std::size_t m = 0; m < 12; ++m) {
            const bool fits = m != 2 || bar > 1;
            a.values.push_back(fits ? attention[m] / devices : kNone);
            f.values.push_back(fits ? ffn[m] / devices : kNone);
        }
        bars.series.push_back(a);
        bars.series.push_back(f);
    }
    chart.bars = bars;
    chart.references = {{.label = QStringLiteral("H100 50\u2009MB"),
                         .at = 50,
                         .color = ChartColor::kind(engine::DeviceKind::Gpu)},
                        {.label = QStringLiteral("Ascend 910B 192\u2009MB"),
                         .at = 192,
                         .color = ChartColor::kind(engine::DeviceKind::Npu),
                         .dash = ChartDash::DashDotted}};
    return chart;
}

/// The same for four models: there the bars of a group have room for their own names.
inline Chart fewGroups() {
    auto chart = groupedStackedBars();
    chart.x.categories.resize(4);
    for (auto& series : chart.bars->series)
        series.values.resize(4);
    return chart;
}

/// Model against paper, side by side, one value missing.
inline Chart pairedBars() {
    Chart chart;
    chart.title = QStringLiteral("Speed-up, paper and model");
    chart.x.categories = {QStringLiteral("s2k"), QStringLiteral("s4k"), QStringLiteral("s8k"),
                          QStringLiteral("s16k"), QStringLiteral("s32k")};
    chart.x.label = QStringLiteral("Workload");
    chart.y.label = QStringLiteral("Speed-up (×)");
    chart.bars = ChartBars{.names = {},
                           .title = {},
                           .series = {{.name = QStringLiteral("Paper"),
                                       .bar = 0,
                                       .values = {1.61, 1.52, 1.43, 1.31, kNone},
                                       .color = ChartColor::role(ColorRole::Baseline),
                                       .tint = 0.5},
                                      {.name = QStringLiteral("Model"),
                                       .bar = 1,
                                       .values = {1.58, 1.5, 1.44, 1.3, 1.22},
                                       .color = ChartColor::series(0)}},
                           .reason = QStringLiteral("The paper does not measure it")};
    chart.references = {
        {.label = QStringLiteral("No change"), .at = 1, .color = ChartColor::role(ColorRole::Text2)}};
    return chart;
}

/// 9 batch sizes, 7 sequence lengths; what needs too much memory is not available.
inline Chart heatMap() {
    Chart chart;
    chart.title = QStringLiteral("Speed-up over batch and context");
    chart.x.label = QStringLiteral("Batch (requests)");
    chart.y.label = QStringLiteral("Context (tokens)");
    ChartHeatMap map;
    map.label = QStringLiteral("Speed-up (×)");
    map.reason = QStringLiteral("The KV cache needs more memory than the 64\u2009GB that a device has");
    map.better = 1;
    for (int column = 0; column < 9; ++column)
        map.x.push_back(std::pow(2.0, column));
    for (int row = 0; row < 7; ++row) {
        map.y.push_back(std::pow(2.0, row + 9));
        std::vector<double> values;
        for (int column = 0; column < 9; ++column)
            values.push_back(row + column > 11 ? kNone
                                               : 1.02 + 0.6 * std::exp(-0.12 * (column - 4) * (column - 4) -
                                                                       0.09 * (row - 2) * (row - 2)));
        map.z.push_back(values);
    }
    chart.heatMap = map;
    return chart;
}

/// Three curves read left, three right, over doublings.
inline Chart twoAxes() {
    Chart chart;
    chart.title = QStringLiteral("Speed-up and latencies over devices");
    chart.x = {.label = QStringLiteral("Devices"), .log = true, .base = 2, .integer = true};
    chart.y.label = QStringLiteral("Speed-up (×)");
    chart.right = ChartAxis{.label = QStringLiteral("Latency per layer (µs)"), .log = true};
    const std::vector<double> devices{2, 4, 8, 16, 32, 64};
    const auto add = [&](const char* name, std::vector<double> y, int color, ChartMarker marker, bool right) {
        chart.lines.push_back({.name = QString::fromUtf8(name),
                               .x = devices,
                               .y = std::move(y),
                               .color = ChartColor::series(color),
                               .dash = right ? ChartDash::Dashed : ChartDash::Solid,
                               .marker = marker,
                               .onRight = right});
    };
    add("Llama3-8B", {1.05, 1.14, 1.31, 1.42, 1.38, 1.21}, 0, ChartMarker::Circle, false);
    add("Llama3-70B", {kNone, 1.08, 1.19, 1.36, 1.52, 1.44}, 1, ChartMarker::Square, false);
    add("Qwen2-72B", {kNone, 1.09, 1.22, 1.39, 1.55, 1.46}, 2, ChartMarker::Diamond, false);
    add("Allreduce", {14, 19, 26, 38, 59, 101}, 3, ChartMarker::Triangle, true);
    add("Prefetch", {410, 210, 108, 56, 30, 17}, 5, ChartMarker::Circle, true);
    add("Attention", {220, 118, 63, 37, 24, 18}, 6, ChartMarker::Square, true);
    return chart;
}

/// Cost efficiency with and without a technique, the optimum over the baseline's, and capacities.
inline Chart optimum() {
    Chart chart;
    chart.title = QStringLiteral("Cost efficiency over L2 size");
    chart.x = {.label = QStringLiteral("L2 size per NPU (MB)"), .log = true, .base = 2};
    chart.y.label = QStringLiteral("Cost efficiency (tok/s/mm²)");
    ChartLine with{.name = QStringLiteral("L2 prefetch"),
                   .x = {},
                   .y = {},
                   .color = ChartColor::series(0),
                   .width = 2.6};
    ChartLine without{.name = QStringLiteral("No prefetch"),
                      .x = {},
                      .y = {},
                      .color = ChartColor::role(ColorRole::Baseline),
                      .dash = ChartDash::Dashed};
    for (double l2 = 1; l2 <= 513; l2 *= std::pow(2.0, 0.25)) {
        const double up = std::log2(l2);
        with.x.push_back(l2);
        with.y.push_back(14.8 - 0.17 * (up - 6.7) * (up - 6.7) + (up > 6.7 ? -0.5 * (up - 6.7) : 0));
        without.x.push_back(l2);
        without.y.push_back(11.8 - 0.13 * (up - 3) * (up - 3));
    }
    chart.lines = {without, with};
    chart.stars = {{.label = QStringLiteral("best with prefetch\n104\u2009MB, 14.8"),
                    .x = 104,
                    .y = 14.8,
                    .over = ChartBaseline{.label = QStringLiteral("best without prefetch\n8\u2009MB, 11.8"),
                                          .x = 8,
                                          .y = 11.8,
                                          .gain = QStringLiteral("+25\u2009%")}}};
    chart.references = {{.label = QStringLiteral("H100 50\u2009MB"),
                         .at = 50,
                         .color = ChartColor::kind(engine::DeviceKind::Gpu),
                         .vertical = true},
                        {.label = QStringLiteral("Ascend 910B 192\u2009MB"),
                         .at = 192,
                         .color = ChartColor::kind(engine::DeviceKind::Npu),
                         .dash = ChartDash::DashDotted,
                         .vertical = true}};
    return chart;
}

/// Curves over names, and level limits that lie close together.
inline Chart workloads() {
    Chart chart;
    chart.title = QStringLiteral("Throughput over workloads");
    chart.x.label = QStringLiteral("Workload");
    chart.x.categories = {QStringLiteral("s2k"), QStringLiteral("s4k"), QStringLiteral("s8k"),
                          QStringLiteral("s12k"), QStringLiteral("s16k")};
    chart.y.label = QStringLiteral("Throughput (tok/s)");
    chart.lines = {{.name = QStringLiteral("Prefetch"),
                    .x = {0, 1, 2, 3, 4},
                    .y = {3120, 2740, 2310, kNone, 1540},
                    .color = ChartColor::series(0),
                    .marker = ChartMarker::Circle},
                   {.name = QStringLiteral("Baseline"),
                    .x = {0, 1, 2, 3, 4},
                    .y = {2480, 2210, 1930, 1600, 1310},
                    .color = ChartColor::role(ColorRole::Baseline),
                    .dash = ChartDash::Dashed,
                    .marker = ChartMarker::Square}};
    chart.references = {{.label = QStringLiteral("Needed by day 3,000\u2009tok/s"),
                         .at = 3000,
                         .color = ChartColor::role(ColorRole::Hot)},
                        {.label = QStringLiteral("Needed by night 2,940\u2009tok/s"),
                         .at = 2940,
                         .color = ChartColor::role(ColorRole::Text2)},
                        {.label = QStringLiteral("Bandwidth bound 3,080\u2009tok/s"),
                         .at = 3080,
                         .color = ChartColor::role(ColorRole::Ok)}};
    return chart;
}

/// Points at these places, in one colour.
inline Chart cloudOf(std::vector<double> x, std::vector<double> y) {
    Chart chart;
    chart.title = QStringLiteral("Cloud");
    chart.x.label = QStringLiteral("Price (USD)");
    chart.y.label = QStringLiteral("Throughput (tok/s)");
    auto points = std::make_shared<CloudPoints>();
    points->xExtremes = CloudPoints::extremes(x);
    points->yExtremes = CloudPoints::extremes(y);
    points->x = std::move(x);
    points->y = std::move(y);
    chart.cloud.emplace();
    chart.cloud->points = std::move(points);
    chart.cloud->groups = {{QString(), ChartColor::series(0)}};
    return chart;
}

inline Chart cloud() {
    std::vector<double> x, y;
    for (int i = 0; i < 60; ++i) {
        x.push_back(10 + i * 37 % 60);
        y.push_back(10 + i * 23 % 60);
    }
    return cloudOf(std::move(x), std::move(y));
}

} // namespace heteroscape::widgets::samples
