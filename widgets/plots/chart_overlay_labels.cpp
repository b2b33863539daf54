// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the overlay that looks for free room: captions, labels of marks; and the selected point.

#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/note_look.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

// The part of the overlay that shows notes with their arrows.
namespace heteroscape::widgets {

namespace {

constexpr QMarginsF kNoteWords(10, 6, 8, 6); // around them
constexpr double kNoteEdge = 3;              // a stripe at the left, as on the canvas
constexpr double kNoteCorner = 4;

QStringList wordsOf(const ChartNote& note, const QFont& font) {
    return noteLines(note.text, font, note.width - kNoteWords.left() - kNoteWords.right());
}

} // namespace

QRectF ChartOverlay::noteBox(const ChartNote& note) const {
    const auto font = m_style.font();
    const auto lines = static_cast<double>(wordsOf(note, font).size());
    QRectF box(pixel(note.x, note.y) + note.offset,
               QSizeF(note.width,
                      lines * QFontMetricsF(font).lineSpacing() + kNoteWords.top() + kNoteWords.bottom()));
    const auto within = area();
    box.moveLeft(std::max(within.left(), std::min(box.left(), within.right() - box.width())));
    box.moveTop(std::max(within.top(), std::min(box.top(), within.bottom() - box.height())));
    return box;
}

void ChartOverlay::drawNotes(QCPPainter& painter) const {
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    for (const auto& note : m_chart->notes) {
        const auto tip = pixel(note.x, note.y);
        if (!area().adjusted(-1, -1, 1, 1).contains(tip))
            continue; // panned away
        const auto box = noteBox(note);
        const auto ink = m_style.role(note.chosen ? ColorRole::Accent : ColorRole::Text2);
        if (!box.contains(tip))
            paintNoteArrow(painter, {edgeToward(box, tip), tip}, ink);
        QPainterPath outline;
        outline.addRoundedRect(box, kNoteCorner, kNoteCorner);
        painter.fillPath(outline, m_style.role(ColorRole::Panel));
        painter.save();
        painter.setClipPath(outline, Qt::IntersectClip);
        painter.fillRect(QRectF(box.topLeft(), QSizeF(kNoteEdge, box.height())),
                         m_style.role(ColorRole::Baseline));
        painter.restore();
        painter.setPen(QPen(m_style.role(note.chosen ? ColorRole::Accent : ColorRole::BorderControl),
                            note.chosen ? 2 : 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(outline);
        painter.setFont(font);
        painter.setPen(m_style.role(ColorRole::Text));
        auto at = box.topLeft() + QPointF(kNoteWords.left(), kNoteWords.top() + metrics.ascent());
        for (const auto& line : wordsOf(note, font)) {
            painter.drawText(at, line);
            at.ry() += metrics.lineSpacing();
        }
    }
}

namespace {

/// The part of a line inside a rectangle; none when it passes outside.
std::optional<QLineF> clipped(const QLineF& line, const QRectF& r) {
    double from = 0, to = 1;
    const double p[] = {-line.dx(), line.dx(), -line.dy(), line.dy()};
    const double q[] = {line.x1() - r.left(), r.right() - line.x1(), line.y1() - r.top(),
                        r.bottom() - line.y1()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0)
                return std::nullopt;
            continue;
        }
        (p[i] < 0 ? from : to) = p[i] < 0 ? std::max(from, q[i] / p[i]) : std::min(to, q[i] / p[i]);
    }
    if (from >= to)
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

} // namespace

void ChartOverlay::drawCaptions(QCPPainter& painter) {
    const auto room = area().adjusted(-1, -16, 1, 0);
    const engine::PlotBox bounds{room.left(), room.top(), room.width(), room.height()};
    struct Late {
        const ChartCaption* caption;
        QLineF line; ///< as far as it is seen
    };
    std::vector<Late> late; // without room beside their lines: when all others have theirs
    for (const auto& caption : m_chart->captions) {
        const auto visible = clipped(QLineF(pixel(caption.x1, caption.y1), pixel(caption.x2, caption.y2)),
                                     area().adjusted(6, 0, -6, 0));
        if (!visible)
            continue;
        const auto font = m_style.font(caption.bold ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        const double width = metrics.horizontalAdvance(caption.text) + 4, height = metrics.height();
        if (visible->length() < width + 8)
            continue;
        const auto ground = labelGround();
        const auto box =
            engine::placeAlong({visible->x1(), visible->y1(), visible->x2(), visible->y2()}, width, height,
                               caption.below, ground.words, ground.curves, bounds);
        if (!box) {
            late.push_back({&caption, *visible});
            continue;
        }
        painter.save();
        painter.translate(box->x, box->y);
        painter.rotate(box->radians * 180 / std::numbers::pi);
        painter.setFont(font);
        painter.setPen(m_style.color(caption.color));
        painter.drawText(QRectF(-width / 2, -height / 2, width, height), Qt::AlignCenter, caption.text);
        painter.restore();
        const auto boxes = engine::boxesOf(*box);
        m_taken.insert(m_taken.end(), boxes.begin(), boxes.end());
        m_texts.push_back({caption.text, *box});
    }
    if (late.size() > engine::kFarLabels) // far from their lines, so many name nothing
        late.resize(engine::kFarLabels);
    for (const auto& [caption, line] : late) {
        const auto font = m_style.font(caption->bold ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        const QSizeF size(metrics.horizontalAdvance(caption->text) + 4, metrics.height());
        const auto ground = labelGround();
        for (const double along : {0.5, 0.3, 0.7, 0.15, 0.85}) {
            const auto on = line.pointAt(along);
            const auto leadsFreely = [&](const engine::PlotBox& box) {
                const engine::PlotSegment leader{on.x(), on.y(), std::clamp(on.x(), box.left, box.right()),
                                                 std::clamp(on.y(), box.top, box.bottom())};
                return std::none_of(ground.words.begin(), ground.words.end(),
                                    [&](const auto& word) { return engine::crosses(leader, word); });
            };
            const auto free = engine::nearestFree({on.x(), on.y(), 1, size.width(), size.height()},
                                                  ground.words, ground.curves, bounds, leadsFreely);
            if (!free)
                continue;
            const QRectF box(free->left, free->top, free->width, free->height);
            drawLeader(painter, on, box);
            drawHaloed(painter, box, Qt::AlignCenter, caption->text, font, m_style.color(caption->color));
            take(caption->text, *free);
            break;
        }
    }
}

void ChartOverlay::drawLeader(QCPPainter& painter, QPointF from, const QRectF& box) {
    const QPointF to(std::clamp(from.x(), box.left(), box.right()),
                     std::clamp(from.y(), box.top(), box.bottom()));
    painter.setPen(QPen(m_style.role(ColorRole::Text2), m_style.exported ? 0.8 : 1));
    painter.drawLine(QLineF(from, to));
    painter.setBrush(m_style.role(ColorRole::Text2));
    painter.drawEllipse(from, 1.5, 1.5);
    m_ways.push_back({from.x(), from.y(), to.x(), to.y()});
}

void ChartOverlay::drawMarkLabels(QCPPainter& painter) {
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    std::vector<engine::LabelRequest> requests;
    std::vector<const ChartMark*> marks;
    auto obstacles = m_taken;
    for (const auto& mark : m_chart->marks) {
        const auto c = pixel(mark.x, mark.y);
        const double r = mark.diameter / 2 + (mark.ringed ? 4 : 0);
        if (!area().contains(c))
            continue;
        if (mark.label.isEmpty())
            obstacles.push_back({c.x() - r, c.y() - r, 2 * r, 2 * r});
        else {
            const auto size = metrics.size(0, mark.label); // may have several lines
            requests.push_back({c.x(), c.y(), r, size.width() + 4, size.height()});
            marks.push_back(&mark);
        }
    }
    std::vector<QString> labels;
    labels.reserve(marks.size());
    for (const auto* mark : marks)
        labels.push_back(mark->label);
    if (m_chart->cloud && !m_chart->cloud->front.empty() && !m_chart->cloud->frontLabel.isEmpty()) {
        // Beside the first point of the front that is in view, away from where it is densest.
        for (const auto i : m_chart->cloud->front)
            if (const auto c = m_cloud->pixel(i); area().contains(c)) {
                const auto size = metrics.size(0, m_chart->cloud->frontLabel);
                requests.push_back({c.x(), c.y(), 6, size.width() + 4, size.height()});
                labels.push_back(m_chart->cloud->frontLabel);
                break;
            }
    }
    const auto bounds = area();
    const auto placed =
        engine::placeLabels(requests, std::move(obstacles), lines(),
                            {bounds.left() + 2, bounds.top(), bounds.width() - 4, bounds.height() - 48});
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i])
            continue;
        const QRectF box(placed[i]->box.left, placed[i]->box.top, placed[i]->box.width,
                         placed[i]->box.height);
        if (placed[i]->leader)
            drawLeader(painter, {requests[i].x, requests[i].y}, box);
        drawHaloed(painter, box, Qt::AlignCenter, labels[i], font, m_style.role(ColorRole::Text));
        take(labels[i], placed[i]->box);
    }
}

void ChartOverlay::drawSelected(QCPPainter& painter) const {
    if (!m_selected || m_style.exported)
        return;
    painter.setPen(QPen(m_style.role(ColorRole::Accent), 2.5));
    painter.setBrush(Qt::NoBrush);
    if (m_selected->kind == ChartPoint::Kind::Cloud) {
        const auto point = static_cast<std::size_t>(m_selected->index);
        if (!m_chart->cloud || point >= m_chart->cloud->points->x.size())
            return;
        if (const auto c = m_cloud->pixel(point);
            std::isfinite(c.x()) && std::isfinite(c.y()) && area().adjusted(-2, -2, 2, 2).contains(c)) {
            const double radius = m_cloud->diameter(point) / 2 + 4;
            painter.drawEllipse(c, radius, radius);
        }
        return;
    }
    if (m_selected->kind != ChartPoint::Kind::Point) {
        const auto frame = ChartPainter::frameOf(*m_chart, *m_ground, *m_selected);
        painter.drawRect(frame.intersected(area().adjusted(-2, -2, 2, 2)));
        return;
    }
    QPointF c;
    double diameter = 14;
    const auto index = static_cast<std::size_t>(m_selected->index);
    if (m_selected->line < 0) {
        if (index >= m_chart->marks.size())
            return;
        const auto& mark = m_chart->marks[index];
        c = pixel(mark.x, mark.y);
        diameter = mark.diameter + 8;
    } else {
        const auto line = static_cast<std::size_t>(m_selected->line);
        if (line >= m_chart->lines.size() || index >= m_chart->lines[line].x.size())
            return;
        const auto& curve = m_chart->lines[line];
        c = pixel(curve.x[index], curve.y[index], curve.onRight);
    }
    if (!std::isfinite(c.y()) || !area().adjusted(-2, -2, 2, 2).contains(c))
        return;
    painter.drawEllipse(c, diameter / 2, diameter / 2);
}

} // namespace heteroscape::widgets
