// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/text_label.h"

#include <QPainter>

namespace heteroscape::widgets {

TextLabel::TextLabel(TextSize size, ColorRole role, QWidget* parent, QFont::Weight weight)
    : QLabel(parent), m_role(role) {
    setFont(Theme::instance().font(size, weight));
    setTextFormat(Qt::PlainText);
    connect(&Theme::instance(), &Theme::changed, this, &TextLabel::recolour);
    recolour();
}

void TextLabel::setRole(ColorRole role) {
    if (role == m_role)
        return;
    m_role = role;
    recolour();
}

void TextLabel::setElided(bool elided) {
    m_elided = elided;
    updateGeometry();
}

void TextLabel::recolour() {
    auto colours = palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(m_role));
    setPalette(colours);
}

QSize TextLabel::minimumSizeHint() const {
    auto size = QLabel::minimumSizeHint();
    if (m_elided)
        size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("MM\u2026")));
    return size;
}

void TextLabel::paintEvent(QPaintEvent* event) {
    if (!m_elided) {
        QLabel::paintEvent(event);
        return;
    }
    const auto shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    if (toolTip().isEmpty() != (shown == text()))
        setToolTip(shown == text() ? QString() : text());
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, shown);
}

} // namespace heteroscape::widgets
