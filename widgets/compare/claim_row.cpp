// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_row.h"

#include "widgets/theme/plain_text.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

ClaimRow::ClaimRow(engine::ClaimResult result, QWidget* parent)
    : QAbstractButton(parent), m_result(std::move(result)) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    const auto& claim = m_result.claim;
    const auto quantity = QString::fromStdString(claim.quantity),
               condition = QString::fromStdString(claim.condition);
    setAccessibleName(tr("%1, %2: paper %3, model %4, error %5, %6")
                          .arg(quantity, condition, paperValueText(claim), modelValueText(m_result),
                               errorText(m_result.error), claimStatusText(claimStatus(m_result))));
    setToolTip(plainTip(quantity + u'\n' + condition + u'\n' + claimStatusAbout(claimStatus(m_result))));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ClaimRow::setChosen(bool chosen) {
    m_chosen = chosen;
    update();
}

void ClaimRow::mouseDoubleClickEvent(QMouseEvent*) {
    emit activated();
}

void ClaimRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit activated();
    else
        QAbstractButton::keyPressEvent(event);
}

void ClaimRow::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    const auto status = claimStatus(m_result);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_chosen)
        painter.fillRect(rect(), theme.color(ColorRole::Selection));
    else if (underMouse())
        painter.fillRect(rect(), theme.color(ColorRole::Sunken));
    painter.fillRect(QRect(0, 0, width(), 1), theme.color(ColorRole::Grid));

    constexpr int kPadding = 12, kSign = 16, kPill = 64, kGap = 8, kLeastBar = 36;
    const auto dense = theme.font(TextSize::Dense), caption = theme.font(TextSize::Caption);
    const auto paper = paperValueText(m_result.claim), model = modelValueText(m_result);
    const QFontMetrics metrics(caption);
    const int text = std::max(metrics.horizontalAdvance(paper), metrics.horizontalAdvance(model)) + 6;
    // The metrics are whole, and bars can be told apart; the name gives way.
    const int right = width() - kPadding - kSign - kGap - kPill - kGap;
    const int nameWidth =
        std::clamp(std::min(width() * 44 / 100, right - kPadding - kGap - kLeastBar - text), 96, 320);
    const QRect name(kPadding, 6, nameWidth, 18), under(kPadding, 24, nameWidth, 16);
    painter.setFont(dense);
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(dense).elidedText(QString::fromStdString(m_result.claim.quantity),
                                                    Qt::ElideRight, nameWidth));
    painter.setFont(caption);
    painter.setPen(theme.color(ColorRole::Muted));
    painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(caption).elidedText(QString::fromStdString(m_result.claim.condition),
                                                      Qt::ElideRight, nameWidth));

    const int left = kPadding + nameWidth + kGap;
    const int room = std::max(12, right - left - text);
    const double largest = std::max(std::fabs(m_result.claim.paper), std::fabs(m_result.model));
    const auto bar = [&](int y, double value, const QColor& color, const QString& shown, ColorRole ink) {
        const double length = largest > 0 ? std::max(2.0, room * std::fabs(value) / largest) : 2.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(left, y, length, 8), 1, 1);
        painter.setPen(theme.color(ink));
        painter.drawText(QRectF(left + length + 6, y - 4, text, 16), Qt::AlignLeft | Qt::AlignVCenter, shown);
    };
    bar(11, m_result.claim.paper, theme.color(ColorRole::Baseline), paper, ColorRole::Text2);
    bar(28, m_result.model, status == ClaimStatus::Misfit ? theme.color(ColorRole::Error) : theme.series(0),
        model, ColorRole::Text);

    const QRectF pill(width() - kPadding - kSign - kGap - kPill, 15, kPill, 18);
    const bool bad = status == ClaimStatus::Misfit, fitted = status != ClaimStatus::Predicted;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(bad      ? ColorRole::ErrorSoft
                                 : fitted ? ColorRole::Sunken
                                          : ColorRole::AccentSoft));
    painter.drawRoundedRect(pill, 9, 9);
    painter.setFont(theme.font(TextSize::Caption, QFont::Medium));
    painter.setPen(theme.color(bad ? ColorRole::Error : fitted ? ColorRole::Text2 : ColorRole::Accent));
    painter.drawText(pill, Qt::AlignCenter, errorText(m_result.error));
    paintClaimStatus(painter, QRectF(width() - kPadding - kSign, 16, kSign, kSign), status);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

} // namespace heteroscape::widgets
