// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/request_lanes.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kLabelShare = 0.22;  ///< of the width, at most, for the column of labels
constexpr double kLabelChrome = 38.0; ///< px beside the letters: margin, dot, gaps

} // namespace

double RequestsLayout::scrollMost() const {
    return std::max(0.0, contentHeight() - lanes.height());
}

QRectF RequestsLayout::rowOf(std::size_t lane) const {
    return {lanes.left(), lanes.top() + tops[lane] - scroll, lanes.width(), rowHeight};
}

std::pair<std::size_t, std::size_t> RequestsLayout::seen() const {
    if (tops.size() < 2)
        return {0, 0};
    const auto count = tops.size() - 1;
    const auto after = [this, count](double y) {
        return static_cast<std::size_t>(
            std::upper_bound(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(count), y) -
            tops.begin());
    };
    return {std::max<std::size_t>(after(scroll), 1) - 1, after(scroll + lanes.height() - 1e-6)};
}

std::optional<std::size_t> RequestsLayout::laneAt(double y) const {
    if (y < lanes.top() || y >= lanes.bottom())
        return {};
    const auto [first, last] = seen();
    for (auto lane = first; lane < last; ++lane)
        if (const auto row = rowOf(lane); y >= row.top() && y < row.bottom())
            return lane;
    return {};
}

RequestsLayout layOut(const RequestLanes& lanes, const RequestsLayoutOptions& options) {
    const QFontMetricsF metrics(options.style.font());
    const bool picture = options.height <= 0.0;
    RequestsLayout layout;
    layout.rowHeight = std::max(kLaneHeight, std::ceil(metrics.height()) + 3.0);
    layout.labelWidth = kLabelColumn;
    for (const auto& lane : lanes.lanes())
        layout.labelWidth =
            std::max(layout.labelWidth, kLabelChrome + metrics.horizontalAdvance(lane.title + lane.place));
    layout.labelWidth =
        std::ceil(std::min(layout.labelWidth, std::max(kLabelColumn, kLabelShare * options.width)));
    layout.busyWidth = busyColumn(metrics);
    double y = 0.0;
    const auto last = std::min(options.only.second, lanes.lanes().size());
    for (std::size_t i = 0; i < last; ++i) {
        const bool shown = i >= options.only.first;
        if (shown && lanes.lanes()[i].opens && i > options.only.first)
            y += kBetweenGroups;
        layout.tops.push_back(y);
        y += shown ? layout.rowHeight : 0.0;
    }
    layout.tops.push_back(y);

    const double left = layout.labelWidth;
    const double across = layout.across(options.width);
    const double strip = std::max(kOverviewHeight, layout.rowHeight);
    layout.axis = QRectF(left, 0, across, layout.rowHeight);
    const double above = layout.axis.bottom(), below = picture ? 0.0 : strip + 4.0;
    const double room = picture ? y : std::max(layout.rowHeight, options.height - above - below);
    layout.lanes = QRectF(left, above, across, std::min(room, std::max(y, layout.rowHeight)));
    if (picture)
        layout.legend = QRectF(left, layout.lanes.bottom() + 4.0, across, layout.rowHeight);
    else // at the bottom, wherever the lanes end
        layout.overview =
            QRectF(left, std::max(options.height - strip - 1.0, layout.lanes.bottom() + 3.0), across, strip);
    layout.scroll = std::clamp(options.scroll, 0.0, layout.scrollMost());
    return layout;
}

namespace {

constexpr double kEarly = 0.05; ///< of the run: a first arrival up to there is shown from time 0

} // namespace

RequestLanes::RequestLanes(std::shared_ptr<const SimulationRun> run)
    : m_run(std::move(run)), m_bins(result().segments, result().lanes.size()) {
    double end = result().firstArrival;
    for (const auto& one : result().segments)
        end = std::max(end, one.end);
    const double start = result().firstArrival < kEarly * end ? 0.0 : result().firstArrival;
    m_whole = {start, end > start ? end : start + 1.0};
    const auto& scenario = m_run->scenario;
    const auto& lanes = result().lanes;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const auto name = engine::servingLaneName(scenario, m_run->serving, i);
        const auto node = m_run->serving.poolNodes[lanes[i].pool];
        const auto filled = m_bins.filled(i, m_whole.from, m_whole.to);
        const auto of = [&](engine::ServingPhase phase) { return filled[static_cast<std::size_t>(phase)]; };
        m_lanes.push_back(
            {QString::fromStdString(name.title), QString::fromStdString(name.place),
             scenario.nodes[node].device.kind, i == 0 || lanes[i - 1].pool != lanes[i].pool,
             (of(engine::ServingPhase::Prefill) + of(engine::ServingPhase::Decode)) / m_whole.length()});
    }
}

bool RequestLanes::isComplete() const {
    return result().arrived + result().refused <= SimulationRunner::kRecorded;
}

std::uint64_t RequestLanes::recorded() const {
    return std::min(result().arrived + result().refused, SimulationRunner::kRecorded);
}

std::optional<std::size_t> RequestLanes::at(std::size_t lane, double seconds, double within) const {
    const auto [first, last] = m_bins.of(lane);
    const auto next = m_bins.firstEndingAfter(lane, seconds);
    std::optional<std::size_t> found;
    double best = within;
    if (next < last && segment(next).start <= seconds)
        return next;
    if (next < last && segment(next).start - seconds <= best) {
        found = next;
        best = segment(next).start - seconds;
    }
    if (next > first && seconds - segment(next - 1).end < best)
        found = next - 1;
    return found;
}

std::uint32_t RequestLanes::lastRequest(const engine::ServingSegment& segment) const {
    const auto simple = segment.request + segment.requests - 1;
    if (segment.requests == 1 || result().refused == 0)
        return simple;
    // A batch takes those that wait in their order; refused ones between them are in no batch.
    const auto& all = result().requests;
    const auto first = std::lower_bound(
        all.begin(), all.end(), segment.request,
        [](const engine::ServedRequest& one, std::uint32_t id) { return one.request.id < id; });
    const auto index = first - all.begin() + static_cast<std::ptrdiff_t>(segment.requests) - 1;
    return index < static_cast<std::ptrdiff_t>(all.size()) ? all[static_cast<std::size_t>(index)].request.id
                                                           : simple;
}

std::vector<std::size_t> RequestLanes::segmentsOf(std::uint32_t request) const {
    std::vector<std::size_t> found;
    const auto& all = result().segments;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].request == request ||
            (all[i].requests > 1 && all[i].request < request && request <= lastRequest(all[i])))
            found.push_back(i);
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].start < all[b].start; });
    return found;
}

const engine::ServedRequest* RequestLanes::served(std::uint32_t request) const {
    const auto& all = result().requests;
    const auto found = std::lower_bound(
        all.begin(), all.end(), request,
        [](const engine::ServedRequest& one, std::uint32_t id) { return one.request.id < id; });
    return found != all.end() && found->request.id == request ? &*found : nullptr;
}

std::optional<double> RequestLanes::arrivalOf(std::uint32_t request) const {
    if (const auto* found = served(request))
        return found->request.arrival;
    const auto segments = segmentsOf(request); // not finished: what it waited before its prefill tells
    if (segments.empty() || segment(segments.front()).request != request ||
        segment(segments.front()).phase != engine::ServingPhase::Prefill)
        return {};
    return segment(segments.front()).start - segment(segments.front()).waited;
}

} // namespace heteroscape::widgets
