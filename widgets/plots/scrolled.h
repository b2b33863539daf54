// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace heteroscape::widgets {

/// Content that scrolls up and down in as much room as there is, without a frame and a focus of its own.
QScrollArea* scrolled(QWidget* content, QWidget* parent = nullptr);

} // namespace heteroscape::widgets
