// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/decisive_list.h"

#include "widgets/inspector/value_text.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace heteroscape::widgets {

namespace {

constexpr int kHeading = 22, kRow = 20, kName = 200, kBar = 120, kValue = 76, kShare = 52;

QString boundText(engine::Bound bound) {
    const auto label = engine::boundLabel(bound);
    return QString::fromUtf8(label);
}

} // namespace

DecisiveList::DecisiveList(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DecisiveList::setPart(std::optional<engine::DecisivePart> part) {
    m_part = std::move(part);
    setVisible(m_part.has_value());
    setAccessibleName(heading());
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QString DecisiveList::heading() const {
    if (!m_part)
        return {};
    const auto name = QString::fromStdString(m_part->name);
    return m_part->phase == engine::Phase::Prefill
               ? tr("Decided by prefill on %1: %2").arg(name, boundText(m_part->bound))
               : tr("Decided by decode on %1: %2").arg(name, boundText(m_part->bound));
}

QString DecisiveList::text() const {
    if (!m_part)
        return {};
    auto lines = heading() + u'\n';
    for (const auto& work : m_part->works)
        lines += tr("  %1: %2, %3 of the step, bound by %4\n")
                     .arg(QString::fromStdString(work.label), secondsText(work.seconds),
                          shareText(work.share), boundText(work.bound));
    return lines;
}

QSize DecisiveList::sizeHint() const {
    return {560, m_part ? kHeading + kRow * static_cast<int>(m_part->works.size()) : 0};
}

void DecisiveList::paintEvent(QPaintEvent*) {
    if (!m_part)
        return;
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(TextSize::Dense, QFont::Medium));
    painter.setPen(theme.color(ColorRole::Hot));
    painter.drawText(QRect(0, 0, width(), kHeading), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(heading(), Qt::ElideRight, width()));
    painter.setFont(theme.font(TextSize::Dense));
    const auto text = [&](QRect box, int alignment, const QString& what, ColorRole role) {
        painter.setPen(theme.color(role));
        painter.drawText(box, alignment | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, box.width()));
    };
    int y = kHeading;
    for (const auto& work : m_part->works) {
        int x = 0;
        const auto column = [&](int wide) {
            const QRect box(x, y, wide, kRow);
            x += wide + 8;
            return box;
        };
        text(column(kName), Qt::AlignLeft, QString::fromStdString(work.label), ColorRole::Text);
        const auto bar = QRectF(column(kBar)).adjusted(0, 7, 0, -7);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Track));
        painter.drawRoundedRect(bar, 2, 2);
        painter.setBrush(theme.series(0));
        painter.drawRoundedRect(
            QRectF(bar.left(), bar.top(), bar.width() * std::min(1.0, work.share), bar.height()), 2, 2);
        text(column(kShare), Qt::AlignRight, shareText(work.share), ColorRole::Text);
        text(column(kValue), Qt::AlignRight, secondsText(work.seconds), ColorRole::Text2);
        text(QRect(x, y, width() - x, kRow), Qt::AlignLeft, boundText(work.bound), ColorRole::Muted);
        y += kRow;
    }
}

} // namespace heteroscape::widgets
