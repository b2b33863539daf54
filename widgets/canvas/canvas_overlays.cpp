// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_overlays.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <cmath>

namespace heteroscape::widgets {

void FloatingBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Theme::instance().color(ColorRole::Border));
    painter.setBrush(Theme::instance().color(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

ZoomBar::ZoomBar(QWidget* parent) : FloatingBar(parent) {
    auto* layout = makeRow(this, {4, 4, 4, 4}, 2);
    const auto button = [&](const QString& icon, const QString& name, auto signal) {
        auto* made = new QToolButton(this);
        if (!icon.isEmpty())
            made->setIcon(Theme::instance().icon(icon));
        made->setToolTip(plainTip(name));
        made->setAccessibleName(name);
        made->setFixedHeight(26);
        made->setMinimumWidth(26);
        connect(made, &QToolButton::clicked, this, signal);
        layout->addWidget(made);
        return made;
    };
    button(QStringLiteral("note"), tr("Add a note (N)"), &ZoomBar::noteRequested);
    button(QStringLiteral("minus"), tr("Zoom out"), &ZoomBar::zoomOutRequested);
    m_percent = button({}, tr("Zoom to 100 %"), &ZoomBar::resetRequested);
    m_percent->setFixedWidth(56);
    button(QStringLiteral("plus"), tr("Zoom in"), &ZoomBar::zoomInRequested);
    button(QStringLiteral("fit"), tr("Fit the design (F)"), &ZoomBar::fitRequested);
    showZoom(1.0);
    adjustSize();
}

void ZoomBar::showZoom(double zoom) {
    m_percent->setText(tr("%1 %").arg(std::lround(zoom * 100)));
}

LinkOffer::LinkOffer(QWidget* parent)
    : FloatingBar(parent), m_text(new QLabel(this)), m_link(new QPushButton(tr("Link"), this)),
      m_close(new QToolButton(this)) {
    auto* layout = makeRow(this, {12, 6, 6, 6}, 8);
    m_link->setToolTip(tr("Link them (L)"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Not now"));
    m_close->setAccessibleName(tr("Not now"));
    layout->addWidget(m_text);
    layout->addWidget(m_link);
    layout->addWidget(m_close);
    connect(m_link, &QPushButton::clicked, this, &LinkOffer::accepted);
    connect(m_close, &QToolButton::clicked, this, &LinkOffer::dismissed);
    Theme::instance().follow(this, [this] {
        m_text->setFont(Theme::instance().font(TextSize::Dense));
        m_close->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted));
    });
    hide();
}

void LinkOffer::offer(const QString& text) {
    m_text->setText(text);
    m_link->setAccessibleName(text);
    adjustSize();
    show();
}

QString LinkOffer::text() const {
    return m_text->text();
}

EmptyHint::EmptyHint(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    m_text = new QLabel(tr("Drag a device here, or open a preset"), this);
    m_text->setAlignment(Qt::AlignCenter);
    layout->addWidget(m_text);
    auto* preset =
        new QPushButton(Theme::instance().icon(QStringLiteral("folder")), tr("Open a preset"), this);
    auto* find = new QPushButton(Theme::instance().icon(QStringLiteral("search")), tr("Find a device"), this);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(preset);
    buttons->addWidget(find);
    buttons->addStretch();
    layout->addLayout(buttons);
    connect(preset, &QPushButton::clicked, this, &EmptyHint::openPresetRequested);
    connect(find, &QPushButton::clicked, this, &EmptyHint::findPartRequested);
    Theme::instance().follow(this, [this] { restyle(); });
    adjustSize();
}

void EmptyHint::restyle() {
    m_text->setFont(Theme::instance().font(TextSize::Heading, QFont::Medium));
    auto palette = m_text->palette();
    palette.setColor(QPalette::WindowText, Theme::instance().color(ColorRole::Text2));
    m_text->setPalette(palette);
}

} // namespace heteroscape::widgets
