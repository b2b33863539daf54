// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/runtime_choice.h"
#include "widgets/document/pins.h"
#include "widgets/theme/theme.h"

namespace heteroscape::widgets {

/// What curves, bars and points of ideal designs are drawn in beside those of others; their text is muted.
inline constexpr ColorRole kIdealInk = ColorRole::BorderControl;

inline QString truthWords(engine::Truth truth) { ///< "ideal, at best"
    return QString::fromUtf8(engine::truthText(truth));
}

/// The name of a pin, and where it is ideal or nobody measured it that it is.
inline QString pinLabel(const Pins::Pin& pin) {
    const auto truth = engine::truthOf(pin.design);
    return truth == engine::Truth::Ideal   ? Pins::tr("%1, ideal").arg(pin.name)
           : truth == engine::Truth::Class ? Pins::tr("%1, not measured").arg(pin.name)
                                           : pin.name;
}

} // namespace heteroscape::widgets
