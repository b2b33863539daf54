// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/reached_bars.h"

#include "widgets/find/find_charts.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {
constexpr int kTrackHeight = 9;
constexpr int kSpace = 8;
constexpr int kLine = 24;
} // namespace

ReachedBars::ReachedBars(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Dense));
    Theme::instance().follow(this, [this] { update(); });
}

QString ReachedBars::heading(const FoundSearch& search) {
    const auto axis = search.groupAxis();
    return axis ? tr("Best each reaches: %1").arg(search.axisName(*axis)) : tr("Best each value reaches");
}

void ReachedBars::show(const FoundSearch& search) {
    m_bars.clear();
    QStringList told;
    if (const auto axis = search.groupAxis()) {
        const engine::SearchSpace space(search.problem());
        const auto walked = static_cast<std::size_t>(
            std::find(space.order().begin(), space.order().end(), *axis) - space.order().begin());
        const auto reached = search.tally().reached(0, walked);
        const auto& goal = search.problem().goals[0];
        for (std::size_t i = 0; i < reached.size(); ++i)
            m_bars.push_back({search.valueText(*axis, i), reached[i].value,
                              std::isnan(reached[i].value)
                                  ? tr("none within the limits")
                                  : columnValue(search.problem().study.base, goal.column, reached[i].value),
                              i});
        std::stable_sort(m_bars.begin(), m_bars.end(), [&](const Bar& a, const Bar& b) {
            return !std::isnan(a.value) &&
                   (std::isnan(b.value) || goal.better * a.value > goal.better * b.value);
        });
        for (const auto& bar : m_bars)
            told << bar.name + u' ' + bar.text;
    }
    setAccessibleName(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ReachedBars::sizeHint() const {
    return {240, static_cast<int>(m_bars.size()) * kLine};
}

void ReachedBars::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    const auto metrics = fontMetrics();
    int names = 0, numbers = 0;
    double most = 0.0;
    for (const auto& bar : m_bars) {
        names = std::max(names, metrics.horizontalAdvance(bar.name) + 2);
        if (std::isnan(bar.value))
            continue;
        numbers = std::max(numbers, metrics.horizontalAdvance(bar.text));
        most = std::max(most, std::fabs(bar.value));
    }
    names = std::min(names, width() / 2);
    const int track = std::max(0, width() - names - numbers - 2 * kSpace);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const auto& bar = m_bars[i];
        const QRect line(0, static_cast<int>(i) * kLine, width(), kLine);
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(QRect(0, line.top(), names, kLine), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.name, Qt::ElideRight, names));
        if (std::isnan(bar.value)) {
            painter.setPen(theme.color(ColorRole::Muted));
            painter.drawText(line.adjusted(names + kSpace, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(bar.text, Qt::ElideRight, width() - names - kSpace));
            continue;
        }
        const QRect ground(names + kSpace, line.top() + (kLine - kTrackHeight) / 2, track, kTrackHeight);
        painter.fillRect(ground, theme.color(ColorRole::Track));
        const auto filled = most > 0.0 ? static_cast<int>(std::fabs(bar.value) / most * track) : 0;
        painter.fillRect(QRect(ground.topLeft(), QSize(filled, kTrackHeight)),
                         groupColor(bar.position).resolve(false));
        painter.drawText(QRect(width() - numbers, line.top(), numbers, kLine),
                         Qt::AlignRight | Qt::AlignVCenter, bar.text);
    }
}

} // namespace heteroscape::widgets
