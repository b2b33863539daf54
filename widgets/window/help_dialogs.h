// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace heteroscape::widgets {

class CommandRegistry;

/// The keys of every command, and those of the canvas and of the fields. Blocks until it is closed. UI
/// thread.
void showShortcuts(const CommandRegistry& commands, QWidget* parent);

/// Name, version, licence. Blocks until it is closed. UI thread.
void showAbout(QWidget* parent);

} // namespace heteroscape::widgets
