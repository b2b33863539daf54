// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace heteroscape::widgets {

/// Content that scrolls up and down in as much room as there is, without a frame and a focus of its own.
QScrollArea* scrolled(QWidget* content, QWidget* parent = nullptr);

/// The field within the content of a scroll area that has the keyboard; null when it cannot be seen.
QWidget* fieldInSight(const QWidget* content);

/// Lays such content out after parts of it came or grew, at once, and keeps a field of it in sight.
void layOutScrolled(QWidget* content, QWidget* field);

} // namespace heteroscape::widgets
