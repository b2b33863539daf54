// SPDX-License-Identifier: GPL-3.0-or-later
// What is written over bars: their values, and that there is none.
#include "engine/units/number_text.h"
#include "widgets/plots/chart_ground.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kGap = 2;       // px between a bar and its word
constexpr double kNarrowest = 5; // px of a foot that is named

QString valueText(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

} // namespace

std::vector<ChartGround::BarWord> ChartGround::barValues() const {
    std::vector<BarWord> values;
    if (!m_chart || !m_chart->bars || !m_chart->bars->writeValues)
        return values;
    const QFontMetricsF metrics(m_style.font());
    const auto area = mParentPlot->axisRect()->rect();
    double widest = 0, narrowest = area.width();
    for (std::size_t category = 0; category < m_chart->x.categories.size(); ++category)
        for (int bar = 0; bar < m_chart->bars->perGroup(); ++bar) {
            const double sum = m_chart->barSum(bar, category);
            const auto rect = barRect(bar, category);
            if (std::isnan(sum) || rect.center().x() < area.left() || rect.center().x() > area.right())
                continue;
            values.push_back({rect, valueText(m_chart->y.shown.factor * sum)});
            widest = std::max(widest, metrics.horizontalAdvance(values.back().text));
            narrowest = std::min(narrowest, rect.width());
        }
    // All alike: a group in which some stand upright is hard to compare. The gaps between groups are free.
    const bool level = m_chart->bars->perGroup() == 1 ? widest <= narrowest / 0.8 : widest <= narrowest + 1;
    if (!level && narrowest < 0.6 * metrics.height())
        return {};
    for (auto& value : values) {
        const double along = metrics.horizontalAdvance(value.text) + 2;
        const QSizeF size = level ? QSizeF(along, metrics.height()) : QSizeF(metrics.height(), along);
        value.upright = !level;
        value.box = QRectF(value.box.center().x() - size.width() / 2, value.box.top() - kGap - size.height(),
                           size.width(), size.height());
    }
    // In a low plot the tallest bars leave no room: half a number would be read wrongly.
    const bool cut = std::any_of(values.begin(), values.end(),
                                 [&area](const auto& value) { return value.box.top() < area.top() - 2; });
    return cut ? std::vector<BarWord>() : values;
}

std::vector<ChartGround::BarWord> ChartGround::missingWords() const {
    std::vector<BarWord> words;
    if (!m_chart || !m_chart->bars)
        return words;
    const QFontMetricsF metrics(m_style.font());
    const auto none = m_chart->bars->missing.isEmpty() ? tr("N/A") : m_chart->bars->missing;
    const double along = metrics.horizontalAdvance(none) + 2;
    const QRectF area = mParentPlot->axisRect()->rect();
    for (const auto& foot : feet()) {
        if (foot.center().x() < area.left() || foot.center().x() > area.right())
            continue;
        const bool level = foot.width() >= along - 4;
        if (!level && foot.width() < kNarrowest)
            continue;
        const QSizeF size = level ? QSizeF(along, metrics.height()) : QSizeF(metrics.height(), along);
        words.push_back({QRectF(foot.center().x() - size.width() / 2, foot.top() - kGap - size.height(),
                                size.width(), size.height()),
                         none, !level});
    }
    return words;
}

void ChartGround::drawWords(QCPPainter& painter, const std::vector<BarWord>& words, ColorRole role) const {
    painter.setFont(m_style.font());
    for (const auto& word : words) {
        painter.save();
        painter.setPen(m_style.role(role));
        painter.translate(word.box.center());
        QSizeF size = word.box.size();
        if (word.upright) {
            painter.rotate(-90);
            size.transpose();
        }
        const QRectF box(QPointF(-size.width() / 2, -size.height() / 2), size);
        auto plate = m_style.role(ColorRole::Surface); // a reference line may pass
        plate.setAlphaF(0.92F);
        painter.fillRect(box.adjusted(0, 2, 0, -2), plate);
        painter.drawText(box, Qt::AlignCenter, word.text);
        painter.restore();
    }
}

} // namespace heteroscape::widgets
