// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"
#include "widgets/plots/chart.h"

#include <qcustomplot.h>

#include <optional>

namespace heteroscape::widgets {

/// Ticks from engine/plotting, as many as the axis has room for.
class NumberTicker : public QCPAxisTicker {
public:
    NumberTicker(const QCPAxis* axis, ChartAxis kind) : m_axis(axis), m_kind(std::move(kind)) {}

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* labels) override;

private:
    const QCPAxis* m_axis;
    ChartAxis m_kind;
};

/// Names at 0, 1, 2…, turned or thinned until they fit, and cut with an ellipsis when they are long. Numbers
/// as names are thinned only: what lies between them is plain.
class NameTicker : public QCPAxisTicker {
public:
    NameTicker(std::vector<QString> names, bool numbers) : m_names(std::move(names)), m_numbers(numbers) {}

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* labels) override;

    /// Fits the names into an axis of this length showing `range`, none wider than `widest`; returns how far
    /// the first name reaches out before its place. Turns the axis's labels.
    double fitTo(QCPAxis& axis, double length, double widest);

private:
    void measure(const QFont& font);

    std::vector<QString> m_names;
    bool m_numbers;
    std::optional<QFont> m_measured;
    std::vector<double> m_widths; ///< in that font; of numbers the widest alone
    std::vector<QString> m_shown; ///< of all names; empty where none stands
    engine::NameFit m_fit;
};

} // namespace heteroscape::widgets
