// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace heteroscape::widgets {

class CommandRegistry;
class CompareWorkspace;

/// "Study": measured times against predicted ones, and calibration to measurements. `show` brings the
/// workspace to the front.
void addMeasuredCommands(CommandRegistry& commands, CompareWorkspace* compare,
                         const std::function<void()>& show);

} // namespace heteroscape::widgets
