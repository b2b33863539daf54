// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of designs that are evaluated again: where the time of a batch goes, and rooflines.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/roofline/roofline_chart.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace heteroscape::widgets {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::StudyTile)
};

using engine::Metric;

constexpr std::size_t kMostRooflines = 24; ///< designs: more cannot be told apart

/// What the time of a batch goes to, from the bottom of its bar.
enum class Part {
    Prefill,
    KvTransfer,
    Attention,
    Ffn,
    AllReduce,
    Other,
    Accelerator,
    Weights,
    KvRead,
    KvWrite,
    HostAttention,
    CsdAttention,
    Qkv,
    XCache
};
constexpr std::size_t kParts = 14;
using Parts = std::array<double, kParts>; // s

constexpr std::array<Metric, 8> kOffloaded{
    Metric::DecodeAccelerator,   Metric::DecodeWeights,      Metric::DecodeKvRead, Metric::DecodeKvWrite,
    Metric::DecodeHostAttention, Metric::DecodeCsdAttention, Metric::DecodeQkv,    Metric::DecodeXCache};

QString partName(std::size_t part) {
    switch (static_cast<Part>(part)) {
    case Part::Prefill:
        return Words::tr("Prefill");
    case Part::KvTransfer:
        return Words::tr("Exposed KV transfer");
    case Part::Attention:
        return Words::tr("Decode: attention");
    case Part::Ffn:
        return Words::tr("Decode: FFN");
    case Part::AllReduce:
        return Words::tr("Decode: allreduce");
    case Part::Other:
        return Words::tr("Decode: other operators");
    default:
        break;
    }
    const auto label =
        engine::metricSpec(kOffloaded.at(part - static_cast<std::size_t>(Part::Accelerator))).label;
    return QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size()));
}

/// Colours of phases as in timelines: prefill, hand-over and allreduce have theirs.
void style(ChartBarSeries& series, std::size_t part) {
    static constexpr std::array<int, kParts> kColors{0, 4, 2, 5, 3, 7, 2, 5, 6, 1, 7, 3, 4, 6};
    static constexpr std::array<bool, kParts> kHatched{false, true,  false, false, false, false, false,
                                                       false, false, true,  false, false, true,  true};
    series.color = ChartColor::series(kColors.at(part));
    series.fill = kHatched.at(part) ? ChartFill::Hatched : ChartFill::Solid;
}

Part partOf(const engine::OperatorRow& row) {
    if (row.collectiveBytes > 0)
        return Part::AllReduce;
    return row.segment == engine::Segment::Attention ? Part::Attention
           : row.segment == engine::Segment::Ffn     ? Part::Ffn
                                                     : Part::Other;
}

/// The parts of a feasible design's latency; they add up to it.
Parts partsOf(const engine::Scenario& scenario, const engine::Evaluation& evaluation) {
    Parts parts{};
    const auto at = [&parts](Part part) -> double& { return parts.at(static_cast<std::size_t>(part)); };
    at(Part::Prefill) = evaluation.metric(Metric::TimeToFirstToken);
    at(Part::KvTransfer) = evaluation.metric(Metric::KvTransfer);
    const double decode = evaluation.metric(Metric::Latency) - at(Part::Prefill) - at(Part::KvTransfer);
    // Every request takes one node's decode: a node counts by the time that its requests spend there.
    std::array<double, kParts> weights{};
    double sum = 0;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& figures = evaluation.nodes[i];
        if (!(figures.decodeBusy > 0) || !engine::isAccelerator(scenario.nodes[i].device.kind) ||
            !scenario.nodes[i].runtime)
            continue;
        const double here = figures.decodeBusy * scenario.nodes[i].count.value / figures.devices;
        const auto add = [&](Part part, double share) {
            weights.at(static_cast<std::size_t>(part)) += here * share;
            sum += here * share;
        };
        if (figures.offload.active) {
            const auto& work = figures.offload.decode;
            double whole = 0;
            for (const double seconds : work)
                whole += seconds;
            using engine::Work;
            static constexpr std::array<std::pair<Work, Part>, 11> kWorks{
                {{Work::Operator, Part::Accelerator},
                 {Work::DeviceAttention, Part::Accelerator},
                 {Work::WeightTransfer, Part::Weights},
                 {Work::KvRead, Part::KvRead},
                 {Work::KvWrite, Part::KvWrite},
                 {Work::HostAttention, Part::HostAttention},
                 {Work::NearStorageAttention, Part::CsdAttention},
                 {Work::QkvTransfer, Part::Qkv},
                 {Work::XTransfer, Part::XCache},
                 {Work::Regenerate, Part::XCache},
                 {Work::AllReduce, Part::AllReduce}}};
            for (const auto& [kind, part] : kWorks)
                if (whole > 0)
                    add(part, work[static_cast<std::size_t>(kind)] / whole);
            continue;
        }
        const auto step = engine::breakdown(scenario, scenario.nodes[i].id, engine::Phase::Decode);
        for (const auto& row : step.operators)
            if (step.seconds > 0)
                add(partOf(row), row.seconds / step.seconds);
    }
    for (std::size_t part = 0; part < kParts && sum > 0; ++part)
        parts[part] += decode * weights[part] / sum;
    if (!(sum > 0))
        at(Part::Other) += decode;
    return parts;
}

/// Computed, and the design runs.
bool isFeasible(const LoadedStudy& study, std::size_t row) {
    return row != StudyChart::kNoRow && study.table.find("feasible")->values[row] == 1.0;
}

} // namespace

void addBreakdown(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                  const engine::RowMask* kept) {
    auto& chart = out.chart;
    const auto across = rowsAcross(study, plot.query);
    const auto* x = plot.query.x.empty() ? nullptr : study.table.find(plot.query.x);
    if (x)
        chart.x = namedAxis(study, *x);
    else
        chart.x.categories.push_back(across.front().name);
    chart.y.label = plot.shares ? quantityLabel(Words::tr("Share of the latency"), QStringLiteral("%"))
                                : quantityLabel(Words::tr("Time of a batch"), QStringLiteral("s"));
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<Parts> times(across.size());
    std::vector<QString> reasons(across.size());
    std::vector<std::uint8_t> muted(kept ? across.size() : 0);
    std::vector<std::size_t> rows;
    Gaps gaps(study, plot.query);
    for (std::size_t i = 0; i < across.size(); ++i) {
        times[i].fill(none);
        rows.push_back(across[i].row);
        if (!isFeasible(study, across[i].row)) {
            reasons[i] = gaps.reason(across[i].row);
            continue;
        }
        const auto scenario = study.scenarioOf(across[i].row);
        const auto evaluation = engine::evaluate(scenario);
        if (evaluation.feasible)
            times[i] = partsOf(scenario, evaluation);
        if (plot.shares)
            for (auto& time : times[i])
                time *= 100 / evaluation.metric(Metric::Latency);
        if (kept)
            muted[i] = isFilteredOut(kept, across[i].row) ? 1 : 0;
    }
    ChartBars bars;
    bars.reason = Words::tr("Not feasible");
    bars.missing = gaps.word();
    bars.writeValues = plot.values && !plot.shares;
    for (std::size_t part = 0; part < kParts; ++part) {
        const bool seen =
            std::any_of(times.begin(), times.end(), [part](const Parts& one) { return one[part] > 0; });
        if (!seen && part != 0) // a part that takes no time needs no entry in the legend
            continue;
        ChartBarSeries series{.name = partName(part), .bar = 0, .values = {}, .color = {}};
        style(series, part);
        for (const auto& one : times)
            series.values.push_back(one[part]);
        series.reasons = reasons;
        series.muted = muted;
        bars.series.push_back(std::move(series));
        out.areaRows.push_back(rows);
    }
    chart.bars = std::move(bars);
}

void addRoofline(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot) {
    std::vector<engine::Roofline> all;
    RooflineOptions options;
    std::vector<std::size_t> rowOf; // of each roofline
    const auto across = rowsAcross(study, plot.query);
    const auto step = (across.size() + kMostRooflines - 1) / kMostRooflines;
    for (std::size_t i = 0; i < across.size(); i += step) {
        if (!isFeasible(study, across[i].row)) // what does not run reaches no roof
            continue;
        const auto scenario = study.scenarioOf(across[i].row);
        auto some = engine::rooflines(scenario);
        for (auto& ceilings : rooflineCeilings(scenario, some))
            options.ceilings.push_back(std::move(ceilings));
        for (auto& one : some) {
            all.push_back(std::move(one));
            options.designs.push_back(across[i].name);
            rowOf.push_back(across[i].row);
        }
    }
    const auto title = out.chart.title, empty = out.chart.emptyText;
    out.chart = rooflineChart(all, options);
    out.chart.title = title;
    out.chart.emptyText = empty;
    for (const auto& point : rooflinePoints(all))
        if (point.drawable() && point.operatorIndex == RooflinePoint::kWholeStep)
            out.markRows.push_back(rowOf[point.roofline]);
}

} // namespace heteroscape::widgets
