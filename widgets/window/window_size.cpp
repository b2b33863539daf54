// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_size.h"

#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kBarsWidth = 1100; ///< in which the bars have all their words
constexpr int kLeastScreen = 1024;
constexpr int kLeastHeight = 640;

} // namespace

QSize leastWindowSize(QSize available) {
    const int frame = kWindowFrame.width();
    return {std::clamp(available.width() - frame, kLeastScreen - frame, kBarsWidth), kLeastHeight};
}

QSize firstWindowSize(QSize wanted, QSize available) {
    return wanted.boundedTo(available - kWindowFrame).expandedTo(leastWindowSize(available));
}

void fitToScreen(QWidget& window) {
    window.resize(firstWindowSize(window.size(), window.screen()->availableSize()));
}

} // namespace heteroscape::widgets
