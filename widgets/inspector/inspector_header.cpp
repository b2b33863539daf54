// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_header.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QPainter>

namespace heteroscape::widgets {

namespace {

constexpr QRectF kTile(14, 12, 30, 30);
constexpr int kIcon = 20;

} // namespace

InspectorHeader::InspectorHeader(QWidget* parent)
    : QWidget(parent), m_name(new TextLabel(TextSize::Heading, ColorRole::Text, this, QFont::DemiBold)),
      m_about(new TextLabel(TextSize::Caption, ColorRole::Muted, this)) {
    m_name->setElided(true);
    m_about->setElided(true);
    auto* column = makeColumn(this, {56, 8, 12, 8});
    column->addWidget(m_name);
    column->addWidget(m_about);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void InspectorHeader::show(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
                           const QString& about) {
    m_icon = icon;
    m_kind = kind;
    m_name->setText(name);
    m_about->setText(about);
    update();
}

void InspectorHeader::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_kind ? theme.kindTint(*m_kind) : theme.color(ColorRole::AccentSoft));
    painter.drawRoundedRect(kTile, 5, 5);
    const auto ink = m_kind ? theme.kind(*m_kind) : theme.color(ColorRole::Accent);
    const auto corner = kTile.center() - QPointF(kIcon / 2.0, kIcon / 2.0);
    painter.drawPixmap(corner, theme.pixmap(m_icon, ink, kIcon, devicePixelRatioF()));
}

} // namespace heteroscape::widgets
