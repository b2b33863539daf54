// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_overlay.h"

#include "widgets/plots/chart_legend.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kOverlayTop = 22; // room above the axes for the label of a star
constexpr double kOverlayRow = 16;
constexpr double kHalfStroke = 1.5; // of the widest lines

} // namespace

ChartOverlay::ChartOverlay(QCustomPlot* plot, const ChartGround* ground, const CloudLayer* cloud)
    : QCPAbstractItem(plot), m_ground(ground), m_cloud(cloud) {
    setLayer(QStringLiteral("overlay"));
    setClipToAxisRect(false);
    setSelectable(false);
    setAntialiased(true);
}

void ChartOverlay::set(const Chart* chart, ChartStyle style) {
    m_chart = chart;
    m_style = style;
}

QPointF ChartOverlay::pixel(double x, double y, bool onRight) const {
    const auto* axis = onRight && m_chart->right ? mParentPlot->yAxis2 : mParentPlot->yAxis;
    return {mParentPlot->xAxis->coordToPixel(x), axis->coordToPixel(y)};
}

QRectF ChartOverlay::area() const {
    return mParentPlot->axisRect()->rect();
}

QRectF ChartOverlay::labelArea() const {
    return area().adjusted(2, 4 - legend(mParentPlot->viewport().width()).roomAbove(), -2, -2);
}

ChartLegend ChartOverlay::legend(int plotWidth) const {
    return {*m_chart, m_style, {plotWidth, mParentPlot->viewport().height()}, m_barNamesShown, m_below};
}

QMargins ChartOverlay::margins(int plotWidth) const {
    if (!m_chart)
        return {};
    auto needed = legend(plotWidth).margins();
    if (m_chart->heatMap)
        needed.setRight(ChartColorBar(*m_chart->heatMap, m_style, area().height()).width());
    return needed;
}

void ChartOverlay::draw(QCPPainter* painter) {
    if (!m_chart)
        return;
    m_taken.clear();
    m_ways.clear();
    m_texts.clear();
    m_curves = curveSegments();
    painter->setAntialiasing(true);
    const auto names = legend(mParentPlot->viewport().width());
    if (names.place() == ChartLegend::Place::Direct)
        drawLineNames(*painter, names);
    else
        names.draw(*painter, area());
    if (m_chart->heatMap)
        ChartColorBar(*m_chart->heatMap, m_style, area().height()).draw(*painter, area());
    if (m_barNamesShown)
        drawBarNames(*painter);
    painter->save();
    painter->setClipRect(area().adjusted(-1, -kOverlayTop, 1, 1));
    drawDrops(*painter);
    drawMarks(*painter);
    painter->restore();
    drawStars(*painter);
    painter->save();
    painter->setClipRect(area().adjusted(-1, -kOverlayTop, 1, 1));
    drawReferenceNames(*painter);
    drawCaptions(*painter);
    drawMarkLabels(*painter);
    painter->restore();
    drawSelected(*painter);
    drawPosition(*painter);
    drawNotes(*painter);
    for (const auto& [name, box] : m_focusedName.isEmpty() ? std::vector<LegendBox>() : legendBoxes())
        if (name == m_focusedName) {
            painter->setPen(QPen(m_style.role(ColorRole::Focus), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(box.adjusted(-3, -1, 3, 1), 3, 3);
        }
    const bool saysWhy = m_chart->heatMap && !m_chart->heatMap->filteredWord.isEmpty();
    if (!m_chart->emptyText.isEmpty() && !m_chart->hasData() && !saysWhy) {
        painter->setFont(m_style.font());
        painter->setPen(m_style.role(ColorRole::Muted));
        painter->drawText(area(), Qt::AlignCenter | Qt::TextWordWrap, m_chart->emptyText);
    }
}

void ChartOverlay::drawPosition(QCPPainter& painter) const {
    constexpr double kHandle = 6, kOnCurve = 2.2, kRing = 5;
    const auto room = area();
    painter.save();
    painter.setClipRect(room.adjusted(-1, -1, 1, 1));
    for (const auto& line : m_chart->lines) { // thicker than it is
        if (!m_position.isOn(line) || m_chart->isHidden(line.name))
            continue;
        painter.setPen(QPen(m_style.color(line.color), m_style.lineWidth(kOnCurve * line.width),
                            Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        for (std::size_t i = 1; i < line.x.size(); ++i)
            if (std::isfinite(line.y[i - 1]) && std::isfinite(line.y[i]))
                painter.drawLine(QLineF(pixel(line.x[i - 1], line.y[i - 1], line.onRight),
                                        pixel(line.x[i], line.y[i], line.onRight)));
    }
    std::vector<QPainterPath> rings;
    for (const auto i : m_chart->cloud ? m_position.points : std::vector<std::size_t>()) {
        const auto& cloud = *m_chart->cloud;
        if (i >= cloud.points->x.size())
            continue; // of the chart before
        const auto& group = cloud.groups[std::min(cloud.groupOf(i), cloud.groups.size() - 1)];
        const auto at = m_cloud->pixel(i);
        if (std::isfinite(at.x()) && std::isfinite(at.y()) && !m_chart->isHidden(group.name))
            rings.push_back(markerPath(group.marker, at, m_cloud->diameter(i) + kRing));
    }
    painter.setBrush(Qt::NoBrush);
    // A line of the background on either side keeps them seen on dense points. As one path they take longer.
    for (const auto& [role, width] : {std::pair{ColorRole::Surface, 4.0}, {ColorRole::Accent, 1.8}}) {
        painter.setPen(QPen(m_style.role(role), m_style.lineWidth(width)));
        for (const auto& ring : rings)
            painter.drawPath(ring);
    }
    painter.restore();
    const auto color = m_style.role(ColorRole::Accent);
    painter.setPen(QPen(color, m_style.lineWidth(1.3)));
    painter.setBrush(color);
    if (const double x = m_position.x ? mParentPlot->xAxis->coordToPixel(*m_position.x) : room.left() - 2;
        x >= room.left() - 1 && x <= room.right() + 1) {
        painter.drawLine(QLineF(x, room.top(), x, room.bottom()));
        painter.drawPolygon(QPolygonF({{x, room.bottom() - kHandle},
                                       {x + kHandle, room.bottom() + 1},
                                       {x - kHandle, room.bottom() + 1}}));
    }
    if (const double y = m_position.y ? mParentPlot->yAxis->coordToPixel(*m_position.y) : room.top() - 2;
        y >= room.top() - 1 && y <= room.bottom() + 1) {
        painter.drawLine(QLineF(room.left(), y, room.right(), y));
        painter.drawPolygon(QPolygonF(
            {{room.left() + kHandle, y}, {room.left() - 1, y + kHandle}, {room.left() - 1, y - kHandle}}));
    }
}

void ChartOverlay::drawHaloed(QCPPainter& painter, const QRectF& box, int flags, const QString& text,
                              const QFont& font, const QColor& color) const {
    painter.setFont(font);
    // A plate of the background keeps words readable on lines; unlike an outline it leaves text as text.
    auto plate = m_style.role(ColorRole::Surface);
    plate.setAlphaF(0.82F);
    // Words may touch the middle of a line beside them: the plate ends before its stroke begins.
    const auto used = QFontMetricsF(font).boundingRect(box, flags, text);
    painter.fillRect(used.adjusted(-1, kHalfStroke, 1, -kHalfStroke), plate);
    painter.setPen(color);
    painter.drawText(box, flags, text);
}

std::vector<ChartOverlay::LineName> ChartOverlay::lineNames(const ChartLegend& legend) const {
    std::vector<double> wished;
    std::vector<LineName> names;
    const auto axes = area();
    for (const auto& line : m_chart->lines) {
        for (std::size_t k = line.name.isEmpty() ? 0 : line.x.size(); k-- > 0;)
            if (std::isfinite(line.y[k]) && (!m_chart->y.log || line.y[k] > 0)) {
                wished.push_back(std::clamp(pixel(line.x[k], line.y[k]).y(), axes.top(), axes.bottom()));
                names.push_back({&line, {}});
                break;
            }
    }
    const double height = QFontMetricsF(m_style.font(QFont::DemiBold)).height();
    const auto middles = engine::spreadLabels(wished, height, axes.top() - 4, axes.bottom());
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i].box = {axes.right() + 8, middles[i] - height / 2, legend.nameWidth() + 8, height};
    return names;
}

std::vector<LegendBox> ChartOverlay::legendBoxes() const {
    std::vector<LegendBox> all;
    if (!m_chart)
        return all;
    const auto names = legend(mParentPlot->viewport().width());
    if (names.place() == ChartLegend::Place::Direct)
        for (const auto& [line, box] : lineNames(names))
            all.push_back({line->name, box});
    else
        for (auto& [name, box] : names.boxes(area()))
            all.push_back({name, box});
    return all;
}

std::vector<LegendBox> ChartOverlay::legendCut() const {
    std::vector<LegendBox> all;
    if (m_chart)
        for (auto& [whole, box] : legend(mParentPlot->viewport().width()).cut(area()))
            all.push_back({whole, box});
    return all;
}

void ChartOverlay::drawLineNames(QCPPainter& painter, const ChartLegend& legend) const {
    const auto axes = area();
    if (!legend.title().isEmpty()) {
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(
            QRectF(axes.right() + 8, axes.top() - kOverlayTop + 2, legend.columnWidth() + 8, kOverlayRow),
            Qt::AlignLeft | Qt::AlignVCenter, legend.title());
    }
    for (const auto& [line, box] : lineNames(legend)) {
        const bool hidden = m_chart->isHidden(line->name);
        auto font = m_style.font(hidden ? QFont::Normal : QFont::DemiBold);
        font.setStrikeOut(hidden);
        painter.setFont(font);
        painter.setPen(hidden ? m_style.role(ColorRole::Muted) : m_style.color(line->color));
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, line->name);
    }
}

void ChartOverlay::drawBarNames(QCPPainter& painter) const {
    const auto& names = m_chart->bars->names;
    const auto axes = area();
    painter.setFont(m_style.font());
    painter.setPen(m_style.role(ColorRole::Text2));
    for (std::size_t category = 0; category < m_chart->x.categories.size(); ++category)
        for (std::size_t bar = 0; bar < names.size(); ++bar) {
            const auto box = m_ground->barRect(static_cast<int>(bar), category);
            if (box.center().x() > axes.left() && box.center().x() < axes.right())
                painter.drawText(QRectF(box.center().x() - 40, axes.bottom() + 3, 80, kOverlayRow),
                                 Qt::AlignCenter, names[bar]);
        }
}

void ChartOverlay::drawDrops(QCPPainter& painter) {
    drawDrops(painter, m_chart->drops, false);
    // What crosses low down would lie under the pills at the axis: those go to the top then.
    double low = 0;
    for (const auto& drop : m_chart->crossovers)
        low += pixel(drop.x, drop.y).y() > area().center().y() ? 1 : -1;
    drawDrops(painter, m_chart->crossovers, low > 0);
}

void ChartOverlay::drawDrops(QCPPainter& painter, std::vector<ChartDrop> drops, bool upwards) {
    const auto axes = area();
    const auto font = m_style.font();
    std::stable_sort(drops.begin(), drops.end(), [](auto& a, auto& b) { return a.x < b.x; });
    std::erase_if(drops, [&](const auto& drop) {
        const auto top = pixel(drop.x, drop.y);
        return !m_chart->isShown(drop.x, drop.y) || top.x() < axes.left() || top.x() > axes.right() ||
               (upwards ? top.y() < axes.top() : top.y() > axes.bottom());
    });
    for (const auto& drop : drops) {
        const auto top = pixel(drop.x, drop.y);
        const auto color = m_style.color(drop.color);
        painter.setPen(QPen(color, 1, Qt::DotLine));
        const QLineF way(top.x(), std::clamp(top.y(), axes.top(), axes.bottom()), top.x(),
                         upwards ? axes.top() : axes.bottom());
        painter.drawLine(way);
        m_ways.push_back({way.x1(), way.y1(), way.x2(), way.y2()});
        if (axes.top() <= top.y() && top.y() <= axes.bottom()) {
            painter.setPen(QPen(color, 1.5));
            painter.setBrush(m_style.role(ColorRole::Surface));
            painter.drawEllipse(top, 4, 4);
        }
    }
    // Then the pills, at the axis or over it, each at the end of its own line and on no other.
    painter.setFont(font);
    for (const auto& drop : drops) {
        const double x = pixel(drop.x, drop.y).x();
        const auto color = m_style.color(drop.color);
        const double width = QFontMetricsF(font).horizontalAdvance(drop.label) + 12;
        QRectF pill(x - width / 2, upwards ? axes.top() + 6 : axes.bottom() - 24, width, 18);
        pill.moveLeft(
            std::clamp(pill.left(), axes.left() + 2, std::max(axes.left() + 2, axes.right() - width - 2)));
        const auto isFree = [&](const QRectF& at, bool lines) {
            const engine::PlotBox box{at.left() - 2, at.top(), at.width() + 4, at.height()};
            const auto hits = [&](const auto& other) { return engine::overlap(box, other); };
            const auto isCrossed = [&](const auto& line) {
                const bool own = std::fabs(line.x1 - x) < 0.5 && std::fabs(line.x2 - x) < 0.5;
                return !own && engine::crosses(line, box);
            };
            const auto all = this->lines();
            return std::none_of(m_taken.begin(), m_taken.end(), hits) &&
                   !(lines && std::any_of(all.begin(), all.end(), isCrossed));
        };
        auto place = pill;
        for (const bool offLines : {true, false}) {
            int level = 0;
            const int most = static_cast<int>((axes.height() - 30) / 20);
            while (level < most && !isFree(pill.translated(0, (upwards ? 20.0 : -20.0) * level), offLines))
                ++level;
            place = pill.translated(0, (upwards ? 20.0 : -20.0) * level);
            if (level < most)
                break;
        }
        painter.setPen(QPen(color, 1));
        painter.setBrush(m_style.role(ColorRole::Surface));
        painter.drawRoundedRect(place, 9, 9);
        painter.setPen(color);
        painter.drawText(place, Qt::AlignCenter, drop.label);
        m_taken.push_back({place.left(), place.top(), place.width(), place.height()});
    }
}

void ChartOverlay::drawMarks(QCPPainter& painter) {
    const auto seen = area().adjusted(-1, -kOverlayTop, 1, 1);
    for (const auto& mark : m_chart->marks) {
        const auto middle = pixel(mark.x, mark.y);
        if (m_style.exported && !seen.contains(middle)) // an SVG is not clipped
            continue;
        const auto color = m_style.color(mark.color);
        auto fill = color;
        fill.setAlphaF(0.35F);
        painter.setPen(QPen(color, m_style.lineWidth(1.5)));
        painter.setBrush(mark.ringed ? QBrush(Qt::NoBrush) : QBrush(fill));
        painter.drawPath(markerPath(mark.shape, middle, mark.diameter));
        if (mark.ringed) {
            painter.drawPath(markerPath(mark.shape, middle, mark.diameter + 7));
            painter.setBrush(color);
            painter.drawPath(markerPath(mark.shape, middle, 5));
        }
    }
}

std::vector<engine::PlotSegment> ChartOverlay::curveSegments() const {
    constexpr std::size_t kMost = 256; // of a curve: room is sought, not drawn
    std::vector<engine::PlotSegment> segments;
    const auto seen = area().adjusted(-2, -kOverlayTop, 2, 2);
    const auto add = [&](QPointF a, QPointF b) {
        const engine::PlotSegment segment{a.x(), a.y(), b.x(), b.y()};
        if (std::isfinite(a.y()) && std::isfinite(b.y()) &&
            engine::crosses(segment, engine::PlotBox{seen.left(), seen.top(), seen.width(), seen.height()}))
            segments.push_back(segment);
    };
    const auto addCurve = [&](const std::vector<double>& x, const std::vector<double>& y, bool onRight) {
        const std::size_t step = x.size() / kMost + 1;
        for (std::size_t i = step; i < x.size(); i += step)
            add(pixel(x[i - step], y[i - step], onRight), pixel(x[i], y[i], onRight));
    };
    for (const auto& line : m_chart->lines)
        if (!m_chart->isHidden(line.name))
            addCurve(line.x, line.y, line.onRight);
    if (m_chart->cloud)
        addCurve(m_chart->cloud->frontX, m_chart->cloud->frontY, false);
    for (const auto& reference : m_chart->references) {
        const auto at = pixel(reference.at, reference.at, reference.onRight);
        reference.vertical ? add({at.x(), seen.top()}, {at.x(), seen.bottom()})
                           : add({seen.left(), at.y()}, {seen.right(), at.y()});
    }
    return segments;
}

std::vector<engine::PlotSegment> ChartOverlay::lines() const {
    auto all = m_curves;
    all.insert(all.end(), m_ways.begin(), m_ways.end());
    return all;
}

void ChartOverlay::take(const QString& text, const engine::PlotBox& box) {
    m_taken.push_back(box);
    m_texts.push_back({text, {box.left + box.width / 2, box.top + box.height / 2, box.width, box.height, 0}});
}

engine::LabelGround ChartOverlay::labelGround() const {
    auto words = m_taken;
    for (const auto& mark : m_chart->marks) {
        const auto c = pixel(mark.x, mark.y);
        const double r = mark.diameter / 2;
        words.push_back({c.x() - r, c.y() - r, 2 * r, 2 * r});
    }
    for (const auto& all : {m_ground->barValues(), m_ground->missingWords()})
        for (const auto& [box, text, upright] : all)
            words.push_back({box.left(), box.top(), box.width(), box.height()});
    return {std::move(words), m_ground->bars(), lines(), {}};
}

} // namespace heteroscape::widgets
