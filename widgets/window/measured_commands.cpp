// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/measured_commands.h"

#include "widgets/compare/compare_workspace.h"
#include "widgets/validation/validation_page.h"
#include "widgets/window/command_registry.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

class MeasuredCommands {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::MainWindow)
};

} // namespace

void addMeasuredCommands(CommandRegistry& commands, CompareWorkspace* compare,
                         const std::function<void()>& show) {
    const auto add = commands.in(MeasuredCommands::tr("Study"));
    add("study.measured", MeasuredCommands::tr("&Validation: measured against predicted"), {}, "compare",
        [compare, show] {
            show();
            compare->setPage(CompareWorkspace::Page::Measured);
        });
    add("study.calibrate", MeasuredCommands::tr("&Calibrate to measurements\u2026"), {}, "target",
        [compare, show] {
            show();
            compare->setPage(CompareWorkspace::Page::Measured);
            compare->calibrate(compare->validationPage()->ownFile());
        });
}

} // namespace heteroscape::widgets
