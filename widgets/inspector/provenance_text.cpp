// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/provenance_text.h"
#include "widgets/theme/lookup.h"
#include "widgets/theme/plain_text.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

struct ProvenanceText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Provenance)
public:
    using enum engine::Provenance;
    static constexpr Word<engine::Provenance> kLabels[]{{Datasheet, QT_TR_NOOP("Datasheet value")},
                                                        {Paper, QT_TR_NOOP("Paper value")},
                                                        {Calibrated, QT_TR_NOOP("Calibrated value")},
                                                        {Assumed, QT_TR_NOOP("Assumed value")},
                                                        {User, QT_TR_NOOP("Your value")}};
};

} // namespace

QString provenanceLabel(engine::Provenance provenance) {
    return ProvenanceText::tr(lookUp(ProvenanceText::kLabels, provenance));
}

QString quantityToolTip(const engine::FieldSpec& spec, const engine::Quantity& quantity) {
    QString text = strongMarkup(QString::fromUtf8(spec.label));
    if (quantity.isSet()) {
        const auto value =
            QString::fromStdString(engine::exactText(engine::toEdge(quantity.value, spec.scale)));
        text += QStringLiteral(": %1 %2").arg(value, QString::fromUtf8(spec.unit).toHtmlEscaped());
        text += QStringLiteral("<br>") + provenanceLabel(quantity.provenance);
        if (!quantity.source.empty())
            text += QStringLiteral(", ") + QString::fromStdString(quantity.source).toHtmlEscaped();
    } else {
        text += QStringLiteral(": ") + ProvenanceText::tr("not set");
    }
    text += QStringLiteral("<br>") + QString::fromUtf8(spec.about).toHtmlEscaped();
    text +=
        QStringLiteral("<br>") + ProvenanceText::tr("Allowed: %1.")
                                     .arg(QString::fromStdString(engine::rangeText(spec)).toHtmlEscaped());
    if (!spec.required)
        text += QStringLiteral("<br>") + ProvenanceText::tr("Empty the field to make it not set.");
    return text;
}

} // namespace heteroscape::widgets
