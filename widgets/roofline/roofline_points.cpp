// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/roofline_points.h"

#include "engine/base/csv.h"
#include "engine/units/number_text.h"
#include "widgets/roofline/roofline_workspace.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Phase;
using engine::Roofline;

/// What work and traffic of one mark there is, and the roof that they come nearest to.
struct Demand {
    double flops = 0;
    double peak = 0;   ///< FLOP/s
    double memory = 0; ///< B
    double l2 = 0;     ///< B
};

void setRoof(RooflinePoint& point, const Roofline& roofline, const Demand& demand) {
    const std::array<double, 3> seconds{demand.flops / demand.peak, demand.memory / roofline.peakBandwidth,
                                        roofline.l2Bandwidth > 0 ? demand.l2 / roofline.l2Bandwidth : 0.0};
    const auto nearest = std::max_element(seconds.begin(), seconds.end());
    point.roof = static_cast<RooflinePoint::Roof>(nearest - seconds.begin());
    point.ofRoof = *nearest / point.seconds;
}

bool runsOnDevice(const engine::FlowRow& flow) {
    return flow.lane == engine::Lane::Compute;
}

/// A flow keeps its link busy; so does a step that has flows, as long as the longest of them takes.
void setLink(RooflinePoint& point, const engine::FlowRow& flow) {
    if (runsOnDevice(flow) || flow.seconds < point.ofRoof * point.seconds)
        return;
    point.roof = RooflinePoint::Roof::Link;
    point.link = flow.bound;
    point.ofRoof = flow.seconds / point.seconds;
}

/// Whether an operator has nothing of its own but the wait for the flows.
bool waitsForFlows(const Roofline& roofline, const engine::OperatorRow& row) {
    return !roofline.detail.flows.empty() && roofline.phase == Phase::Decode && row.flops == 0 &&
           row.bytes == 0;
}

} // namespace

QString rooflinePhase(Phase phase) {
    return phase == Phase::Prefill ? RooflineWorkspace::tr("prefill") : RooflineWorkspace::tr("decode");
}

QString rooflineName(const Roofline& roofline) {
    return RooflineWorkspace::tr("%1, %2").arg(QString::fromStdString(roofline.name),
                                               rooflinePhase(roofline.phase));
}

engine::DeviceKind rooflineKind(engine::Lane lane) {
    switch (lane) {
    case engine::Lane::Csd:
        return engine::DeviceKind::Csd;
    case engine::Lane::Storage:
        return engine::DeviceKind::Ssd;
    case engine::Lane::Host:
        return engine::DeviceKind::Cpu;
    default: // links
        return engine::DeviceKind::Switch;
    }
}

engine::DeviceKind rooflineKind(const Roofline& roofline, const RooflinePoint& point) {
    if (point.operatorIndex != RooflinePoint::kFlow)
        return roofline.kind;
    const auto& flow = roofline.detail.flows[point.flowIndex];
    return runsOnDevice(flow) ? roofline.kind : rooflineKind(flow.lane);
}

std::vector<RooflinePoint> rooflinePoints(const std::vector<Roofline>& rooflines) {
    std::vector<RooflinePoint> points;
    for (std::size_t i = 0; i < rooflines.size(); ++i) {
        const auto& roofline = rooflines[i];
        const auto add = [&](std::size_t index, std::string name, double flops, double bytes, double seconds,
                             const Demand& demand) {
            RooflinePoint point;
            point.roofline = i;
            point.operatorIndex = index;
            point.name = std::move(name);
            point.intensity = flops / bytes;
            point.achieved = flops / seconds;
            point.seconds = seconds;
            point.share = seconds / roofline.detail.seconds;
            setRoof(point, roofline, demand);
            points.push_back(std::move(point));
        };
        double l2 = 0; // B of the step
        for (std::size_t k = 0; k < roofline.detail.operators.size(); ++k) {
            const auto& row = roofline.detail.operators[k];
            if (waitsForFlows(roofline, row))
                continue;
            add(k, row.label, row.flops, row.bytes, row.seconds,
                {row.flops, row.peakFlops, row.memoryTraffic, row.l2Traffic});
            l2 += row.l2Traffic;
        }
        for (std::size_t k = 0; k < roofline.detail.flows.size(); ++k) {
            const auto& flow = roofline.detail.flows[k];
            const bool here = runsOnDevice(flow);
            add(RooflinePoint::kFlow, flow.label, flow.flops, flow.bytes, flow.seconds,
                {here ? flow.flops : 0.0, roofline.peakFlops, here ? flow.bytes : 0.0, 0.0});
            points.back().flowIndex = k;
            setLink(points.back(), flow);
        }
        // What is prefetched goes through memory too: not in an operator's own time, but in the step's.
        add(RooflinePoint::kWholeStep, RooflineWorkspace::tr("Whole step").toStdString(), roofline.step.flops,
            roofline.step.bytes, roofline.step.seconds,
            {roofline.step.flops, roofline.step.peakFlops,
             roofline.l2Bandwidth > 0 ? roofline.step.movedBytes : roofline.step.bytes, l2});
        for (const auto& flow : roofline.detail.flows)
            setLink(points.back(), flow);
    }
    return points;
}

QString rooflineCsv(const std::vector<Roofline>& rooflines,
                    const std::function<bool(const RooflinePoint&)>& wanted) {
    std::string text =
        "node,phase,operator,flop,bytes,seconds,share,intensity_flop_per_b,achieved_flop_s,of_roof\n";
    const auto cell = [](double value) {
        return std::isfinite(value) ? engine::exactText(value) : std::string();
    };
    for (const auto& point : rooflinePoints(rooflines)) {
        if (wanted && !wanted(point))
            continue;
        const auto& roofline = rooflines[point.roofline];
        const auto* flow =
            point.operatorIndex == RooflinePoint::kFlow ? &roofline.detail.flows[point.flowIndex] : nullptr;
        const auto* row = flow || point.operatorIndex == RooflinePoint::kWholeStep
                              ? nullptr
                              : &roofline.detail.operators[point.operatorIndex];
        text += engine::csvField(roofline.node.value) + ',' + std::string(engine::phaseName(roofline.phase)) +
                ',' +
                engine::csvField(flow  ? std::string(engine::workName(flow->work))
                                 : row ? row->key
                                       : "step");
        for (const double value : {flow  ? flow->flops
                                   : row ? row->flops
                                         : roofline.step.flops,
                                   flow  ? flow->bytes
                                   : row ? row->bytes
                                         : roofline.step.bytes,
                                   point.seconds, point.share, point.intensity, point.achieved, point.ofRoof})
            text += ',' + cell(value);
        text += '\n';
    }
    return QString::fromStdString(text);
}

} // namespace heteroscape::widgets
