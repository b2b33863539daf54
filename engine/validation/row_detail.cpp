// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/row_detail.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace heteroscape::engine {

namespace {

constexpr double kStep = 0.01;      // of a figure, either way
constexpr double kReach = 16.0;     // times the row's own number
constexpr int kPointsAlong = 41;    // an odd number: the row's own is one of them
constexpr double kLeastShare = 0.5; // per cent; less is left out

struct Figure {
    std::string_view name;
    void (*scale)(GpuFigures& figures, double factor);
};

constexpr std::array<Figure, 6> kFigures{
    {{"tensor peaks",
      [](GpuFigures& figures, double factor) {
          for (auto& peak : figures.tflops)
              peak *= factor;
      }},
     {"memory bandwidth", [](GpuFigures& figures, double factor) { figures.hbmTbs *= factor; }},
     {"L2", [](GpuFigures& figures, double factor) { figures.l2Mb *= factor; }},
     {"exponentials", [](GpuFigures& figures, double factor) { figures.mufuClk *= factor; }},
     {"link", [](GpuFigures& figures, double factor) { figures.linkGbs *= factor; }},
     {"network", [](GpuFigures& figures, double factor) { figures.networkGbs *= factor; }}}};

/// Numbers that are not of the shape: what was measured, marks, and what follows from the routing.
bool isShape(const MeasuredColumn& column) {
    constexpr std::array<std::string_view, 5> kNone{"measured_us", "us", "odd", "assigned", "touched"};
    return column.number && std::find(kNone.begin(), kNone.end(), column.name) == kNone.end();
}

/// Columns in which rows that are alike may differ beside the one that they are followed along.
bool isIdentity(const MeasuredColumn& column) {
    return !column.number || isShape(column);
}

bool differOnlyIn(const MeasuredColumn& along, const MeasuredRow& one, const MeasuredRow& other) {
    const auto columns = measuredColumns(one.form());
    return std::all_of(columns.begin(), columns.end(), [&](const MeasuredColumn& column) {
        return column.name == along.name || !isIdentity(column) ||
               one.text(column.name) == other.text(column.name);
    });
}

std::vector<const MeasuredRow*> alike(const MeasuredColumn& along, std::span<const MeasuredRow> rows,
                                      const MeasuredRow& row) {
    std::vector<const MeasuredRow*> found;
    for (const auto& other : rows)
        if (other.form() == row.form() && other.text("op") == row.text("op") && other.has(along.name) &&
            differOnlyIn(along, row, other))
            found.push_back(&other);
    std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) {
        return a->number(along.name) < b->number(along.name);
    });
    return found;
}

/// The row with another number in a column, and without what was worked out from its routing for the old one.
MeasuredRow withNumber(const MeasuredRow& row, const MeasuredColumn& along, const std::string& number) {
    std::vector<std::string_view> cells;
    for (const auto& column : measuredColumns(row.form())) {
        const bool stale = column.name == "assigned" || column.name == "touched";
        cells.push_back(column.name == along.name ? std::string_view(number)
                        : stale                   ? std::string_view()
                                                  : row.text(column.name));
    }
    return {row.form(), row.line(), cells};
}

const MeasuredColumn* chosenColumn(std::span<const MeasuredRow> rows, const MeasuredRow& row,
                                   std::vector<const MeasuredRow*>& found) {
    constexpr std::array<std::string_view, 6> kUsual{"tokens", "m", "context", "seq", "bytes", "batch"};
    const auto rank = [&](std::string_view name) {
        return std::find(kUsual.begin(), kUsual.end(), name) - kUsual.begin();
    };
    const MeasuredColumn* best = nullptr;
    for (const auto& column : measuredColumns(row.form())) {
        if (!isShape(column) || !row.has(column.name) || row.number(column.name) <= 0.0)
            continue;
        auto like = alike(column, rows, row);
        const bool usual = best && like.size() == found.size() && rank(column.name) < rank(best->name);
        if (!best || like.size() > found.size() || usual) {
            best = &column;
            found = std::move(like);
        }
    }
    return best;
}

} // namespace

std::vector<TimeShare> timeShares(const KernelCatalog& catalog, const MeasuredRow& row) {
    predictRow(catalog, row); // says why where there is no answer
    auto moved = catalog;
    const auto gpu = std::find_if(moved.gpus.begin(), moved.gpus.end(),
                                  [&](const Gpu& one) { return one.id == row.text("device"); });
    const auto figures = gpu->figures;
    std::vector<TimeShare> shares;
    double rest = 100.0;
    for (const auto& figure : kFigures) {
        std::array<double, 2> us{};
        for (std::size_t i = 0; i < us.size(); ++i) {
            gpu->figures = figures;
            figure.scale(gpu->figures, i == 0 ? 1.0 - kStep : 1.0 + kStep);
            us[i] = predictRow(moved, row).us;
        }
        const double percent = -100.0 * std::log(us[1] / us[0]) / std::log((1.0 + kStep) / (1.0 - kStep));
        if (!(std::abs(percent) >= kLeastShare))
            continue;
        shares.push_back({figure.name, percent});
        rest -= percent;
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const TimeShare& a, const TimeShare& b) { return a.percent > b.percent; });
    if (rest >= kLeastShare)
        shares.push_back({"starts and waits", rest});
    return shares;
}

std::vector<std::pair<std::string_view, std::string_view>> shapeOf(const MeasuredRow& row) {
    std::vector<std::pair<std::string_view, std::string_view>> shape;
    for (const auto& column : measuredColumns(row.form()))
        if (isShape(column) && row.has(column.name) && row.text(column.name) != "0")
            shape.emplace_back(column.name, row.text(column.name));
    return shape;
}

RowSeries seriesOf(const KernelCatalog& catalog, std::span<const MeasuredRow> rows, const MeasuredRow& row) {
    RowSeries series;
    std::vector<const MeasuredRow*> found;
    const auto* column = chosenColumn(rows, row, found);
    if (!column)
        return series;
    series.column = column->name;
    for (const auto* like : found) {
        series.measuredAt.push_back(like->number(column->name));
        series.measuredUs.push_back(like->measuredUs());
    }
    const double own = row.number(column->name);
    for (int i = 0; i < kPointsAlong; ++i) {
        double at = own * std::pow(kReach, 2.0 * i / (kPointsAlong - 1) - 1.0);
        if (column->whole)
            at = std::round(at);
        if (at < column->minimum || at > column->maximum || (!series.at.empty() && at <= series.at.back()))
            continue;
        try {
            const auto time = predictRow(catalog, withNumber(row, *column, exactText(at)));
            if (!std::isfinite(time.us) || time.us <= 0.0)
                continue;
            series.at.push_back(at);
            series.modelUs.push_back(time.us);
        } catch (const Error&) { // such a shape has no answer
        }
    }
    return series;
}

} // namespace heteroscape::engine
