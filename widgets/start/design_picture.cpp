// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/design_picture.h"

#include "engine/units/number_text.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <map>

namespace heteroscape::widgets {

namespace {

constexpr QSizeF kBox(76, 46);
constexpr int kMargin = 14;
constexpr double kStep = 190; ///< a canvas of cards this far apart fills the picture at scale 1
constexpr double kLargest = 0.62;

} // namespace

DesignPicture::DesignPicture(engine::Scenario scenario, QWidget* parent)
    : QWidget(parent), m_scenario(std::move(scenario)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize DesignPicture::sizeHint() const {
    return {300, 140};
}

void DesignPicture::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath ground; // round above, as the card that it heads
    ground.addRoundedRect(QRectF(rect()).adjusted(0, 0, 0, 12), 6, 6);
    painter.setClipRect(rect());
    painter.fillPath(ground, theme.color(ColorRole::Canvas));
    if (m_scenario.nodes.empty())
        return;
    QRectF bounds;
    for (const auto& node : m_scenario.nodes)
        bounds |= QRectF(node.position.x, node.position.y, 1, 1);
    const auto room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double scale =
        std::min({(room.width() - kBox.width()) / std::max(bounds.width(), kStep),
                  (room.height() - kBox.height()) / std::max(bounds.height(), kStep / 4), kLargest});
    std::map<engine::NodeId, QPointF> middles;
    for (const auto& node : m_scenario.nodes)
        middles[node.id] =
            room.center() + (QPointF(node.position.x, node.position.y) - bounds.center()) * scale;

    for (const auto& link : m_scenario.links) {
        painter.setPen(QPen(theme.color(ColorRole::Wire), 3));
        painter.drawLine(middles[link.from], middles[link.to]);
        painter.setPen(QPen(theme.color(ColorRole::Accent), 1.8, Qt::CustomDashLine, Qt::RoundCap));
        auto dots = painter.pen();
        dots.setDashPattern({0.03, 3.4});
        painter.setPen(dots);
        painter.drawLine(middles[link.from], middles[link.to]);
    }
    for (const auto& node : m_scenario.nodes) {
        const auto kind = node.device.kind;
        QRectF box({}, kBox);
        box.moveCenter(middles[node.id]);
        const bool several = node.count.value > 1.0;
        painter.setPen(QPen(several ? theme.kind(kind) : theme.color(ColorRole::BorderControl), 1));
        painter.setBrush(theme.color(ColorRole::Surface));
        for (const double behind : {6.0, 3.0})
            if (several)
                painter.drawRoundedRect(box.translated(behind, -behind), 5, 5);
        painter.drawRoundedRect(box, 5, 5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.kindTint(kind));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -19), 4, 4);
        const QPointF corner = box.topLeft() + QPointF(box.width() / 2 - (several ? 22 : 9), 5);
        painter.drawPixmap(corner,
                           theme.pixmap(Theme::kindIcon(kind), theme.kind(kind), 18, devicePixelRatioF()));
        if (several) {
            painter.setPen(theme.kind(kind));
            painter.setFont(theme.font(TextSize::Dense, QFont::DemiBold));
            painter.drawText(QRectF(corner + QPointF(20, 0), QSizeF(30, 18)),
                             Qt::AlignVCenter | Qt::AlignLeft,
                             QChar(0x00d7) + QString::fromStdString(engine::exactText(node.count.value)));
        }
        painter.setPen(theme.color(ColorRole::Text2));
        painter.setFont(theme.font(TextSize::Caption));
        const auto text = QRectF(box.left() + 3, box.bottom() - 18, box.width() - 6, 17);
        painter.drawText(text, Qt::AlignCenter,
                         QFontMetrics(painter.font())
                             .elidedText(QString::fromStdString(node.shownName()), Qt::ElideRight,
                                         static_cast<int>(text.width())));
    }
}

} // namespace heteroscape::widgets
