// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_item.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/design_index.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>
#include <QWidget>

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

constexpr double kLabelReach = 16; ///< how far text stands from the wire at most, beside its own width
constexpr double kHotUse = 0.8;
constexpr double kMarkWidth = 14; ///< of the sign of an edited quantity, with its gap
constexpr std::array<QPointF, 8> kHalo{
    {{2, 0}, {-2, 0}, {0, 2}, {0, -2}, {1.4, 1.4}, {1.4, -1.4}, {-1.4, 1.4}, {-1.4, -1.4}}};

/// Text with a halo of the ground behind it, so that it reads over dots and wires. The anchor is on the
/// baseline.
void haloText(QPainter& painter, QPointF anchor, Qt::AlignmentFlag align, const QString& text,
              const QFont& font, const QColor& color, const QColor& ground) {
    const auto width = QFontMetricsF(font).horizontalAdvance(text);
    if (align == Qt::AlignHCenter)
        anchor.rx() -= width / 2;
    else if (align == Qt::AlignRight)
        anchor.rx() -= width;
    painter.setFont(font);
    painter.setPen(ground);
    for (const auto& aside : kHalo) // far faster than a line around every letter
        painter.drawText(anchor + aside, text);
    painter.setPen(color);
    painter.drawText(anchor, text);
}

/// The same pill as on a card, in the middle of the wire.
void paintBottleneck(QPainter& painter, QPointF at, double zoom) {
    const auto pill = bottleneckPill(at);
    painter.save();
    paintBottleneckPill(painter, pill,
                        {zoom, painter.device() ? painter.device()->devicePixelRatioF() : 1.0});
    painter.restore();
}

} // namespace

bool LinkItem::isHot() const {
    return m_label.bottleneck || m_label.use > kHotUse;
}

LinkItem::LinkItem(CanvasScene& scene, engine::LinkId id) : CanvasItemOfKind(scene), m_id(std::move(id)) {
    setZValue(1);
    setFlag(ItemUsesExtendedStyleOption); // for the exposed part
}

void LinkItem::refresh(const DesignIndex& index) {
    const auto label = linkLabel(index, m_id);
    if (!label)
        return;
    const auto width = wireWidth(index.findLink(m_id)->type.bandwidth.value);
    QStringList findings;
    for (const auto* finding : index.findingsOf(m_id))
        if (finding->severity == engine::Severity::Error)
            findings << QString::fromStdString(finding->message + ". " + finding->remedy);
    const auto wrong = findings.join(QLatin1Char('\n'));
    if (*label == m_label && width == m_width && wrong == m_findings)
        return;
    const bool longer = label->bandwidth != m_label.bandwidth || label->type != m_label.type ||
                        label->traffic != m_label.traffic || label->bottleneck != m_label.bottleneck ||
                        label->edited != m_label.edited || label->techniques != m_label.techniques;
    m_label = *label;
    m_width = width;
    m_findings = wrong;
    m_wrong = !wrong.isEmpty();
    m_block = measuredBlock();
    if (longer)
        measure();
    repaint();
}

QString LinkItem::tip(const Document& document) const {
    return wrappedTip(m_wrong ? m_findings : linkSentence(document, m_id));
}

void LinkItem::measure() {
    prepareGeometryChange();
    m_spot.reset();
    const auto& block = m_block;
    const auto reach = std::max({block.kind, block.traffic, block.chips, block.pill.width()}) + kLabelReach;
    m_bounds = m_path.boundingRect().adjusted(-reach - kLabelAway, -48 - kLabelAway, reach + kLabelAway,
                                              64 + kLabelAway);
}

void LinkItem::setRoute(const LinkRoute& route) {
    if (route == m_route)
        return;
    m_route = route;
    m_path = roundedPath(route, kLinkCorner);
    measure();
    repaint();
}

void LinkItem::placeWords() {
    if (m_spot && *m_spot == findSpot())
        return;
    m_spot.reset();
    repaint();
}

QRectF LinkItem::boundingRect() const {
    return m_bounds;
}

QRectF LinkItem::pictureRect() const {
    auto rect = m_path.boundingRect().adjusted(-8, -8, 8, 8);
    if (m_scene.zoom() < kFewDetailsBelow)
        return rect;
    const auto& spot = labelSpot();
    const auto& block = m_block;
    for (const auto& words : {kindRect(spot, block), trafficRect(spot, block), chipsRect(spot, block)})
        if (!words.isEmpty())
            rect |= words.adjusted(-8, -8, 8, 8);
    if (!block.pill.isEmpty())
        rect |= bottleneckPill(spot.at).adjusted(-2, -2, 2, 2);
    return rect;
}

QPainterPath LinkItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(24); // as large a target as any control
    return stroker.createStroke(m_path);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) {
    if (m_route.isEmpty()) // its way comes in a later slice
        return;
    if (widget && (m_plain || m_scene.zoom() < kPlainWiresBelow)) {
        paintFar(*painter);
        return;
    }
    const auto picture = pictureRect(); // smaller than what the words might take
    if (widget && !picture.intersects(option->exposedRect))
        return;
    if (!widget || !m_scene.cards().paint(*painter, this, picture, widget->devicePixelRatioF(),
                                          [this](QPainter& into) { paintAll(into); }))
        paintAll(*painter);
}

void LinkItem::paintAll(QPainter& painter) const {
    const auto& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const bool hot = isHot();
    if (m_selected || m_wrong) {
        painter.setPen(QPen(theme.color(m_selected ? ColorRole::Accent : ColorRole::Error), m_width + 4,
                            Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPath(m_path);
    }
    painter.setPen(QPen(theme.color(ColorRole::Wire), m_width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPath(m_path);
    if (!m_label.traffic.isEmpty()) {
        // As much of the wire's width as of its bandwidth is taken.
        const auto taken = theme.color(hot ? ColorRole::Hot : ColorRole::Accent);
        painter.setPen(
            QPen(taken, std::max(1.0, m_label.use * m_width), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.setOpacity(0.45);
        painter.drawPath(m_path);
        painter.setOpacity(1.0);
        QPen dots(theme.color(hot ? ColorRole::Hot : ColorRole::Accent), 3.2, Qt::CustomDashLine,
                  Qt::RoundCap);
        dots.setDashPattern({0.03, 3.4});
        painter.setPen(dots);
        painter.drawPath(m_path);
    }
    if (m_scene.zoom() >= kFewDetailsBelow)
        paintLabels(painter);
}

void LinkItem::paintPlain(QPainter& painter, const QColor& color, double width) const {
    for (qsizetype i = 0; i + 1 < m_route.size(); ++i) {
        const auto stretch = QRectF(m_route[i], m_route[i + 1]).normalized();
        painter.fillRect(stretch.adjusted(-width / 2, -width / 2, width / 2, width / 2), color);
    }
}

void LinkItem::paintFar(QPainter& painter) const {
    const auto& theme = Theme::instance();
    const bool hot = isHot();
    const bool marked = m_selected || m_wrong;
    const auto mark = theme.color(m_selected ? ColorRole::Accent : ColorRole::Error);
    const auto taken = theme.color(hot ? ColorRole::Hot : ColorRole::Accent);
    if (m_scene.zoom() < kBoxesBelow) {
        QPen pen(marked ? mark : hot ? taken : theme.color(ColorRole::Wire), marked || hot ? 2 : 1);
        pen.setCosmetic(true);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(pen);
        painter.drawPolyline(m_route);
        painter.setRenderHint(QPainter::Antialiasing, true);
        return;
    }
    if (marked)
        paintPlain(painter, mark, m_width + 4);
    paintPlain(painter, theme.color(ColorRole::Wire), m_width);
    if (m_label.traffic.isEmpty())
        return;
    auto soft = taken;
    soft.setAlphaF(0.45F);
    paintPlain(painter, soft, std::max(1.0, m_label.use * m_width));
}

LabelBlock LinkItem::measuredBlock() const {
    const auto& theme = Theme::instance();
    const QFontMetricsF strong(theme.font(TextSize::Dense, QFont::DemiBold));
    const QFontMetricsF small(theme.font(TextSize::Caption, QFont::Medium));
    LabelBlock block;
    const auto mark = m_label.edited ? kMarkWidth : 0.0;
    block.kind = std::max(strong.horizontalAdvance(m_label.bandwidth) + 2 * mark,
                          small.horizontalAdvance(m_label.type));
    block.traffic = small.horizontalAdvance(m_label.traffic);
    for (const auto& chip : m_label.techniques)
        block.chips += small.horizontalAdvance(chip.text) + 22;
    block.half = m_width / 2; // of what the text stands beside
    if (m_label.bottleneck)
        block.pill = bottleneckPill({}).size();
    return block;
}

const LabelSpot& LinkItem::labelSpot() const {
    if (!m_spot)
        m_spot = findSpot();
    return *m_spot;
}

LabelSpot LinkItem::findSpot() const {
    return labelSpotFor(m_route, m_block, [this](const QRectF& rect) {
        if (m_scene.isCrowded())
            return false;
        // The mark of a bottleneck, and what a node does of every layer, stand out above their card, the
        // others of several devices behind it.
        const double stack = 2 * kStackStep;
        const auto near = m_scene.nodesIn(rect.adjusted(-stack, -stack, 0, kPillHeight));
        return std::any_of(near.begin(), near.end(), [&](const engine::NodeId& id) {
            const auto* node = m_scene.itemOf(id);
            auto taken = node->stackRect();
            if (node->card().bottleneck || !node->card().side.isEmpty())
                taken.setTop(taken.top() - kPillHeight);
            return taken.intersects(rect);
        });
    });
}

QRectF LinkItem::labelRect() const {
    return kindRect(labelSpot(), m_block);
}

void LinkItem::paintLabels(QPainter& painter) const {
    const auto& theme = Theme::instance();
    const auto& block = m_block;
    const auto& spot = labelSpot();
    const auto strong = theme.font(TextSize::Dense, QFont::DemiBold);
    const auto small = theme.font(TextSize::Caption);
    const auto live = theme.font(TextSize::Caption, QFont::Medium);
    const auto text = theme.color(ColorRole::Text);
    const auto quiet = theme.color(ColorRole::Text2);
    const auto traffic = theme.color(isHot() ? ColorRole::Hot : ColorRole::Accent);
    const auto own = m_scene.backgroundBrush(); // of a picture
    const auto ground = own.style() == Qt::NoBrush ? theme.color(ColorRole::Canvas) : own.color();
    const auto at = spot.at;
    if (spot.away) { // a thin line tells what the words belong to
        painter.setPen(QPen(theme.color(ColorRole::BorderControl), 1, Qt::DotLine));
        painter.drawLine(spot.wire, at);
    }
    if (m_label.bottleneck)
        paintBottleneck(painter, at, m_scene.zoom());
    const auto half = halfBeside(spot, block);
    const auto kind = kindRect(spot, block);
    const auto align = spot.horizontal ? Qt::AlignHCenter : Qt::AlignLeft;
    const auto x = spot.horizontal ? at.x() : kind.left();
    const QPointF first(x + (m_label.edited && !spot.horizontal ? kMarkWidth : 0.0), kind.top() + 13);
    haloText(painter, first, align, m_label.bandwidth, strong, text, ground);
    haloText(painter, {x, kind.top() + 28}, align, m_label.type, small, quiet, ground);
    if (m_label.edited) {
        const auto width = QFontMetricsF(strong).horizontalAdvance(m_label.bandwidth);
        const auto left = spot.horizontal ? at.x() - width / 2 - kMarkWidth : x;
        const auto ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1.0;
        painter.drawPixmap(QRectF(left, first.y() - 10, 11, 11),
                           theme.provenanceMark(engine::Provenance::User, ratio * m_scene.zoom()), QRectF());
    }
    if (!m_label.traffic.isEmpty()) {
        if (spot.horizontal)
            haloText(painter, at + QPointF(0, half + 16), Qt::AlignHCenter, m_label.traffic, live, traffic,
                     ground);
        else
            haloText(painter, at + QPointF(-half - 10, 5), Qt::AlignRight, m_label.traffic, live, traffic,
                     ground);
    }
    auto chips = chipsRect(spot, block);
    for (const auto& chip : m_label.techniques) {
        auto box = chips;
        box.setWidth(QFontMetricsF(live).horizontalAdvance(chip.text) + 16);
        painter.setPen(QPen(ground, 2));
        painter.setBrush(theme.color(ColorRole::AccentSoft));
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        painter.setPen(theme.color(ColorRole::Accent));
        painter.setFont(live);
        painter.drawText(box, Qt::AlignCenter, chip.text);
        chips.setLeft(box.right() + 6);
    }
}

} // namespace heteroscape::widgets
