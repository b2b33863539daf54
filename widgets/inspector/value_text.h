// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/catalog/field.h"
#include "engine/evaluation/evaluation.h"

#include <QString>
#include <QWidget>

namespace heteroscape::widgets {

/// "Datasheet value", "Paper value", ...: the kind of a quantity's source in words.
QString provenanceLabel(engine::Provenance provenance);

/// The tool tip of a quantity: its exact value, the kind and name of its source, what it is, what is allowed.
QString quantityToolTip(const engine::FieldSpec& spec, const engine::Quantity& quantity);

/// The foot of the inspector: what the marks beside the quantities mean. UI thread.
class ProvenanceLegend : public QWidget {
    Q_OBJECT
public:
    explicit ProvenanceLegend(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

class Document;

/// The marks that this user types numbers with.
engine::Decimals decimalsHere();
/// What is typed for a field, in its shown unit; throws engine::Error where it is no number within the range.
double typedValue(const engine::FieldSpec& spec, const QString& text);
/// What is wrong and the remedy, beside the field that it is about.
QString problemText(const engine::Error& error);

QString shortNumber(double value);       ///< three significant digits: "21,100"
QString secondsText(double seconds);     ///< "18.9 ms", "12 µs", "9.92 s"
QString rateText(double bytesPerSecond); ///< "31.5 GB/s", "0.58 GB/s"
QString wattsText(double watts);         ///< "225 W", "1.88 kW"
QString shareText(double share);         ///< "87 %"; "< 1 %" for a little

} // namespace heteroscape::widgets
