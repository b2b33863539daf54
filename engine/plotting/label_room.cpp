// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/label_placement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <tuple>
#include <utility>

namespace heteroscape::engine {

NameFit fitNames(const std::vector<double>& widths, double height, double pitch, double gap) {
    bool level = true;
    for (std::size_t i = 1; i < widths.size(); ++i)
        level = level && (widths[i - 1] + widths[i]) / 2 + gap <= pitch;
    if (level)
        return {};
    if (pitch >= height * std::numbers::sqrt2)
        return {NameFit::Way::Slanted, 1};
    if (pitch >= height)
        return {NameFit::Way::Upright, 1};
    if (!(pitch > 0))
        return {NameFit::Way::Upright, static_cast<int>(widths.size())};
    return {NameFit::Way::Upright, static_cast<int>(std::ceil(height / pitch))};
}

namespace {

constexpr double kCell = 4.0;       // px of the grid in which free room is looked for
constexpr double kFirstReach = 32;  // px from what is named, looked at first
constexpr double kBesideLine = 3.0; // between a line and the words along it
constexpr double kLevel = 0.02;     // radians below which a line is level
constexpr int kFinePlaces = 40;     // along a line, where no usual place is free
constexpr int kMostRefused = 500;   // free places of one label, before it stays out

} // namespace

/// Which cells of a rectangle are taken, and how many in any part of it in constant time.
class FreeRoom::Cells {
public:
    explicit Cells(const PlotBox& bounds)
        : m_bounds(bounds), m_columns(cells(bounds.width)), m_rows(cells(bounds.height)),
          m_taken(static_cast<std::size_t>(m_columns * m_rows)) {}

    int columns() const { return m_columns; }
    int rows() const { return m_rows; }

    void add(const PlotBox& box) {
        m_summed = false;
        const int right = std::min(m_columns - 1, column(box.right())),
                  last = std::min(m_rows - 1, row(box.bottom()));
        for (int r = std::max(0, row(box.top)); r <= last; ++r)
            for (int c = std::max(0, column(box.left)); c <= right; ++c)
                take(c, r);
    }

    void add(const PlotSegment& s) {
        m_summed = false;
        const double length = std::hypot(s.x2 - s.x1, s.y2 - s.y1);
        const int steps = std::min(100'000, static_cast<int>(length / (kCell / 2)) + 1);
        for (int i = 0; i <= steps; ++i) {
            const double share = static_cast<double>(i) / steps;
            const int c = column(s.x1 + share * (s.x2 - s.x1)), r = row(s.y1 + share * (s.y2 - s.y1));
            if (c >= 0 && r >= 0 && c < m_columns && r < m_rows)
                take(c, r);
        }
    }

    void sumUp() {
        if (std::exchange(m_summed, true))
            return;
        m_sums.assign(static_cast<std::size_t>((m_columns + 1) * (m_rows + 1)), 0);
        for (int r = 0; r < m_rows; ++r)
            for (int c = 0; c < m_columns; ++c)
                sum(c + 1, r + 1) = sum(c, r + 1) + sum(c + 1, r) - sum(c, r) +
                                    m_taken[static_cast<std::size_t>(r * m_columns + c)];
    }

    /// Of a stretch of cells with one more around it.
    bool isFree(int left, int top, int wide, int high) {
        const int l = std::max(0, left - 1), t = std::max(0, top - 1);
        const int r = std::min(m_columns, left + wide + 1), b = std::min(m_rows, top + high + 1);
        return sum(r, b) - sum(l, b) - sum(r, t) + sum(l, t) == 0;
    }

private:
    static int cells(double length) { return std::clamp(static_cast<int>(length / kCell), 0, 2000); }
    int column(double x) const { return cellAt(x - m_bounds.left); }
    int row(double y) const { return cellAt(y - m_bounds.top); }
    static int cellAt(double length) {
        return static_cast<int>(std::floor(std::clamp(length, -1e6, 1e6) / kCell));
    }
    void take(int c, int r) { m_taken[static_cast<std::size_t>(r * m_columns + c)] = 1; }
    std::int32_t& sum(int c, int r) { return m_sums[static_cast<std::size_t>(r * (m_columns + 1) + c)]; }

    PlotBox m_bounds;
    int m_columns, m_rows;
    std::vector<std::uint8_t> m_taken;
    std::vector<std::int32_t> m_sums;
    bool m_summed = false;
};

namespace {

double distance(const LabelRequest& request, const PlotBox& box) {
    const double dx = request.x - std::clamp(request.x, box.left, box.right()),
                 dy = request.y - std::clamp(request.y, box.top, box.bottom());
    return std::sqrt(dx * dx + dy * dy); // within a plot: nothing overflows
}

} // namespace

bool crosses(const PlotSegment& segment, const TurnedBox& box) {
    const double cosine = std::cos(box.radians), sine = std::sin(box.radians);
    const auto turned = [&](double x, double y) {
        return std::pair{(x - box.x) * cosine + (y - box.y) * sine,
                         (y - box.y) * cosine - (x - box.x) * sine};
    };
    const auto [x1, y1] = turned(segment.x1, segment.y1);
    const auto [x2, y2] = turned(segment.x2, segment.y2);
    return crosses(PlotSegment{x1, y1, x2, y2},
                   PlotBox{-box.width / 2, -box.height / 2, box.width, box.height});
}

std::vector<PlotBox> boxesOf(const TurnedBox& box) {
    std::vector<PlotBox> boxes;
    const double cosine = std::cos(box.radians), sine = std::sin(box.radians);
    const int parts = std::fabs(box.radians) < kLevel ? 1 : 9;
    for (int i = 0; i < parts; ++i) {
        const double offset = box.width * ((i + 0.5) / parts - 0.5);
        const double x = box.x + offset * cosine, y = box.y + offset * sine;
        const double w = box.width / parts * std::fabs(cosine) + box.height * std::fabs(sine);
        const double h = box.width / parts * std::fabs(sine) + box.height * std::fabs(cosine);
        boxes.push_back({x - w / 2, y - h / 2, w, h});
    }
    return boxes;
}

std::optional<TurnedBox> placeAlong(const PlotSegment& line, double width, double height, bool below,
                                    const std::vector<PlotBox>& words, const std::vector<PlotSegment>& lines,
                                    const PlotBox& bounds) {
    const double dx = line.x2 - line.x1, dy = line.y2 - line.y1, length = std::hypot(dx, dy);
    if (length < width + 8)
        return std::nullopt;
    const double radians = std::atan2(dy, dx);
    const double reach = (width / 2 + 4) / length;
    const double aside = height / 2 + kBesideLine;
    const auto tryAt = [&](double place, bool under) -> std::optional<TurnedBox> {
        const double at = std::clamp(place, reach, 1 - reach), away = under ? -aside : aside;
        const TurnedBox box{line.x1 + at * dx + away * std::sin(radians),
                            line.y1 + at * dy - away * std::cos(radians), width, height, radians};
        for (const auto& part : boxesOf(box))
            if (!part.isInside(bounds) || std::any_of(words.begin(), words.end(),
                                                      [&](const auto& word) { return overlap(part, word); }))
                return std::nullopt;
        if (std::any_of(lines.begin(), lines.end(), [&](const auto& other) { return crosses(other, box); }))
            return std::nullopt;
        return box;
    };
    // Level names stand at the right end, others in the middle, unless something is there.
    static constexpr std::array kLevelPlaces{1.0, 0.85, 0.7, 0.55, 0.4, 0.2, 0.0};
    static constexpr std::array kSlopingPlaces{0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2};
    const auto& places = std::fabs(radians) < kLevel ? kLevelPlaces : kSlopingPlaces;
    for (const bool under : {below, !below})
        for (const double place : places)
            if (const auto box = tryAt(place, under))
                return box;
    for (const bool under : {below, !below})
        for (int i = 0; i <= kFinePlaces; ++i)
            if (const auto box = tryAt(1 - static_cast<double>(i) / kFinePlaces, under))
                return box;
    return std::nullopt;
}

FreeRoom::FreeRoom(const PlotBox& bounds) : m_bounds(bounds), m_cells(std::make_unique<Cells>(bounds)) {}

FreeRoom::~FreeRoom() = default;

void FreeRoom::take(const PlotBox& box) {
    m_cells->add(box);
}

void FreeRoom::take(const PlotSegment& line) {
    m_cells->add(line);
}

std::optional<PlotBox> FreeRoom::nearest(const LabelRequest& request,
                                         const std::function<bool(const PlotBox&)>& accept) {
    const auto& bounds = m_bounds;
    auto& cells = *m_cells;
    cells.sumUp();
    const int wide = static_cast<int>(std::ceil(request.width / kCell)),
              high = static_cast<int>(std::ceil(request.height / kCell));
    struct Candidate {
        double distance;
        int row, column;
    };
    std::vector<Candidate> candidates;
    const auto boxAt = [&](int row, int column) {
        return PlotBox{bounds.left + column * kCell, bounds.top + row * kCell, request.width, request.height};
    };
    // One of the nearest is taken nearly always: they are sought within a reach that grows.
    const int lastRow = cells.rows() - high, lastColumn = cells.columns() - wide;
    if (lastRow < 0 || lastColumn < 0 || !std::isfinite(request.x) || !std::isfinite(request.y))
        return std::nullopt;
    const auto index = [](double pixels, int last) { // of a cell, one further out
        return static_cast<int>(std::clamp(std::floor(pixels / kCell), -1.0, last + 1.0));
    };
    double within = -1;
    int refused = 0;
    for (double reach = kFirstReach;; reach *= 2) {
        const int top = index(request.y - reach - request.height - bounds.top, lastRow) - 1,
                  bottom = index(request.y + reach - bounds.top, lastRow) + 1,
                  left = index(request.x - reach - request.width - bounds.left, lastColumn) - 1,
                  right = index(request.x + reach - bounds.left, lastColumn) + 1;
        bool further = top > 0 || left > 0 || bottom < lastRow || right < lastColumn;
        candidates.clear();
        for (int r = std::max(0, top); r <= std::min(lastRow, bottom); ++r)
            for (int c = std::max(0, left); c <= std::min(lastColumn, right); ++c)
                if (cells.isFree(c, r, wide, high)) {
                    const double away = distance(request, boxAt(r, c));
                    further = further || away > reach;
                    if (away > request.radius && away > within && away <= reach)
                        candidates.push_back({away, r, c});
                }
        const auto isFurther = [](const Candidate& a, const Candidate& b) {
            return std::tie(a.distance, a.row, a.column) > std::tie(b.distance, b.row, b.column);
        };
        std::make_heap(candidates.begin(), candidates.end(), isFurther);
        for (auto end = candidates.end(); end != candidates.begin(); --end) {
            std::pop_heap(candidates.begin(), end, isFurther);
            const auto& nearest = *std::prev(end);
            if (const auto box = boxAt(nearest.row, nearest.column); !accept || accept(box))
                return box;
            if (++refused == kMostRefused)
                return std::nullopt;
        }
        if (!further)
            return std::nullopt;
        within = reach;
    }
}

std::optional<PlotBox> nearestFree(const LabelRequest& request, const std::vector<PlotBox>& words,
                                   const std::vector<PlotSegment>& lines, const PlotBox& bounds,
                                   const std::function<bool(const PlotBox&)>& accept) {
    FreeRoom room(bounds);
    for (const auto& word : words)
        room.take(word);
    for (const auto& line : lines)
        room.take(line);
    return room.nearest(request, accept);
}

} // namespace heteroscape::engine
