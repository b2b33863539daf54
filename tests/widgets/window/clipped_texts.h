// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/number_edit.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/metrics_strip.h"

#include <QAbstractButton>
#include <QLabel>

namespace heteroscape::widgets {

/// What of a window is narrower than its text: class, text, widths.
inline QStringList clippedTexts(const QWidget& window) {
    QStringList clipped;
    const auto check = [&](const QWidget* widget, const QString& text, int needed) {
        if (needed > widget->width())
            clipped << QStringLiteral("%1 \"%2\": %3 of %4 px")
                           .arg(QString::fromLatin1(widget->metaObject()->className()), text)
                           .arg(widget->width())
                           .arg(needed);
    };
    for (const auto* label : window.findChildren<QLabel*>()) {
        const auto* elided = qobject_cast<const TextLabel*>(label);
        if (!label->isVisible() || label->text().isEmpty() || (elided && elided->isElided()))
            continue;
        if (!label->wordWrap())
            check(label, label->text(), label->sizeHint().width());
        else if (label->heightForWidth(label->width()) > label->height())
            clipped << QStringLiteral("\"%1\" is cut below").arg(label->text());
    }
    for (const auto* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible() && !button->text().isEmpty() && !qobject_cast<const MetricCell*>(button))
            check(button, button->text(), button->sizeHint().width());
    for (const auto* cell : window.findChildren<MetricCell*>())
        if (cell->isVisible() && cell->content().icon.isEmpty())
            check(cell, cell->content().value, cell->sizeHint().width());
    for (const auto* field : window.findChildren<NumberEdit*>())
        if (field->isVisible())
            check(field, field->text(), field->minimumSizeHint().width());
    return clipped;
}

} // namespace heteroscape::widgets
