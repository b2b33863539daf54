// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>

namespace heteroscape::widgets {

/// "2,560".
QString countText(std::size_t count);

/// How long something may take, for people: "under a second", "about 12 s", "about 3 min", "about 2 h",
/// "about 3 days". Empty for NaN.
QString timeWords(double seconds);

/// The same while it runs: "under a second left", "12 s left", "3 min left".
QString timeLeftWords(double seconds);

/// "41,000": a rate with two digits.
QString pointRateText(double perSecond);

/// The size of a file: "1.2 MB", "640 kB".
QString fileSizeText(std::size_t bytes);

} // namespace heteroscape::widgets
