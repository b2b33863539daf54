// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/time_span.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kWindowLeast = 10.0; // px

double clampedLength(double length, TimeSpan whole, double least) {
    return std::clamp(length, std::min(whole.length(), least), whole.length());
}

} // namespace

TimeSpan clamped(TimeSpan view, TimeSpan whole, double least) {
    const double length = clampedLength(view.length(), whole, least);
    const double from = std::clamp(view.from, whole.from, whole.to - length);
    return {from, from + length};
}

TimeSpan zoomed(TimeSpan view, double factor, double at, TimeSpan whole, double least) {
    const double length = clampedLength(view.length() * factor, whole, least);
    const double share = (at - view.from) / view.length();
    return clamped({at - share * length, at + (1.0 - share) * length}, whole, least);
}

TimeSpan moved(TimeSpan view, double seconds) {
    return {view.from + seconds, view.to + seconds};
}

QRectF windowIn(const QRectF& strip, TimeSpan view, TimeSpan whole) {
    const auto x = [&](double seconds) {
        const double within = std::clamp(seconds, whole.from, whole.to);
        return strip.left() + (within - whole.from) / whole.length() * strip.width();
    };
    const double left = x(view.from), right = x(view.to);
    QRectF window(left, strip.top(), std::max(right - left, kWindowLeast), strip.height());
    if (right - left < kWindowLeast)
        window.moveCenter(QPointF((left + right) / 2.0, strip.center().y()));
    window.moveLeft(std::clamp(window.left(), strip.left(), strip.right() - window.width()));
    return window;
}

} // namespace heteroscape::widgets
