// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/roofline_chart.h"

#include "engine/timing/machine.h"
#include "engine/units/number_text.h"
#include "widgets/roofline/roofline_workspace.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Phase;
using engine::Roofline;

constexpr double kTera = 1e12, kGiga = 1e9;
constexpr double kFarLeft = 1e-4, kFarRight = 1e8; // FLOP/B: roofs go on when panned
constexpr double kLabelShare = 0.08;               // smaller shares of the time stay without a name
constexpr double kRoofGap = 2.2; // roofs nearer than that have no room for a caption between them
constexpr std::size_t kMostNamedDesigns = 16;
constexpr std::size_t kMostLabels = 64; ///< of marks
constexpr double kBelowPeak = 0.995;    // efficiencies above are drawn as the peak itself

QString number(double value, int digits = 3) {
    return QString::fromStdString(engine::shortText(value, digits));
}

QString percent(double share) {
    return RooflineWorkspace::tr("%1 %").arg(number(100 * share));
}

ChartLine roofLine(double flops, double bandwidth, ChartColor color) {
    const double ridge = flops / bandwidth;
    ChartLine line{.name = {}, .x = {kFarLeft, ridge, kFarRight}, .y = {}, .color = color};
    line.y = {kFarLeft * bandwidth / kTera, flops / kTera, flops / kTera};
    return line;
}

/// Two phases of one device share the roof of its peaks.
bool isNewRoof(const std::vector<Roofline>& all, std::size_t index, const std::set<std::size_t>& hidden) {
    for (std::size_t i = 0; i < index; ++i)
        if (!hidden.contains(i) && all[i].name == all[index].name &&
            all[i].peakFlops == all[index].peakFlops && all[i].peakBandwidth == all[index].peakBandwidth)
            return false;
    return true;
}

bool runsBothPhases(const std::vector<Roofline>& all, std::size_t index) {
    return std::any_of(all.begin(), all.end(), [&](const auto& other) {
        return other.node == all[index].node && other.phase != all[index].phase;
    });
}

QString rateText(const Roofline& roofline, double perSecond, int digits = 3) {
    const auto value = number(perSecond / kTera, digits);
    return roofline.integerPeak ? RooflineWorkspace::tr("%1 TOP/s").arg(value)
                                : RooflineWorkspace::tr("%1 TFLOP/s").arg(value);
}

void addRoofs(Chart& chart, const Roofline& roofline, bool isNew, bool bothPhases) {
    const auto color = ChartColor::kind(roofline.kind);
    const auto name = QString::fromStdString(roofline.name);
    if (isNew) {
        auto line = roofLine(roofline.peakFlops, roofline.peakBandwidth, color);
        line.width = 2.2;
        chart.captions.push_back(
            {RooflineWorkspace::tr("%1 peak, %2").arg(name, rateText(roofline, roofline.peakFlops)),
             line.x[1], line.y[1], line.x[2], line.y[2], color, true, false});
        chart.captions.push_back({RooflineWorkspace::tr("%1 HBM, %2 GB/s")
                                      .arg(name, QString::fromStdString(engine::tickText(
                                                     std::round(roofline.peakBandwidth / kGiga)))),
                                  line.x[0], line.y[0], line.x[1], line.y[1], color, true, false});
        chart.drops.push_back(
            {RooflineWorkspace::tr("ridge %1").arg(number(roofline.ridge())), line.x[1], line.y[1], color});
        chart.lines.push_back(std::move(line));
        if (roofline.l2Bandwidth > 0) {
            auto l2 = roofLine(roofline.peakFlops, roofline.l2Bandwidth, color);
            l2.dash = ChartDash::DashDotted;
            l2.width = 1.4;
            chart.captions.push_back({RooflineWorkspace::tr("%1 L2, %2 GB/s")
                                          .arg(name, QString::fromStdString(engine::tickText(
                                                         std::round(roofline.l2Bandwidth / kGiga)))),
                                      l2.x[0], l2.y[0], l2.x[1], l2.y[1], color, false, false});
            chart.lines.push_back(std::move(l2));
        }
    }
    const double compute = roofline.reachableFlops / roofline.peakFlops;
    const double memory = roofline.reachableBandwidth / roofline.peakBandwidth;
    if (compute < kBelowPeak || memory < kBelowPeak) {
        auto line = roofLine(roofline.reachableFlops, roofline.reachableBandwidth, color);
        line.dash = ChartDash::Dashed;
        // Which phase it is goes without saying where the device runs only one.
        auto reachable = RooflineWorkspace::tr("reachable, %1 of %2");
        if (bothPhases)
            reachable = rooflinePhase(roofline.phase) + u' ' + reachable;
        line.width = 1.4;
        const auto ofPeak = reachable.arg(percent(compute), RooflineWorkspace::tr("peak"));
        const auto ofMemory = reachable.arg(percent(memory), RooflineWorkspace::tr("HBM"));
        const auto isSame = [&](const ChartCaption& other) { // of another design on the same device
            return (other.text == ofPeak || other.text == ofMemory) && other.color == color &&
                   other.x1 == line.x[other.text == ofPeak ? 1 : 0] &&
                   other.y1 == line.y[other.text == ofPeak ? 1 : 0];
        };
        if (std::any_of(chart.captions.begin(), chart.captions.end(), isSame))
            return;
        if (compute < kBelowPeak)
            chart.captions.push_back(
                {ofPeak, line.x[1], line.y[1], line.x[2], line.y[2], color, false, false});
        if (memory < kBelowPeak)
            chart.captions.push_back(
                {ofMemory, line.x[0], line.y[0], line.x[1], line.y[1], color, false, true});
        chart.lines.push_back(std::move(line));
    }
}

/// Slopes only: nothing that computes at their far ends is meant.
void addLinkRoofs(Chart& chart, const Roofline& roofline) {
    for (const auto& link : roofline.links) {
        const auto color = ChartColor::kind(rooflineKind(link.lane));
        auto line = roofLine(roofline.peakFlops, link.bandwidth, color);
        line.x.pop_back();
        line.y.pop_back();
        line.dash = ChartDash::DashDotted;
        line.width = 1.4;
        const bool crowded =
            std::any_of(roofline.links.begin(), roofline.links.end(), [&](const engine::LinkRoof& other) {
                return other.bandwidth > link.bandwidth && other.bandwidth < kRoofGap * link.bandwidth;
            });
        chart.captions.push_back(
            {RooflineWorkspace::tr("%1, %2 GB/s")
                 .arg(QString::fromStdString(link.label), number(link.bandwidth / kGiga)),
             line.x[0], line.y[0], line.x[1], line.y[1], color, false, crowded});
        chart.lines.push_back(std::move(line));
    }
}

/// Thin roofs that the runtime as such does not run under. Those of a device are drawn once.
void addCeilings(Chart& chart, const Roofline& roofline, const std::vector<RooflineCeiling>& ceilings) {
    const auto color = ChartColor::kind(roofline.kind);
    for (const auto& ceiling : ceilings) {
        const bool known = std::any_of(chart.captions.begin(), chart.captions.end(),
                                       [&](const auto& caption) { return caption.text == ceiling.label; });
        if (known)
            continue;
        ChartLine line{.name = {}, .x = {}, .y = {}, .color = color, .width = 1.1, .dash = ChartDash::Dotted};
        if (ceiling.flops > 0) { // from where memory can feed it
            const double ridge = ceiling.flops / roofline.peakBandwidth;
            line.x = {ridge, kFarRight};
            line.y = {ceiling.flops / kTera, ceiling.flops / kTera};
            if (ceiling.flops > roofline.peakFlops) { // the slope goes on up to it
                line.x.insert(line.x.begin(), roofline.ridge());
                line.y.insert(line.y.begin(), roofline.peakFlops / kTera);
            }
        } else {
            line.x = {kFarLeft, roofline.peakFlops / ceiling.bandwidth};
            line.y = {kFarLeft * ceiling.bandwidth / kTera, roofline.peakFlops / kTera};
        }
        const auto last = line.x.size() - 1;
        chart.captions.push_back({ceiling.label, line.x[last - 1], line.y[last - 1], line.x[last],
                                  line.y[last], color, false, false});
        chart.lines.push_back(std::move(line));
    }
}

/// More names than kMostLabels would only hide each other: those of the smaller marks go.
void dropSmallLabels(std::vector<ChartMark>& marks) {
    std::vector<ChartMark*> labelled;
    for (auto& mark : marks)
        if (!mark.label.isEmpty())
            labelled.push_back(&mark);
    std::stable_sort(labelled.begin(), labelled.end(), [](const auto* a, const auto* b) {
        return a->ringed != b->ringed ? a->ringed : a->diameter > b->diameter;
    });
    for (std::size_t i = kMostLabels; i < labelled.size(); ++i)
        labelled[i]->label.clear();
}

/// Marks on the same spot get one label with all their names: nobody could tell which belongs to which.
void shareLabels(std::vector<ChartMark>& marks) {
    const auto near = [](double a, double b) { return std::fabs(a - b) < 0.005 * b; };
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i].label.isEmpty())
            continue;
        QStringList names;
        for (std::size_t k = i + 1; k < marks.size(); ++k)
            if (!marks[i].label.isEmpty() && !marks[k].label.isEmpty() && marks[i].shape == marks[k].shape &&
                !marks[i].ringed && !marks[k].ringed && near(marks[i].x, marks[k].x) &&
                near(marks[i].y, marks[k].y)) {
                names << marks[k].label;
                marks[k].label.clear();
            }
        if (!names.isEmpty())
            marks[i].label += QStringLiteral("\n") + names.join(u'\n');
    }
}

QString roofText(const Roofline& roofline, const RooflinePoint& point) {
    using Roof = RooflinePoint::Roof;
    const auto& operators = roofline.detail.operators;
    if (point.roof == Roof::Peak && point.operatorIndex < operators.size())
        if (const auto precision = operators[point.operatorIndex].precision; !precision.empty())
            return RooflineWorkspace::tr("%1 peak").arg(QString::fromUtf8(precision));
    return point.roof == Roof::Peak     ? RooflineWorkspace::tr("peak")
           : point.roof == Roof::Memory ? RooflineWorkspace::tr("HBM")
           : point.roof == Roof::L2     ? RooflineWorkspace::tr("L2")
                                        : QString::fromUtf8(engine::boundLabel(point.link));
}

/// What waits for compute though another roof is nearer: at which share of which peak. Else nothing.
QString computeText(const Roofline& roofline, const RooflinePoint& point) {
    const auto& operators = roofline.detail.operators;
    const bool whole = point.operatorIndex == RooflinePoint::kWholeStep;
    if (point.roof == RooflinePoint::Roof::Peak || (!whole && point.operatorIndex >= operators.size()))
        return {};
    const auto* row = whole ? nullptr : &operators[point.operatorIndex];
    if ((row ? row->bound : roofline.step.bound) != engine::Bound::Compute)
        return {};
    const double peak = row ? row->peakFlops : roofline.peakFlops;
    const auto share = percent(point.achieved / peak);
    return row && !row->precision.empty()
               ? RooflineWorkspace::tr("compute, %1 of the %2 peak's %3")
                     .arg(share, QString::fromUtf8(row->precision), rateText(roofline, peak))
               : RooflineWorkspace::tr("compute, %1 of the peak's %2").arg(share, rateText(roofline, peak));
}

ChartMark markOf(const Roofline& roofline, const RooflinePoint& point, bool labels) {
    const bool whole = point.operatorIndex == RooflinePoint::kWholeStep;
    const auto name = QString::fromStdString(point.name);
    const auto time = point.seconds < 1.0 ? RooflineWorkspace::tr("%1 ms").arg(number(point.seconds * 1e3))
                                          : RooflineWorkspace::tr("%1 s").arg(number(point.seconds));
    ChartMark mark;
    mark.name = point.operatorIndex == RooflinePoint::kFlow
                    ? RooflineWorkspace::tr("%1, %2").arg(name, rooflinePhase(roofline.phase))
                    : RooflineWorkspace::tr("%1, %2 on %3")
                          .arg(name, rooflinePhase(roofline.phase), QString::fromStdString(roofline.name));
    if (labels && (whole || point.share >= kLabelShare))
        mark.label = name + u' ' + time;
    mark.x = rooflinePlace(point).x();
    mark.y = rooflinePlace(point).y();
    mark.diameter = whole ? 9 : std::max(6.0, 44 * std::sqrt(point.share));
    mark.shape = roofline.phase == Phase::Prefill ? ChartMarker::Circle : ChartMarker::Diamond;
    mark.color = ChartColor::kind(rooflineKind(roofline, point));
    mark.ringed = whole;
    mark.readOut = {
        {RooflineWorkspace::tr("Intensity"),
         RooflineWorkspace::tr("%1 FLOP/B").arg(number(point.intensity, 4))},
        {RooflineWorkspace::tr("Achieved"), rateText(roofline, point.achieved, 4)},
        {RooflineWorkspace::tr("Nearest roof"),
         RooflineWorkspace::tr("%1, %2 used").arg(roofText(roofline, point), percent(point.ofRoof))},
        {RooflineWorkspace::tr("Time"), time},
        {RooflineWorkspace::tr("Share of the step"), percent(point.share)}};
    if (const auto compute = computeText(roofline, point); !compute.isEmpty())
        mark.readOut.insert(mark.readOut.begin() + 3, {RooflineWorkspace::tr("Bound by"), compute});
    return mark;
}

ChartMark designMark(const Roofline& roofline, const RooflinePoint& point, const QString& design,
                     bool label) {
    auto mark = markOf(roofline, point, false);
    mark.name = RooflineWorkspace::tr("%1: %2").arg(design, mark.name);
    mark.label = label ? design : QString();
    return mark;
}

} // namespace

std::vector<std::vector<RooflineCeiling>> rooflineCeilings(const engine::Scenario& scenario,
                                                           const std::vector<Roofline>& rooflines) {
    std::vector<std::vector<RooflineCeiling>> all;
    for (const auto& roofline : rooflines) {
        auto& ceilings = all.emplace_back();
        const auto* node = scenario.findNode(roofline.node);
        if (!node)
            continue;
        const auto name = QString::fromStdString(roofline.name);
        const auto differs = [&](double value, double other) {
            return value > 0 && std::fabs(value / other - 1) > 1 - kBelowPeak;
        };
        const auto& device = node->device;
        // What operators multiply in beside the runtime's own precision: they stand above its peak, or below.
        std::vector<double> known{roofline.peakFlops};
        const auto isNew = [&](double flops) {
            const bool seen =
                std::any_of(known.begin(), known.end(), [&](double other) { return !differs(flops, other); });
            if (!seen)
                known.push_back(flops);
            return !seen;
        };
        for (const auto& row : roofline.detail.operators)
            if (row.flops > 0 && !row.precision.empty() && isNew(row.peakFlops))
                ceilings.push_back(
                    {(row.precision == "INT8" ? RooflineWorkspace::tr("%1 %2, %3 TOP/s")
                                              : RooflineWorkspace::tr("%1 %2, %3 TFLOP/s"))
                         .arg(name, QString::fromUtf8(row.precision), number(row.peakFlops / kTera)),
                     row.peakFlops, 0});
        if (const double fp16 = engine::devicePeak(device, &engine::Device::peakFp16); isNew(fp16))
            ceilings.push_back(
                {RooflineWorkspace::tr("%1 FP16, %2 TFLOP/s").arg(name, number(fp16 / kTera)), fp16, 0});
        if (const double int8 = engine::devicePeak(device, &engine::Device::peakInt8); isNew(int8))
            ceilings.push_back(
                {RooflineWorkspace::tr("%1 INT8, %2 TOP/s").arg(name, number(int8 / kTera)), int8, 0});
        if (const double l2 = device.l2Bandwidth.value; l2 > 0 && !(roofline.l2Bandwidth > 0))
            ceilings.push_back(
                {RooflineWorkspace::tr("%1 L2, %2 GB/s")
                     .arg(name, QString::fromStdString(engine::tickText(std::round(l2 / kGiga)))),
                 0, l2});
    }
    return all;
}

QPointF rooflinePlace(const RooflinePoint& point) {
    return {point.intensity, point.achieved / kTera};
}

Chart rooflineChart(const std::vector<Roofline>& rooflines, const RooflineOptions& options) {
    Chart chart;
    chart.title = RooflineWorkspace::tr("Roofline");
    chart.x = {RooflineWorkspace::tr("Operational intensity (FLOP/B)"), true, 10, false, {}};
    const bool integers = std::any_of(rooflines.begin(), rooflines.end(),
                                      [](const Roofline& roofline) { return roofline.integerPeak; });
    chart.y = {integers ? RooflineWorkspace::tr("Performance (TFLOP/s; TOP/s where integer)")
                        : RooflineWorkspace::tr("Performance (TFLOP/s)"),
               true,
               10,
               false,
               {}};
    double left = 1e30, right = 0, low = 1e30, high = 0;
    const auto include = [&](double x, double y) {
        left = std::min(left, x);
        right = std::max(right, x);
        low = std::min(low, y);
        high = std::max(high, y);
    };
    for (std::size_t i = 0; i < rooflines.size(); ++i)
        if (!options.hidden.contains(i)) {
            addRoofs(chart, rooflines[i], isNewRoof(rooflines, i, options.hidden),
                     runsBothPhases(rooflines, i));
            addLinkRoofs(chart, rooflines[i]);
            include(rooflines[i].ridge(), rooflines[i].peakFlops / kTera);
            if (i < options.ceilings.size())
                for (const auto& ceiling : options.ceilings[i])
                    if (ceiling.flops > 0)
                        include(ceiling.flops / rooflines[i].peakBandwidth, ceiling.flops / kTera);
        }
    for (std::size_t i = 0; i < rooflines.size() && i < options.ceilings.size(); ++i)
        if (!options.hidden.contains(i))
            addCeilings(chart, rooflines[i], options.ceilings[i]);
    const bool designs = !options.designs.empty();
    const bool named = designs && options.labels && options.designs.size() <= kMostNamedDesigns;
    for (const auto& point : rooflinePoints(rooflines))
        if (point.drawable() && !options.hidden.contains(point.roofline)) {
            if (designs && point.operatorIndex != RooflinePoint::kWholeStep)
                continue;
            chart.marks.push_back(
                designs ? designMark(rooflines[point.roofline], point, options.designs[point.roofline], named)
                        : markOf(rooflines[point.roofline], point, options.labels));
            include(point.intensity, point.achieved / kTera);
        }
    shareLabels(chart.marks);
    dropSmallLabels(chart.marks);
    if (right > 0) {
        // Room for the names of the roofs at the right, and for the pills of the ridges at the bottom.
        chart.x.range = engine::AxisRange{left / 2.5, right * 12};
        chart.y.range = engine::AxisRange{low / 8, high * 2.2};
    }
    return chart;
}

} // namespace heteroscape::widgets
