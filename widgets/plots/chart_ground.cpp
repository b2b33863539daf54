// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_ground.h"

#include "engine/units/number_text.h"
#include "widgets/theme/theme_icons.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

// What is written over bars: their values, and that there is none.
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
        const QRectF box(foot.center().x() - size.width() / 2, foot.top() - kGap - size.height(),
                         size.width(), size.height());
        const auto meets = [&](const BarWord& other) { return other.box.intersects(box); };
        if (std::none_of(words.begin(), words.end(), meets)) // feet may stand closer than their words
            words.push_back({box, none, !level});
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

namespace {

constexpr double kFoot = 9; // px: the height of what stands for a missing bar

} // namespace

void fillHatched(QPainter& painter, const QRectF& area, const ChartStyle& style) {
    painter.fillRect(area, style.role(ColorRole::Sunken));
    strokeHatch(painter, area, QPen(style.role(ColorRole::BorderControl), 0.8), 7);
}

void fillBar(QPainter& painter, const QRectF& area, const ChartBarSeries& series, const ChartStyle& style,
             bool muted) {
    if (muted) {
        painter.fillRect(area, style.role(ColorRole::Surface));
        painter.setPen(QPen(style.role(ColorRole::Wire), 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    const auto full = style.color(series.color);
    const auto fill = style.tinted(series.color, series.tint);
    switch (series.fill) {
    case ChartFill::Solid:
        painter.fillRect(area, fill);
        break;
    case ChartFill::Hatched:
        painter.fillRect(area, style.tinted(series.color, 0.8));
        strokeHatch(painter, area, QPen(fill, 1.4), 5);
        break;
    case ChartFill::Hollow:
        painter.fillRect(area, style.role(ColorRole::Surface));
        break;
    }
    if (area.width() < 3 || area.height() < 2) {
        if (series.fill != ChartFill::Solid) // too small for a pattern
            painter.fillRect(area, full);
        return;
    }
    painter.setPen(QPen(full, 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
}

ChartGround::ChartGround(QCustomPlot* plot) : QCPAbstractItem(plot) {
    setLayer(QStringLiteral("main")); // made before any curve, so that it lies under them
    setSelectable(false);
    setAntialiased(true);
}

void ChartGround::set(const Chart* chart, ChartStyle style) {
    m_chart = chart;
    const auto* map = chart->heatMap ? &*chart->heatMap : nullptr;
    m_filteredRun = map ? widestFiltered(*map) : std::nullopt;
    m_best = map ? engine::bestCell(map->z, map->better) : std::nullopt;
    m_style = style;
    m_pieces.clear();
    for (std::size_t i = 0; chart->bars && i < chart->bars->series.size(); ++i)
        m_pieces.push_back(chart->barPieces(i));
}

void ChartGround::draw(QCPPainter* painter) {
    if (!m_chart)
        return;
    painter->setAntialiasing(true);
    if (m_chart->heatMap) {
        drawCells(*painter);
        drawContours(*painter);
        drawFilteredWord(*painter);
        drawCellValues(*painter);
        drawOptimum(*painter);
    }
    if (m_chart->bars)
        drawBars(*painter);
    drawReferences(*painter);
    if (m_chart->bars) {
        drawFeet(*painter);
        drawWords(*painter, barValues(), ColorRole::Text2);
    }
}

bool ChartGround::available(int bar, std::size_t category) const {
    const auto& series = m_chart->bars->series;
    return std::any_of(series.begin(), series.end(), [&](const auto& one) {
        return one.bar == bar && category < one.values.size() && std::isfinite(one.values[category]);
    });
}

QRectF ChartGround::span(int bar, std::size_t category, double from, double to) const {
    const auto stretch = engine::barStretch(category, bar, m_chart->bars->perGroup());
    const auto* y = mParentPlot->yAxis;
    const double floor = y->range().lower; // where a bar on a log axis begins
    const auto pixelY = [&](double value) {
        return y->coordToPixel(m_chart->y.log ? std::max(value, floor) : value);
    };
    const double left = mParentPlot->xAxis->coordToPixel(stretch.from);
    const double right = mParentPlot->xAxis->coordToPixel(stretch.to);
    const double gap = right - left > 5 ? 1 : right - left > 2.5 ? 0.5 : 0;
    const double a = pixelY(from), b = pixelY(to);
    return QRectF(QPointF(left + gap / 2, std::min(a, b)), QPointF(right - gap / 2, std::max(a, b)));
}

QRectF ChartGround::pieceRect(std::size_t series, std::size_t category) const {
    const auto& piece = m_pieces.at(series).at(category);
    if (std::isfinite(piece.from))
        return span(m_chart->bars->series[series].bar, category, piece.from, piece.to);
    return span(m_chart->bars->series[series].bar, category, 0, 0);
}

QRectF ChartGround::barRect(int bar, std::size_t category) const {
    QRectF all;
    for (std::size_t i = 0; i < m_chart->bars->series.size(); ++i) {
        const auto& one = m_chart->bars->series[i];
        if (one.bar == bar && category < one.values.size() && std::isfinite(one.values[category]))
            all = all.united(pieceRect(i, category));
    }
    if (available(bar, category))
        return all;
    return span(bar, category, 0, 0).adjusted(0, -kFoot, 0, 0);
}

std::vector<engine::PlotBox> ChartGround::bars() const {
    std::vector<engine::PlotBox> boxes;
    for (int bar = 0; m_chart->bars && bar < m_chart->bars->perGroup(); ++bar)
        for (std::size_t category = 0; category < m_chart->x.categories.size(); ++category) {
            const auto box = barRect(bar, category);
            boxes.push_back({box.left(), box.top(), box.width(), box.height()});
        }
    return boxes;
}

QRectF ChartGround::seenOf(const QRectF& bar) const {
    return m_style.exported ? bar.intersected(mParentPlot->axisRect()->rect()) : bar;
}

void ChartGround::drawBars(QCPPainter& painter) const {
    const auto& series = m_chart->bars->series;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const auto& pieces = m_pieces[i];
        for (std::size_t category = 0; category < pieces.size(); ++category)
            if (std::isfinite(pieces[category].from))
                if (const auto seen =
                        seenOf(span(series[i].bar, category, pieces[category].from, pieces[category].to));
                    !seen.isNull())
                    fillBar(painter, seen, series[i], m_style, series[i].isMuted(category));
    }
}

std::vector<QRectF> ChartGround::feet() const {
    std::vector<QRectF> all;
    for (std::size_t category = 0; m_chart->bars && category < m_chart->x.categories.size(); ++category)
        for (int bar = 0; bar < m_chart->bars->perGroup();) {
            if (available(bar, category)) {
                ++bar;
                continue;
            }
            QRectF shared; // neighbours that are missing share one mark
            for (; bar < m_chart->bars->perGroup() && !available(bar, category); ++bar)
                shared = shared.united(barRect(bar, category));
            all.push_back(shared);
        }
    return all;
}

void ChartGround::drawFeet(QCPPainter& painter) const {
    for (std::size_t category = 0; category < m_chart->x.categories.size(); ++category)
        for (int bar = 0; bar < m_chart->bars->perGroup(); ++bar)
            if (!available(bar, category))
                if (const auto seen = seenOf(barRect(bar, category)); !seen.isNull())
                    fillHatched(painter, seen, m_style);
    drawWords(painter, missingWords(), ColorRole::Muted);
}

void ChartGround::drawReferences(QCPPainter& painter) const {
    const QRectF area = mParentPlot->axisRect()->rect();
    const auto seen = area.adjusted(-1, -1, 1, 1);
    for (const auto& reference : m_chart->references) {
        const auto* up = reference.onRight && m_chart->right ? mParentPlot->yAxis2 : mParentPlot->yAxis;
        if (reference.outside != 0)
            drawOutside(painter, reference,
                        {mParentPlot->xAxis->coordToPixel(reference.at), up->coordToPixel(reference.at)});
        painter.setPen(QPen(m_style.color(reference.color),
                            m_style.lineWidth(reference.outside != 0 ? 1.6 : 1.3), penStyle(reference.dash),
                            Qt::FlatCap));
        const double x = mParentPlot->xAxis->coordToPixel(reference.at), y = up->coordToPixel(reference.at);
        if (reference.vertical && seen.left() <= x && x <= seen.right())
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()));
        else if (!reference.vertical && seen.top() <= y && y <= seen.bottom())
            painter.drawLine(QLineF(area.left(), y, area.right(), y));
    }
}

void ChartGround::drawOutside(QCPPainter& painter, const ChartReference& reference, QPointF at) const {
    constexpr double kHatchSpacing = 8;
    QRectF area = mParentPlot->axisRect()->rect();
    const bool beyond = reference.outside > 0;
    if (reference.vertical)
        beyond ? area.setLeft(std::max(at.x(), area.left())) : area.setRight(std::min(at.x(), area.right()));
    else
        beyond ? area.setBottom(std::min(at.y(), area.bottom())) : area.setTop(std::max(at.y(), area.top()));
    if (area.width() > 0 && area.height() > 0)
        strokeHatch(painter, area, QPen(m_style.role(ColorRole::Border), 0.8), kHatchSpacing);
}

} // namespace heteroscape::widgets
