// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/share_bars.h"

#include "widgets/theme/theme.h"
#include "widgets/validation/validation_words.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr int kBarHeight = 9;
constexpr int kGap = 8;
} // namespace

ShareBars::ShareBars(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Dense));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    Theme::instance().follow(this, [this] { update(); });
}

void ShareBars::setShares(std::vector<std::pair<QString, double>> shares) {
    m_shares = std::move(shares);
    QStringList told;
    for (const auto& [name, percent] : m_shares)
        told << name + u' ' + errorPercent(percent);
    setAccessibleName(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ShareBars::sizeHint() const {
    return {260, static_cast<int>(m_shares.size()) * (fontMetrics().height() + 5)};
}

void ShareBars::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    const auto metrics = fontMetrics();
    const int row = metrics.height() + 5;
    int names = 0;
    for (const auto& [name, percent] : m_shares)
        names = std::max(names, metrics.horizontalAdvance(name));
    names = std::min(names, width() / 2);
    const int numbers = metrics.horizontalAdvance(QStringLiteral("−100.0 %"));
    const int track = std::max(0, width() - names - numbers - 2 * kGap);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const auto& [name, percent] = m_shares[i];
        const QRect line(0, static_cast<int>(i) * row, width(), row);
        painter.setPen(theme.color(ColorRole::Text2));
        painter.drawText(QRect(0, line.top(), names, row), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, names));
        const QRect bar(names + kGap, line.top() + (row - kBarHeight) / 2, track, kBarHeight);
        painter.fillRect(bar, theme.color(ColorRole::Track));
        const auto filled = static_cast<int>(std::clamp(percent / 100.0, 0.0, 1.0) * track);
        painter.fillRect(QRect(bar.topLeft(), QSize(filled, kBarHeight)),
                         i == 0 ? theme.color(ColorRole::Hot) : theme.series(0));
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(QRect(width() - numbers, line.top(), numbers, row),
                         Qt::AlignRight | Qt::AlignVCenter, errorPercent(percent));
    }
}

} // namespace heteroscape::widgets
