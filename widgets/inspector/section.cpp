// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/section.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QPainter>
#include <QToolButton>

namespace heteroscape::widgets {

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent), m_header(new QToolButton(this)),
      m_summary(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_body(new QWidget(this)),
      m_rows(new QVBoxLayout(m_body)) {
    m_header->setText(title);
    m_header->setAutoRaise(true);
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setIconSize({14, 14});
    m_header->setFont(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    m_header->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 2, 14, 0);
    top->addWidget(m_header);
    top->addStretch(1);
    top->addWidget(m_summary);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    auto* column = makeColumn(this, {0, 3, 0, 6});
    column->addLayout(top);
    column->addWidget(m_body);

    connect(m_header, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    Theme::instance().follow(this, [this] { recolour(); });
}

void Section::addRow(QWidget* row) {
    m_rows->addWidget(row);
}

void Section::showRows() {
    for (int i = 0; i < m_rows->count(); ++i)
        if (auto* row = m_rows->itemAt(i)->widget(); !row->testAttribute(Qt::WA_WState_ExplicitShowHide))
            row->show();
}

bool Section::hasRows() const {
    return m_rows->count() > 0;
}

void Section::setSummary(const QString& text) {
    m_summary->setText(text);
}

QString Section::title() const {
    return m_header->text();
}

bool Section::isOpen() const {
    return m_open;
}

void Section::setOpen(bool open) {
    if (open == m_open)
        return;
    m_open = open;
    m_body->setVisible(open);
    recolour();
    emit toggled(open);
}

void Section::recolour() {
    m_header->setIcon(Theme::instance().icon(
        isOpen() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), ColorRole::Muted));
    update();
}

void Section::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Theme::instance().color(ColorRole::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace heteroscape::widgets

#include "moc_section.cpp"
