// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/point_evaluator.h"

#include "engine/base/error.h"
#include "engine/base/large_pages.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/rates.h"
#include "engine/evaluation/simulate.h"
#include "engine/store/column_block.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

namespace heteroscape::engine {

PointWindow::PointWindow(std::shared_ptr<const std::vector<std::string>> columns, std::size_t mostPoints)
    : m_columns(std::move(columns)),
      m_stride(mostPoints + 8), // so that columns do not fall upon each other in the caches
      m_values(std::make_unique_for_overwrite<double[]>(m_stride * m_columns->size())),
      m_has(m_columns->size(), 0) {
    preferLargePages(m_values.get(), m_stride * m_columns->size() * sizeof(double));
}

void PointWindow::clear() {
    m_ordinals.clear();
    m_packed.clear();
    m_rows.clear();
    keys.clear();
    byKey.clear();
    missing.clear();
    twins.clear();
}

void PointWindow::take(std::vector<PointRange>& ranges, std::size_t most) {
    // Ranges come last first.
    while (!ranges.empty() && m_ordinals.size() < most) {
        auto& range = ranges.back();
        const auto count = std::min({range.size(), most - m_ordinals.size(), kMostBlockPoints});
        m_rows.push_back(m_ordinals.size());
        m_packed.push_back({range.begin, count, m_columns, {}, {}, {}});
        for (std::size_t i = 0; i < count; ++i)
            m_ordinals.push_back(range.begin + i);
        range.begin += count;
        if (range.size() == 0)
            ranges.pop_back();
    }
}

void PointWindow::reserve() {
    m_bounds.resize(m_ordinals.size());
    for (auto& stretch : m_packed)
        stretch.blocks.resize(m_columns->size());
    m_filled.clear();
    m_empty.clear();
    for (std::size_t column = 0; column < m_columns->size(); ++column)
        (m_has[column] != 0 ? m_filled : m_empty).push_back(column);
}

void PointWindow::fill(std::size_t column) {
    const std::lock_guard lock(m_mutex);
    const std::atomic_ref has(m_has[column]);
    if (has.load(std::memory_order_relaxed) != 0)
        return;
    std::fill_n(m_values.get() + column * m_stride, m_stride, std::numeric_limits<double>::quiet_NaN());
    has.store(1, std::memory_order_release);
}

template <class ValueAt>
inline void PointWindow::put(std::span<const std::size_t> rows, const ValueAt& valueAt) {
    const auto putColumn = [&](std::size_t column) {
        double* const values = m_values.get() + column * m_stride;
        for (std::size_t i = 0; i < rows.size(); ++i)
            values[rows[i]] = valueAt(i, column);
    };
    for (const auto column : m_filled)
        putColumn(column);
    for (const auto column : m_empty) {
        bool has = false;
        for (std::size_t i = 0; i < rows.size(); ++i)
            has |= !std::isnan(valueAt(i, column));
        if (!has)
            continue;
        if (std::atomic_ref(m_has[column]).load(std::memory_order_acquire) == 0)
            fill(column);
        putColumn(column);
    }
}

void PointWindow::set(std::span<const std::size_t> rows, std::span<const EvaluatedPoint> points) {
    put(rows, [&](std::size_t i, std::size_t column) { return points[i].value(column); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_bounds[rows[i]] = points[i].bound;
}

void PointWindow::set(std::size_t row, std::span<const double> values, std::uint32_t bound) {
    put({&row, 1}, [&](std::size_t, std::size_t column) { return values[column]; });
    m_bounds[row] = bound;
}

void PointWindow::copy(std::size_t row, const PointWindow& from, std::size_t fromRow) {
    put({&row, 1}, [&](std::size_t, std::size_t column) { return from.value(fromRow, column); });
    m_bounds[row] = from.m_bounds[fromRow];
}

void PointWindow::pack(std::size_t packing) {
    const auto column = packing % m_columns->size();
    const auto which = packing / m_columns->size();
    auto& stretch = m_packed[which];
    if (m_has[column] == 0)
        return;
    stretch.blocks[column] = packBlock({m_values.get() + column * m_stride + m_rows[which], stretch.count});
}

std::vector<PackedPoints>& PointWindow::packed() {
    for (std::size_t i = 0; i < m_packed.size(); ++i) {
        const auto begin = static_cast<std::ptrdiff_t>(m_rows[i]);
        const auto end = begin + static_cast<std::ptrdiff_t>(m_packed[i].count);
        m_packed[i].bounds.assign(m_bounds.begin() + begin, m_bounds.begin() + end);
        if (!keys.empty())
            m_packed[i].keys.assign(keys.begin() + begin, keys.begin() + end);
    }
    return m_packed;
}

namespace {

constexpr auto kNoNode = static_cast<std::size_t>(-1);

} // namespace

std::uint32_t BoundNames::number(const std::string& name) {
    const std::lock_guard lock(m_mutex);
    const auto it = std::find(m_names.begin(), m_names.end(), name);
    const auto number = static_cast<std::uint32_t>(it - m_names.begin());
    if (it == m_names.end())
        m_names.push_back(name);
    return number;
}

std::vector<std::string> BoundNames::names() const {
    const std::lock_guard lock(m_mutex);
    return m_names;
}

PointEvaluator::PointEvaluator(const PointSetter& setter, BoundNames& names, std::stop_token stop,
                               std::vector<std::size_t> metrics, std::vector<std::string> nodeMetrics)
    : m_setter(setter), m_names(names), m_stop(std::move(stop)), m_metrics(std::move(metrics)),
      m_nodeMetrics(std::move(nodeMetrics)) {
    if (!m_metrics.empty()) { // rates ask for no more than times of tokens
        m_whole = std::ranges::any_of(m_metrics,
                                      [](std::size_t i) { return isSimulated(metricSpecs()[i].metric); });
        return;
    }
    m_metrics.resize(metricSpecs().size());
    std::iota(m_metrics.begin(), m_metrics.end(), std::size_t{0});
}

std::uint32_t PointEvaluator::boundNumber(const Scenario& scenario) {
    // boundKey() depends on these only: node ids are the same at every point.
    const auto& bound = m_evaluation.bound;
    const auto node = m_evaluation.feasible ? bound.node : kNoNode;
    if (m_setter.changesSystem())
        return m_names.number(boundKey(scenario, m_evaluation));
    for (const auto& known : m_known)
        if (known.node == node &&
            (node == kNoNode ||
             (known.link == bound.link && known.phase == bound.phase && known.bound == bound.bound)))
            return known.number;
    const auto number = m_names.number(boundKey(scenario, m_evaluation));
    m_known.push_back({node, bound.link, bound.phase, bound.bound, number});
    return number;
}

const Scenario& PointEvaluator::evaluateAt(std::size_t ordinal) {
    const auto& scenario = m_setter.at(ordinal);
    m_isValid = m_validity.of(m_setter);
    if (m_isValid) {
        m_steps.setKeys(m_setter.stepKeys(), m_setter.graphKeys());
        evaluateInto(scenario, m_evaluation, m_steps);
    } else {
        m_evaluation.feasible = false;
        m_evaluation.bound = {};
        m_evaluation.metrics.fill(kUnset);
    }
    return scenario;
}

void PointEvaluator::readNodes(const Scenario& scenario, bool wholeFits,
                               std::vector<double>& nodeMetrics) const {
    nodeMetrics.assign(m_nodeMetrics.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < m_nodeMetrics.size(); ++i)
        try {
            if (!(isRatePath(m_nodeMetrics[i]) ? m_evaluation.feasible : wholeFits))
                continue;
            if (const double value = findMetric(scenario, m_evaluation, m_nodeMetrics[i]).value;
                std::isfinite(value))
                nodeMetrics[i] = value;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::NotFound)
                throw;
        }
}

void PointEvaluator::evaluate(std::size_t ordinal, EvaluatedPoint& point) {
    const auto& scenario = evaluateAt(ordinal);
    const bool wholeFits = m_evaluation.feasible;
    point.bound = boundNumber(scenario); // of the steady state
    if (m_isValid)
        simulateInto(scenario, m_evaluation, {.whole = m_whole, .stop = m_stop});
    point.feasible = m_evaluation.feasible;
    readNodes(scenario, wholeFits, point.nodeMetrics);
    const auto specs = metricSpecs();
    for (const auto i : m_metrics) {
        const double value = toEdge(m_evaluation.metrics[i], specs[i].scale);
        point.metrics[i] = std::isinf(value) ? kUnset : value;
    }
}

void PointEvaluator::evaluateNodes(std::size_t ordinal, std::vector<double>& nodeMetrics) {
    const auto& scenario = evaluateAt(ordinal);
    const bool wholeFits = m_evaluation.feasible;
    if (m_isValid && std::ranges::any_of(m_nodeMetrics, isRatePath))
        simulateInto(scenario, m_evaluation, {.whole = m_whole, .stop = m_stop});
    readNodes(scenario, wholeFits, nodeMetrics);
}

NodeMetricName nodeMetricName(const Study& study, const std::string& metric, std::size_t ordinal) {
    PointSetter setter(study);
    const auto& scenario = setter.at(ordinal);
    const auto found = findMetric(scenario, evaluate(scenario), metric);
    NodeMetricName name{found.label, found.unit};
    const auto exchanges = [](const Axis& axis) {
        return axis.path == "system" || (axis.isChoice() && axis.path.ends_with(".device"));
    };
    if (std::any_of(study.axes.begin(), study.axes.end(), exchanges)) // the node is another each time
        if (const auto colon = name.label.find(": "); colon != std::string::npos)
            name.label = name.label.substr(colon + 2);
    return name;
}

} // namespace heteroscape::engine
