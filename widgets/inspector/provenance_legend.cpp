// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/provenance_legend.h"

#include "widgets/theme/text_label.h"

#include <QGridLayout>
#include <QPainter>

namespace heteroscape::widgets {

ProvenanceLegend::ProvenanceLegend(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(12, 6, 12, 6);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(2);
    constexpr int kColumns = 3;
    int index = 0;
    const std::pair<engine::Provenance, QString> entries[] = {
        {engine::Provenance::Datasheet, tr("Datasheet")},
        {engine::Provenance::Paper, tr("Paper")},
        {engine::Provenance::Calibrated, tr("Calibrated")},
        {engine::Provenance::Assumed, tr("Assumed")},
        {engine::Provenance::User, tr("Yours")},
    };
    for (const auto& [provenance, text] : entries) {
        auto* mark = new QLabel(this);
        auto* label = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
        label->setText(text);
        Theme::instance().follow(mark, [this, mark, which = provenance] {
            mark->setPixmap(Theme::instance().provenanceMark(which, devicePixelRatioF()));
        });
        const int column = 2 * (index % kColumns);
        grid->addWidget(mark, index / kColumns, column);
        grid->addWidget(label, index / kColumns, column + 1);
        grid->setColumnStretch(column + 1, 1);
        ++index;
    }
}

void ProvenanceLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Theme::instance().color(ColorRole::Border));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace heteroscape::widgets
