// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/provenance_legend.h"

#include "widgets/inspector/text_label.h"

#include <QHBoxLayout>
#include <QPainter>

namespace heteroscape::widgets {

ProvenanceLegend::ProvenanceLegend(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(3);
    const std::pair<engine::Provenance, QString> entries[] = {
        {engine::Provenance::Datasheet, tr("Datasheet")}, {engine::Provenance::Paper, tr("Paper")},
        {engine::Provenance::Calibrated, tr("Fitted")},   {engine::Provenance::Assumed, tr("Assumed")},
        {engine::Provenance::User, tr("Yours")},
    };
    for (const auto& [provenance, text] : entries) {
        auto* mark = new QLabel(this);
        auto* label = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
        label->setText(text);
        const auto draw = [this, mark, which = provenance] {
            mark->setPixmap(Theme::instance().provenanceMark(which, devicePixelRatioF()));
        };
        connect(&Theme::instance(), &Theme::changed, mark, draw);
        draw();
        if (row->count() > 0)
            row->addStretch(1);
        row->addWidget(mark);
        row->addWidget(label);
    }
}

void ProvenanceLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Theme::instance().color(ColorRole::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace heteroscape::widgets
