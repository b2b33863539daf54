// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the overlay that shows what counts: optima with their gain, and names of reference lines.
#include "widgets/plots/chart_overlay.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kStar = 15, kRing = 10; // diameters
constexpr double kFar = 72;              // px from which a label needs a line to its point

engine::PlotBox boxAround(QPointF c, double diameter) {
    return {c.x() - diameter / 2, c.y() - diameter / 2, diameter, diameter};
}

engine::PlotBox boxOf(const QRectF& rect) {
    return {rect.left(), rect.top(), rect.width(), rect.height()};
}

/// The level a baseline is carried over at, then the way up to the star.
struct CarryOver {
    QLineF level, way;
    bool arrow = false; ///< the way is long enough to be drawn as one
};

CarryOver carryOver(QPointF from, QPointF star) {
    const double step = star.y() < from.y() ? 1 : -1;
    const double side = star.x() < from.x() ? -1 : 1;
    CarryOver over;
    over.level = QLineF(from + QPointF(side * kRing / 2, 0), QPointF(star.x(), from.y()));
    over.way = QLineF(QPointF(star.x(), from.y()), star + QPointF(0, step * (kStar / 2 + 2)));
    over.arrow = std::fabs(from.y() - star.y()) > kStar / 2 + 12;
    return over;
}

} // namespace

void ChartOverlay::drawPointLabel(QCPPainter& painter, const QString& label, QPointF point, double radius,
                                  const engine::LabelGround& ground) {
    if (label.isEmpty())
        return;
    const auto lines = label.split(u'\n');
    const auto bold = m_style.font(QFont::DemiBold), plain = m_style.font();
    const double height = QFontMetricsF(bold).height();
    double width = 0;
    for (qsizetype i = 0; i < lines.size(); ++i)
        width =
            std::max(width, QFontMetricsF(i + 1 == lines.size() ? bold : plain).horizontalAdvance(lines[i]));
    const auto bounds = labelArea();
    const auto box = engine::placeBeside(
        {point.x(), point.y(), radius, width + 4, height * static_cast<double>(lines.size())}, ground,
        boxOf(bounds));
    const double across = std::max({0.0, box.left - point.x(), point.x() - box.right()}),
                 down = std::max({0.0, box.top - point.y(), point.y() - box.bottom()});
    if (std::hypot(across, down) > radius + kFar)
        drawLeader(painter, point, {box.left, box.top, box.width, box.height});
    const int side = box.left > point.x()      ? Qt::AlignLeft
                     : box.right() < point.x() ? Qt::AlignRight
                                               : Qt::AlignHCenter;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const bool last = i + 1 == lines.size();
        drawHaloed(painter,
                   QRectF(box.left + 2, box.top + height * static_cast<double>(i), box.width - 4, height),
                   side | Qt::AlignVCenter, lines[i], last ? bold : plain,
                   m_style.role(last ? ColorRole::Text : ColorRole::Text2));
    }
    take(label, box);
}

void ChartOverlay::drawStars(QCPPainter& painter) {
    const auto color = m_style.color(ChartColor::series(1));
    const auto seen = area().adjusted(-2, -2, 2, 2);
    const auto keepOff = [this](const QLineF& line) {
        m_ways.push_back({line.x1(), line.y1(), line.x2(), line.y2()});
    };
    // First all that has its place, then the words where it leaves room.
    for (const auto& star : m_chart->stars) {
        if (!m_chart->isShown(star.x, star.y))
            continue;
        const auto c = pixel(star.x, star.y, star.onRight);
        if (seen.contains(c))
            m_taken.push_back(boxAround(c, kStar));
        if (!star.over)
            continue;
        const auto from = pixel(star.over->x, star.over->y, star.onRight);
        if (!seen.contains(c) || !seen.contains(from))
            continue;
        m_taken.push_back(boxAround(from, kRing));
        const auto over = carryOver(from, c);
        keepOff(over.level);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, m_style.lineWidth(1.5), Qt::DotLine, Qt::FlatCap));
        painter.drawLine(over.level);
        if (over.arrow) {
            keepOff(over.way);
            painter.setPen(QPen(color, m_style.lineWidth(1.5), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawLine(over.way);
            const double back = c.y() < from.y() ? 5 : -5;
            painter.drawPolyline(QPolygonF{over.way.p2() + QPointF(-4, back), over.way.p2(),
                                           over.way.p2() + QPointF(4, back)});
        }
        painter.setPen(QPen(m_style.role(ColorRole::Baseline), m_style.lineWidth(2)));
        painter.setBrush(m_style.role(ColorRole::Surface));
        painter.drawEllipse(from, kRing / 2, kRing / 2);
    }
    for (const auto& star : m_chart->stars) {
        if (!m_chart->isShown(star.x, star.y))
            continue;
        const auto c = pixel(star.x, star.y, star.onRight);
        if (!seen.contains(c))
            continue;
        painter.setPen(QPen(m_style.role(ColorRole::Surface), 1));
        painter.setBrush(color);
        painter.drawPath(markerPath(ChartMarker::Star, c, kStar));
    }
    for (const auto& star : m_chart->stars) {
        if (!m_chart->isShown(star.x, star.y))
            continue;
        const auto c = pixel(star.x, star.y, star.onRight);
        if (seen.contains(c))
            drawPointLabel(painter, star.label, c, kStar / 2, labelGround());
    }
    for (const auto& star : m_chart->stars) {
        if (!m_chart->isShown(star.x, star.y))
            continue;
        if (!star.over)
            continue;
        const auto c = pixel(star.x, star.y, star.onRight);
        const auto from = pixel(star.over->x, star.over->y, star.onRight);
        if (!seen.contains(c) || !seen.contains(from))
            continue;
        if (!star.over->gain.isEmpty()) {
            const auto font = m_style.font(QFont::DemiBold);
            const auto over = carryOver(from, c);
            const auto at = over.arrow ? over.way.center() : over.level.center();
            const auto box = engine::placeBeside(
                {at.x(), at.y(), 3, QFontMetricsF(font).horizontalAdvance(star.over->gain) + 14, 18},
                labelGround(), boxOf(labelArea()));
            const QRectF pill(box.left, box.top, box.width, box.height);
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_style.role(ColorRole::HotSoft));
            painter.drawRoundedRect(pill, 9, 9);
            painter.setFont(font);
            painter.setPen(m_style.role(ColorRole::Hot));
            painter.drawText(pill, Qt::AlignCenter, star.over->gain);
            take(star.over->gain, box);
        }
        drawPointLabel(painter, star.over->label, from, kRing / 2, labelGround());
    }
}

/// At the upper end of an upright line and the right end of a level one, on the side that is out of bounds.
void ChartOverlay::drawPill(QCPPainter& painter, const ChartReference& reference, QPointF at) {
    constexpr double kPillHigh = 18, kFromEnd = 8, kBeside = 5;
    const auto axes = area();
    const auto font = m_style.font();
    const QSizeF size(QFontMetricsF(font).horizontalAdvance(reference.label) + 16, kPillHigh);
    const bool beyond = reference.outside >= 0;
    QPointF corner =
        reference.vertical
            ? QPointF(beyond ? at.x() + kBeside : at.x() - kBeside - size.width(), axes.top() + kFromEnd)
            : QPointF(axes.right() - kFromEnd - size.width(),
                      beyond ? at.y() - kBeside - size.height() : at.y() + kBeside);
    corner.setX(
        std::clamp(corner.x(), axes.left() + 2, std::max(axes.left() + 2, axes.right() - size.width() - 2)));
    corner.setY(
        std::clamp(corner.y(), axes.top() + 2, std::max(axes.top() + 2, axes.bottom() - size.height() - 2)));
    const QRectF pill(corner, size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_style.role(ColorRole::ErrorSoft));
    painter.drawRoundedRect(pill, kPillHigh / 2, kPillHigh / 2);
    painter.setFont(font);
    painter.setPen(m_style.color(reference.color));
    painter.drawText(pill, Qt::AlignCenter, reference.label);
    take(reference.label, boxOf(pill));
}

void ChartOverlay::drawReferenceNames(QCPPainter& painter) {
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    const auto axes = area();
    std::vector<engine::LineLabelRequest> requests;
    std::vector<const ChartReference*> named;
    for (const auto& reference : m_chart->references) {
        const auto at = reference.vertical
                            ? QPointF(pixel(reference.at, 1).x(), axes.center().y())
                            : QPointF(axes.center().x(), pixel(1, reference.at, reference.onRight).y());
        if (reference.label.isEmpty() || !axes.contains(at))
            continue;
        if (reference.pill) {
            drawPill(painter, reference, at);
            continue;
        }
        const double along = metrics.horizontalAdvance(reference.label) + 4, across = metrics.height();
        if (reference.vertical)
            requests.push_back({true, at.x(), across, along});
        else
            requests.push_back({false, at.y(), along, across});
        named.push_back(&reference);
    }
    if (requests.empty())
        return;
    const auto ground = labelGround();
    const auto bounds = boxOf(axes.adjusted(3, -16, -3, -2));
    auto placed = engine::placeLineLabels(requests, ground, bounds);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        std::optional<QPointF> leader;
        bool turned = named[i]->vertical; // along its line
        if (!placed[i]) {                 // no room along the line: wherever there is some, with a line to it
            auto words = ground.words;
            for (const auto& other : placed)
                if (other)
                    words.push_back(*other);
            const QSizeF size(metrics.horizontalAdvance(named[i]->label) + 4, metrics.height());
            turned = false;
            for (const double along : {0.5, 0.02, 0.98, 0.25, 0.75}) {
                const QPointF on = requests[i].vertical
                                       ? QPointF(requests[i].at, axes.top() + along * axes.height())
                                       : QPointF(axes.left() + along * axes.width(), requests[i].at);
                const auto aside = engine::placeLabels({{on.x(), on.y(), 1, size.width(), size.height()}},
                                                       words, ground.curves, bounds);
                if (!aside.front())
                    continue;
                placed[i] = aside.front()->box;
                leader = on;
                break;
            }
            if (!placed[i])
                continue;
        }
        const QRectF box(placed[i]->left, placed[i]->top, placed[i]->width, placed[i]->height);
        if (leader)
            drawLeader(painter, *leader, box);
        painter.save();
        painter.translate(box.center());
        QSizeF size = box.size();
        if (turned) {
            painter.rotate(-90);
            size.transpose();
        }
        drawHaloed(painter, QRectF(QPointF(-size.width() / 2, -size.height() / 2), size), Qt::AlignCenter,
                   named[i]->label, font, m_style.color(named[i]->color));
        painter.restore();
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (placed[i])
            take(named[i]->label, *placed[i]);
}

} // namespace heteroscape::widgets
