// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/measured_chunk.h"

#include <QString>

#include <string>
#include <string_view>

namespace heteroscape::widgets {

QString measuredKeyText(MeasuredKey key); ///< "Kind"

/// A label in words: "attention_generation" is "Attention, decode"; one that is not known stays as it is.
QString measuredLabelText(MeasuredKey key, const std::string& label);

/// A column of a file in words: "head_dim" is "head size".
QString measuredColumnText(std::string_view column);

/// How rows of a label are drawn: a kind always alike, whatever else there is; others by their ordinal.
struct MeasuredLook {
    ChartColor color;
    ChartMarker marker = ChartMarker::Circle;
};
MeasuredLook measuredLook(MeasuredKey key, const std::string& label, std::size_t ordinal);

/// What the rows of the shipped tables of servers go by.
QString serversSource();

QString signedPercent(double share);  ///< "+4.2 %", "−36 %"
QString errorPercent(double percent); ///< "6.4 %"

} // namespace heteroscape::widgets
