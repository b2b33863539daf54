// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_ticker.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Of names that each need the room of `needed`: every first, second, fifth, tenth... one.
int everyNth(double needed) {
    const double decade = std::pow(10.0, std::floor(std::log10(std::max(needed, 1.0))));
    for (const double step : {1.0, 2.0, 5.0})
        if (needed <= step * decade)
            return static_cast<int>(step * decade);
    return static_cast<int>(10 * decade);
}

/// Takes away each label that would lie on the one before it: in a plot of a few pixels, or of long numbers.
void clearMeeting(const QCPAxis& axis, const QVector<double>& ticks, QVector<QString>& labels) {
    const QFontMetricsF metrics(axis.tickLabelFont());
    const bool across = axis.orientation() == Qt::Horizontal;
    std::optional<std::pair<double, double>> before; // where the last one that stays is, and half its length
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        const double half =
            across ? metrics.horizontalAdvance(labels[i]) / 2 + 2 : metrics.capHeight() / 2 + 1;
        const double at = axis.coordToPixel(ticks[i]);
        if (before && std::fabs(at - before->first) < half + before->second)
            labels[i].clear();
        else
            before = {at, half};
    }
}

} // namespace

void NumberTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                            QVector<double>* subTicks, QVector<QString>* labels) {
    const bool across = m_axis->orientation() == Qt::Horizontal;
    const auto* rect = m_axis->axisRect();
    // Room for the longest number to come: whole numbers are as long as the last one, others get five
    // digits.
    const auto digits = m_kind.integer ? engine::tickText(std::floor(range.upper)).size() : std::size_t{5};
    const int each = across ? 20 + 7 * static_cast<int>(std::min(digits, std::size_t{12})) : 40;
    const int wanted = std::clamp((across ? rect->width() : rect->height()) / each, 3, 12);
    auto values = m_kind.log ? engine::logTicks({range.lower, range.upper}, m_kind.base, wanted)
                             : engine::linearTicks({range.lower, range.upper}, wanted);
    // Two numbers do not make a scale: in a small plot rather a little closer.
    for (int more = 1; !m_kind.log && values.size() < 3 && more <= 3; ++more)
        values = engine::linearTicks({range.lower, range.upper}, wanted + more);
    if (m_kind.integer)
        std::erase_if(values, [](double v) { return v != std::floor(v); });
    ticks = QVector<double>(values.begin(), values.end());
    if (labels) {
        labels->clear();
        for (const double value : values)
            labels->append(QString::fromStdString(engine::tickText(value * m_kind.shown.factor)));
        clearMeeting(*m_axis, ticks, *labels);
    }
    if (subTicks)
        subTicks->clear();
    if (subTicks && m_kind.log && m_kind.base == 10 && range.lower > 0 && range.upper / range.lower < 1e9)
        for (double decade = std::pow(10.0, std::floor(std::log10(range.lower))); decade < range.upper;
             decade *= 10)
            for (int k = 2; k < 10; ++k)
                if (k * decade > range.lower && k * decade < range.upper)
                    subTicks->append(k * decade);
}

void NameTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                          QVector<double>* subTicks, QVector<QString>* labels) {
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (labels)
        labels->clear();
    const auto& names = m_shown.empty() ? m_names : m_shown;
    for (std::size_t i = 0; i < names.size(); i += static_cast<std::size_t>(m_fit.every)) {
        const auto at = static_cast<double>(i);
        if (at < range.lower || at > range.upper)
            continue;
        ticks.append(at);
        if (labels)
            labels->append(names[i]);
    }
}

void NameTicker::measure(const QFont& font) {
    if (m_measured == font)
        return;
    m_measured = font;
    m_widths.clear();
    const QFontMetricsF metrics(font);
    if (m_numbers) { // the longest tells enough: there may be thousands
        const auto longest = std::max_element(
            m_names.begin(), m_names.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
        m_widths.push_back(longest == m_names.end() ? 1 : metrics.horizontalAdvance(*longest));
        return;
    }
    for (const auto& name : m_names)
        m_widths.push_back(metrics.horizontalAdvance(name));
}

double NameTicker::fitTo(QCPAxis& axis, double length, double widest) {
    const QFontMetricsF metrics(axis.tickLabelFont());
    measure(axis.tickLabelFont());
    const auto range = axis.range();
    const double pitch = std::max(range.size() > 0 ? length / range.size() : length, 1e-6);
    const bool across = axis.orientation() == Qt::Horizontal;
    // Level names may be as wide as the way to the next one; only turned ones need a bound.
    if (across && m_numbers)
        m_fit = {engine::NameFit::Way::Level, everyNth((m_widths.front() + 8) / pitch)};
    else if (across)
        m_fit = engine::fitNames(m_widths, metrics.height(), pitch, 8);
    else
        m_fit = {engine::NameFit::Way::Level, everyNth(metrics.height() / pitch)};
    const bool level = m_fit.way == engine::NameFit::Way::Level;
    m_shown.assign(m_names.size(), {});
    double longest = 0;
    for (std::size_t i = 0; i < m_names.size(); i += static_cast<std::size_t>(m_fit.every)) {
        m_shown[i] = metrics.elidedText(m_names[i], Qt::ElideRight, across && level ? 1e6 : widest);
        longest = std::max(longest, metrics.horizontalAdvance(m_shown[i]));
    }
    axis.setTickLabelRotation(level ? 0 : m_fit.way == engine::NameFit::Way::Slanted ? -45 : -90);
    if (!across || m_fit.way == engine::NameFit::Way::Upright)
        return 0;
    const double first = m_shown.empty() ? 0 : metrics.horizontalAdvance(m_shown.front());
    const double before = level ? first / 2 : longest * 0.7072 + 4;
    return std::max(0.0, before - pitch / 2);
}

} // namespace heteroscape::widgets
