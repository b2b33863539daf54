// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/plain_text.h"

#include <QLabel>
#include <QTextDocument>

namespace heteroscape::widgets {

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? wrappedTip(text) : text;
}

QString wrappedTip(const QString& text) {
    if (text.isEmpty())
        return {};
    return QStringLiteral("<qt>%1</qt>")
        .arg(text.trimmed().toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

QString strongMarkup(const QString& text) {
    return QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(text.toHtmlEscaped());
}

void stopGuessing(QWidget* widget) {
    auto* label = qobject_cast<QLabel*>(widget);
    if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

} // namespace heteroscape::widgets
