// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/series.h"

#include "engine/evaluation/metric_path.h"
#include "engine/plotting/grid_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace heteroscape::engine {

Stretch barStretch(std::size_t category, int bar, int count, double share) {
    const double each = share / std::max(count, 1);
    const double from = static_cast<double>(category) - share / 2 + bar * each;
    return {from, from + each};
}

std::optional<BarAt> barAt(double x, std::size_t categories, int count, double share) {
    const double nearest = std::round(x);
    if (!(nearest >= 0) || nearest >= static_cast<double>(categories) || count < 1)
        return std::nullopt;
    const double along = (x - nearest + share / 2) / share;
    if (along < 0 || along >= 1)
        return std::nullopt;
    return BarAt{static_cast<std::size_t>(nearest), std::min(count - 1, static_cast<int>(along * count))};
}

std::vector<Stretch> stackPieces(const std::vector<double>& values, const std::vector<int>& bars) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::map<int, double> above, below;
    std::vector<Stretch> pieces;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            pieces.push_back({none, none});
            continue;
        }
        double& end = (values[i] < 0 ? below : above)[bars.at(i)];
        pieces.push_back({end, end + values[i]});
        end += values[i];
    }
    return pieces;
}

namespace {

/// The points behind one plotted value. NaN in any makes the whole NaN.
struct Mean {
    MeanKind kind;
    std::size_t firstRow;
    double sum = 0.0;
    double count = 0.0;

    void add(double value) {
        sum += kind == MeanKind::Harmonic ? 1.0 / value : value;
        ++count;
    }
    double value() const {
        return kind == MeanKind::Sum ? sum : kind == MeanKind::Harmonic ? count / sum : sum / count;
    }
};

/// Values of a column, or their gain over the base of their row.
class GainReader {
public:
    GainReader(const StudyTable& table, const SeriesQuery& query)
        : m_table(table), m_value(table, columnOf(table, query.metric)), m_baseline(query.baseline.get()),
          m_metric(query.metric) {
        if (query.gain.axis.empty())
            return;
        std::vector<HeldAxis> at{{query.gain.axis, query.gain.value}};
        at.insert(at.end(), query.gain.further.begin(), query.gain.further.end());
        for (const auto& [name, value] : at)
            columnOf(table, name);
        m_lessIsBetter = betterOf(query.metric) < 0;
        m_ratio = true;
        if (countsOut(at))
            return;
        // Rows that differ only in these axes share the place that their other coordinates make.
        std::map<std::vector<double>, std::size_t> bases;
        std::vector<double> place;
        const auto placeOf = [&](std::size_t row) -> const std::vector<double>& {
            place.clear();
            for (const auto& column : table.columns)
                if (column.isAxis && !query.gain.names(column.name))
                    place.push_back(column.values[row]);
            return place;
        };
        for (const auto row : rowsAt(table, at))
            bases.emplace(placeOf(row), row);
        m_base.assign(table.rows(), kNone);
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (const auto base = bases.find(placeOf(row)); base != bases.end())
                m_base[row] = base->second;
    }

    double value(std::size_t row) const {
        const double own = m_value(row);
        if (!m_ratio)
            return m_baseline ? m_baseline->ratio(m_metric, own) : own;
        const auto at = baseOf(row);
        if (at == kNone)
            return std::numeric_limits<double>::quiet_NaN();
        const double base = m_value(at);
        return m_lessIsBetter ? base / own : own / base;
    }

private:
    static constexpr auto kNone = static_cast<std::size_t>(-1);

    /// An axis that is another at the base.
    struct Shift {
        std::size_t stride, length, base;
    };

    /// Of a whole grid in its own order the row of a base is a matter of counting.
    bool countsOut(const std::vector<HeldAxis>& at) {
        const auto grid = wholeGrid(m_table);
        if (!grid)
            return false;
        for (const auto& axis : *grid)
            for (const auto& [name, value] : at)
                if (name == axis.axis->path)
                    m_shifts.push_back({axis.stride, axis.length(), axis.position(value)});
        if (std::all_of(m_shifts.begin(), m_shifts.end(),
                        [](const auto& one) { return one.base < one.length; }))
            return true;
        m_shifts.clear();
        return false;
    }

    std::size_t baseOf(std::size_t row) const {
        if (!m_base.empty())
            return m_base[row];
        for (const auto& shift : m_shifts)
            row = row - row / shift.stride % shift.length * shift.stride + shift.base * shift.stride;
        return row;
    }

    const StudyTable& m_table;
    const FeasibleValues m_value;
    const Baseline* m_baseline;
    const std::string m_metric;
    bool m_ratio = false;
    bool m_lessIsBetter = false;
    std::vector<Shift> m_shifts;     ///< of a whole grid
    std::vector<std::size_t> m_base; ///< else, of each row
};

} // namespace

FeasibleValues::FeasibleValues(const StudyTable& table, const StudyColumn& column)
    : m_feasible(column.isAxis ? nullptr : table.find("feasible")), m_column(column) {
    if (m_feasible == &column)
        m_feasible = nullptr;
}

double feasibleValue(const StudyTable& table, const StudyColumn& column, std::size_t row) {
    return FeasibleValues(table, column)(row);
}

double Baseline::ratio(const std::string& column, double value) const {
    const auto own = metrics.find(column);
    return own == metrics.end() ? value : value / own->second;
}

std::span<const std::string_view> meanKindNames() {
    static constexpr std::array<std::string_view, 3> names{"arithmetic", "harmonic", "sum"};
    return names;
}

bool GainOver::names(const std::string& path) const {
    return path == axis || std::any_of(further.begin(), further.end(),
                                       [&path](const auto& other) { return other.first == path; });
}

bool SeriesQuery::inCases(const std::string& path) const {
    return std::any_of(cases.begin(), cases.end(), [&path](const auto& one) {
        return std::any_of(one.at.begin(), one.at.end(), [&path](const auto& h) { return h.first == path; });
    });
}

std::vector<Series> studySeries(const StudyTable& table, const SeriesQuery& query) {
    if (!query.cases.empty()) {
        std::vector<Series> series;
        for (std::size_t i = 0; i < query.cases.size(); ++i) {
            auto cut = query;
            cut.cases.clear();
            cut.curve.clear();
            cut.fixed.insert(cut.fixed.end(), query.cases[i].at.begin(), query.cases[i].at.end());
            for (auto& one : studySeries(table, cut)) {
                one.curveValue = static_cast<double>(i);
                series.push_back(std::move(one));
            }
        }
        return series;
    }
    const auto& x = columnOf(table, query.x);
    const auto* curve = query.curve.empty() ? nullptr : &columnOf(table, query.curve);
    double expected = 1.0; // points of each mean
    for (const auto& name : query.meanOver) {
        columnOf(table, name);
        for (const auto& axis : table.info.axes)
            if (axis.path == name)
                expected *= static_cast<double>(axis.values.size());
    }
    const GainReader gain(table, query);

    struct Curve {
        double value;
        std::map<double, Mean> points; ///< by x
    };
    std::vector<Curve> curves;
    std::map<double, std::size_t> indexOf;
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (const auto row : rowsAt(table, query.fixed)) {
        const double value = curve ? curve->values[row] : 0.0;
        const auto [at, isNew] = indexOf.try_emplace(value, curves.size());
        if (isNew)
            curves.push_back({curve ? value : none, {}});
        curves[at->second]
            .points.try_emplace(x.values[row], Mean{query.mean, row})
            .first->second.add(gain.value(row));
    }
    std::vector<Series> series;
    for (const auto& one : curves) {
        auto& s = series.emplace_back();
        s.curveValue = one.value;
        for (const auto& [at, mean] : one.points) {
            s.x.push_back(at);
            s.y.push_back(mean.count < expected ? none : mean.value()); // of an unfinished run: a gap
            s.rows.push_back(mean.firstRow);
        }
    }
    return series;
}

std::optional<std::size_t> bestIndex(const std::vector<double>& values, int better, double within) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i]) && (!best || better * values[i] > better * values[*best]))
            best = i;
    if (!best)
        return best;
    const double enough = within * std::fabs(values[*best]);
    for (std::size_t i = 0; i < *best; ++i)
        if (std::fabs(values[i] - values[*best]) <= enough)
            return i;
    return best;
}

std::optional<std::size_t> nearestIndex(const std::vector<double>& values, double x, bool log) {
    std::optional<std::size_t> nearest;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = log ? std::fabs(std::log(values[i] / x)) : std::fabs(values[i] - x);
        if (distance < smallest) {
            smallest = distance;
            nearest = i;
        }
    }
    return nearest;
}

} // namespace heteroscape::engine
