// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/provenance_text.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Provenance)
};

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString provenanceLabel(engine::Provenance provenance) {
    switch (provenance) {
    case engine::Provenance::Datasheet:
        return Text::tr("Datasheet value");
    case engine::Provenance::Paper:
        return Text::tr("Paper value");
    case engine::Provenance::Calibrated:
        return Text::tr("Calibrated value");
    case engine::Provenance::Assumed:
        return Text::tr("Assumed value");
    case engine::Provenance::User:
        break;
    }
    return Text::tr("Your value");
}

QString quantityToolTip(const engine::FieldSpec& spec, const engine::Quantity& quantity) {
    QString text = QStringLiteral("<b>%1</b>").arg(fromView(spec.label).toHtmlEscaped());
    if (quantity.isSet()) {
        const auto value =
            QString::fromStdString(engine::exactText(engine::toEdge(quantity.value, spec.scale)));
        text += QStringLiteral(": %1 %2").arg(value, fromView(spec.unit).toHtmlEscaped());
        text += QStringLiteral("<br>") + provenanceLabel(quantity.provenance);
        if (!quantity.source.empty())
            text += QStringLiteral(", ") + QString::fromStdString(quantity.source).toHtmlEscaped();
    } else {
        text += QStringLiteral(": ") + Text::tr("not set");
    }
    text += QStringLiteral("<br>") + fromView(spec.about).toHtmlEscaped();
    text += QStringLiteral("<br>") +
            Text::tr("Allowed: %1.").arg(QString::fromStdString(engine::rangeText(spec)).toHtmlEscaped());
    if (!spec.required)
        text += QStringLiteral("<br>") + Text::tr("Empty the field to make it not set.");
    return text;
}

} // namespace heteroscape::widgets
