// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/layouts.h"

#include "widgets/theme/text_label.h"

#include <QMenu>
#include <QWidgetAction>

namespace heteroscape::widgets {

QAction* addHeading(QMenu* menu, const QString& text) {
    menu->setSeparatorsCollapsible(false); // else the first one is left out
    auto* label = new TextLabel(text, TextSize::Caption, ColorRole::Muted, QFont::DemiBold);
    label->setContentsMargins(10, 7, 24, 3); // its words in line with those of the entries
    auto* heading = new QWidgetAction(menu);
    heading->setDefaultWidget(label);
    heading->setText(text);      // for whoever reads the menu aloud
    heading->setSeparator(true); // keys pass it by
    menu->addAction(heading);
    return heading;
}

} // namespace heteroscape::widgets
