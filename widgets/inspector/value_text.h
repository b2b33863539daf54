// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <QString>

namespace heteroscape::widgets {

class Document;

QString shortNumber(double value);       ///< three significant digits: "21,100"
QString secondsText(double seconds);     ///< "18.9 ms", "12 µs", "9.92 s"
QString rateText(double bytesPerSecond); ///< "31.5 GB/s", "0.58 GB/s"
QString wattsText(double watts);         ///< "225 W", "1.88 kW"
QString shareText(double share);         ///< "87 %"; "< 1 %" for a little

} // namespace heteroscape::widgets
