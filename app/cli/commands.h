// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace heteroscape::cli {

/// Exit codes: 0 done, 1 the input is wrong, 2 usage, 3 cancelled or could not finish.
enum ExitCode { kDone = 0, kBadInput = 1, kUsage = 2, kUnfinished = 3 };

// Each adds its subcommand with options; the work runs when the subcommand is parsed and may throw
// engine::Error. A command that must exit otherwise than 0 sets `exitCode`.
void addList(CLI::App& app);
void addShow(CLI::App& app);
void addEvaluate(CLI::App& app);
void addSimulate(CLI::App& app);
void addSweep(CLI::App& app, int& exitCode);
void addFind(CLI::App& app, int& exitCode);
void addSeek(CLI::App& app, int& exitCode);
void addExport(CLI::App& app);
void addMerge(CLI::App& app, int& exitCode);
void addRecover(CLI::App& app);
void addCompare(CLI::App& app, int& exitCode);
void addImport(CLI::App& app);
void addLaunch(CLI::App& app);
void addValidate(CLI::App& app);
void addFrontier(CLI::App& app);
void addRecommend(CLI::App& app);
void addCalibrate(CLI::App& app);
void addGuide(CLI::App& app);
void addPaperCommand(CLI::App& app);

} // namespace heteroscape::cli
