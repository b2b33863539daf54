// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/printable.h"
#include "engine/base/error.h"
#include "engine/version.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

namespace {

using namespace heteroscape;

int run(int argc, char** argv) {
    CLI::App app{"Heteroscape: explore the hardware that serves large language models", "heteroscape-cli"};
    app.set_version_flag("--version", std::string(engine::kVersion));
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 the input is wrong, 2 usage, 3 cancelled or could not finish.");
    int exitCode = cli::kDone;
    cli::addList(app);
    cli::addShow(app);
    cli::addEvaluate(app);
    cli::addSimulate(app);
    cli::addSweep(app, exitCode);
    cli::addFind(app, exitCode);
    cli::addSeek(app, exitCode);
    cli::addMerge(app, exitCode);
    cli::addRecover(app);
    cli::addExport(app);
    cli::addCompare(app, exitCode);
    cli::addImport(app);
    cli::addLaunch(app);
    cli::addValidate(app);
    cli::addFrontier(app);
    cli::addRecommend(app);
    cli::addCalibrate(app);
    cli::addGuide(app);
    cli::addPaperCommand(app);
    try {
        app.parse(argc, argv);
        std::cout.flush();
        if (!std::cout)
            throw engine::Error(engine::ErrorCode::Io, "stdout", "cannot write");
        return exitCode;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? cli::kDone : cli::kUsage;
    }
}

} // namespace

int main(int argc, char** argv) {
    const cli::PrintableStream out(std::cout), err(std::cerr);
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow fails to be written, and that is told
    try {
        return run(argc, argv);
    } catch (const engine::Error& error) {
        std::cerr << "heteroscape-cli: " << error.what() << '\n';
        return error.code() == engine::ErrorCode::Io || error.code() == engine::ErrorCode::Cancelled
                   ? cli::kUnfinished
                   : cli::kBadInput;
    } catch (const std::bad_alloc&) {
        std::cerr << "heteroscape-cli: could not finish: out of memory. Make the study or the file smaller\n";
        return cli::kUnfinished;
    } catch (const std::system_error& error) {
        std::cerr << "heteroscape-cli: could not finish: " << error.what()
                  << (error.code() == std::errc::resource_unavailable_try_again
                          ? ". Allow more threads (ulimit -u), or close other programs\n"
                          : "\n"); // of files too
        return cli::kUnfinished;
    } catch (const std::exception& error) {
        std::cerr << "heteroscape-cli: could not finish: " << error.what() << '\n';
        return cli::kUnfinished;
    }
}
