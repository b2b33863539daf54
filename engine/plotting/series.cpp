// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/series.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace heteroscape::engine {

namespace {

const StudyColumn* findColumn(const StudyTable& table, const std::string& name) {
    for (const auto& column : table.columns)
        if (column.name == name)
            return &column;
    return nullptr;
}

const StudyColumn& columnOf(const StudyTable& table, const std::string& name) {
    if (const auto* column = findColumn(table, name))
        return *column;
    std::string allowed;
    for (const auto& column : table.columns)
        allowed += (allowed.empty() ? "" : ", ") + column.name;
    throw Error(ErrorCode::NotFound, "study \"" + table.info.name + "\"", "it has no column \"" + name + "\"",
                "Columns: " + allowed);
}

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

bool isAt(const std::vector<std::pair<const StudyColumn*, double>>& held, std::size_t row) {
    return std::all_of(held.begin(), held.end(),
                       [row](const auto& h) { return h.first->values[row] == h.second; });
}

/// Values of a column, or their gain over the base of their row.
class GainReader {
public:
    GainReader(const StudyTable& table, const SeriesQuery& query)
        : m_table(table), m_value(table, columnOf(table, query.metric)), m_baseline(query.baseline.get()),
          m_metric(query.metric) {
        if (query.gain.axis.empty())
            return;
        std::vector<std::pair<const StudyColumn*, double>> at{
            {&columnOf(table, query.gain.axis), query.gain.value}};
        for (const auto& [name, value] : query.gain.further)
            at.emplace_back(&columnOf(table, name), value);
        m_lessIsBetter = betterOf(query.metric) < 0;
        // Rows that differ only in these axes share the place that their other coordinates make.
        m_ratio = true;
        if (findByOrdinal(at))
            return;
        std::map<std::vector<double>, std::size_t> bases;
        std::vector<double> place;
        const auto placeOf = [&](std::size_t row) -> const std::vector<double>& {
            place.clear();
            for (const auto& column : table.columns)
                if (column.isAxis && !query.gain.names(column.name))
                    place.push_back(column.values[row]);
            return place;
        };
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (isAt(at, row))
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
        if (m_base[row] == kNone)
            return std::numeric_limits<double>::quiet_NaN();
        const double base = m_value(m_base[row]);
        return m_lessIsBetter ? base / own : own / base;
    }

private:
    static constexpr auto kNone = static_cast<std::size_t>(-1);

    /// Of a whole grid in its own order: the row of the base is a matter of counting.
    bool findByOrdinal(const std::vector<std::pair<const StudyColumn*, double>>& at) {
        const auto& axes = m_table.info.axes;
        if (axes.empty() || Study{{}, {}, axes}.pointCount() != m_table.rows())
            return false;
        struct Shift {
            std::size_t stride, length, base;
        };
        std::vector<Shift> shifts;
        std::size_t stride = 1;
        for (std::size_t i = axes.size(); i-- > 0;) {
            const auto& values = axes[i].values;
            const auto* column = findColumn(m_table, axes[i].path);
            for (std::size_t k = 0; column && k < values.size(); ++k)
                if (k * stride >= m_table.rows() || column->at(k * stride) != values[k])
                    return false; // another order
            for (const auto& [held, value] : at)
                if (held->name == axes[i].path) {
                    const auto found = std::find(values.begin(), values.end(), value);
                    if (found == values.end())
                        return false;
                    shifts.push_back(
                        {stride, values.size(), static_cast<std::size_t>(found - values.begin())});
                }
            stride *= values.size();
        }
        m_base.resize(m_table.rows());
        for (std::size_t row = 0; row < m_base.size(); ++row) {
            auto base = row;
            for (const auto& shift : shifts)
                base = base - row / shift.stride % shift.length * shift.stride + shift.base * shift.stride;
            m_base[row] = base;
        }
        return true;
    }

    const StudyTable& m_table;
    const FeasibleValues m_value;
    const Baseline* m_baseline;
    const std::string m_metric;
    bool m_ratio = false;
    bool m_lessIsBetter = false;
    std::vector<std::size_t> m_base; ///< of each row
};

} // namespace

FeasibleValues::FeasibleValues(const StudyTable& table, const StudyColumn& column)
    : m_feasible(column.isAxis ? nullptr : findColumn(table, "feasible")), m_column(column) {
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
    std::vector<std::pair<const StudyColumn*, double>> held;
    for (const auto& [name, value] : query.fixed)
        held.emplace_back(&columnOf(table, name), value);
    const GainReader gain(table, query);

    struct Curve {
        double value;
        std::map<double, Mean> points; ///< by x
    };
    std::vector<Curve> curves;
    std::map<double, std::size_t> indexOf;
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!isAt(held, row))
            continue;
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

std::optional<std::size_t> bestRow(const StudyTable& table, const std::string& metric, int better) {
    const FeasibleValues valueAt(table, columnOf(table, metric));
    const double sign = better < 0 ? -1.0 : 1.0;
    std::optional<std::size_t> best;
    double bestValue = 0.0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double value = sign * valueAt(row);
        if (!std::isnan(value) && (!best || value > bestValue)) {
            best = row;
            bestValue = value;
        }
    }
    return best;
}

std::vector<std::size_t> rowsBestFirst(const StudyTable& table, const std::string& metric, int better) {
    const FeasibleValues valueAt(table, columnOf(table, metric));
    const double sign = better < 0 ? -1.0 : 1.0;
    std::vector<double> keys(table.rows());
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const double value = sign * valueAt(row);
        keys[row] = std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    }
    std::vector<std::size_t> rows(keys.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&keys](auto a, auto b) { return keys[a] > keys[b]; });
    return rows;
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
