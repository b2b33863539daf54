// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/value_text.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLocale>
#include <QPainter>
#include <cmath>

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

engine::Decimals decimalsHere() {
    return QLocale().decimalPoint() == QStringLiteral(",") ? engine::Decimals::Comma
                                                           : engine::Decimals::Point;
}

double typedValue(const engine::FieldSpec& spec, const QString& text) {
    return engine::typedValue(spec, text.toStdString(), {}, decimalsHere());
}

QString problemText(const engine::Error& error) {
    auto text = QString::fromStdString(error.message());
    if (!error.remedy().empty())
        text += QStringLiteral(". %1.").arg(QString::fromStdString(error.remedy()));
    return text;
}

QString quantityToolTip(const engine::FieldSpec& spec, const engine::Quantity& quantity) {
    QString text = strongMarkup(QString::fromUtf8(spec.label));
    if (quantity.isSet()) {
        const auto value =
            QString::fromStdString(engine::exactText(engine::shownValue(quantity.value, spec.scale)));
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

namespace {

/// Before a unit: a thin space that does not break.
const QString kThin = QStringLiteral("\u202f");

QString withUnit(double value, const QString& unit) {
    return shortNumber(value) + kThin + unit;
}

} // namespace

QString shortNumber(double value) {
    return QString::fromStdString(engine::shortText(value));
}

QString secondsText(double seconds) {
    if (!(seconds < 1.0)) // NaN too
        return withUnit(seconds, QStringLiteral("s"));
    if (seconds >= 1e-3)
        return withUnit(seconds * 1e3, QStringLiteral("ms"));
    return withUnit(seconds * 1e6, QStringLiteral("\u00b5s"));
}

QString rateText(double bytesPerSecond) {
    const double gb = bytesPerSecond / 1e9;
    return gb > 0.0 && gb < 0.01 ? QStringLiteral("< 0.01") + kThin + QStringLiteral("GB/s")
                                 : withUnit(gb, QStringLiteral("GB/s"));
}

QString wattsText(double watts) {
    return watts >= 1000.0 ? withUnit(watts / 1e3, QStringLiteral("kW"))
                           : withUnit(watts, QStringLiteral("W"));
}

QString shareText(double share) {
    if (!std::isfinite(share))
        return shortNumber(share);
    const auto percent = kThin + QStringLiteral("%");
    if (share > 0.0 && share < 0.005)
        return QStringLiteral("< 1") + percent;
    return QString::number(std::lround(share * 100.0)) + percent;
}

} // namespace heteroscape::widgets

#include "moc_value_text.cpp"
