// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_legend.h"

#include "widgets/requests/requests_painter.h"
#include "widgets/requests/requests_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kSwatch = 16.0, kSwatchHeight = 11.0;
constexpr double kGap = 5.0, kBetween = 14.0;
constexpr std::array kPhases{engine::ServingPhase::Prefill, engine::ServingPhase::HandOver,
                             engine::ServingPhase::Decode};

} // namespace

double phaseLegendWidth(ChartStyle style) {
    const QFontMetricsF metrics(style.font());
    double width = -kBetween;
    for (const auto phase : kPhases)
        width += kSwatch + kGap + metrics.horizontalAdvance(phaseLabel(phase)) + kBetween;
    return std::ceil(width) + 1.0;
}

void paintPhaseLegend(QPainter& painter, const QRectF& rect, ChartStyle style, bool right) {
    painter.setFont(style.font());
    const QFontMetricsF metrics(style.font());
    double x = right ? rect.right() - phaseLegendWidth(style) : rect.left();
    for (const auto phase : kPhases) {
        paintPhase(painter, QRectF(x, rect.center().y() - kSwatchHeight / 2.0, kSwatch, kSwatchHeight), phase,
                   style);
        x += kSwatch + kGap;
        const auto label = phaseLabel(phase);
        const double width = metrics.horizontalAdvance(label);
        painter.setPen(style.role(ColorRole::Text2));
        painter.drawText(QRectF(x, rect.top(), width + 4.0, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         label);
        x += width + kBetween;
    }
}

RequestsLegend::RequestsLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setAccessibleName(tr("Colours: prefill, KV hand-over, decode"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize RequestsLegend::sizeHint() const {
    return {static_cast<int>(phaseLegendWidth({})), 18};
}

void RequestsLegend::paintEvent(QPaintEvent*) {
    if (width() + 1 < sizeHint().width())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPhaseLegend(painter, rect(), {}, true);
}

} // namespace heteroscape::widgets
