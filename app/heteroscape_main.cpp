// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_command.h"
#include "app/printable.h"
#include "app/report_command.h"
#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/store.h"
#include "engine/version.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/recovery_store.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/inspector/inspector.h"
#include "widgets/jobs/job.h"
#include "widgets/start/start_page.h"
#include "widgets/theme/theme.h"
#include "widgets/window/application.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QMessageBox>
#include <QSemaphore>
#include <QSessionManager>
#include <QTemporaryDir>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using heteroscape::widgets::Application;
using heteroscape::widgets::BottomDock;
using heteroscape::widgets::fitToScreen;
using heteroscape::widgets::MainWindow;
using heteroscape::widgets::RecoveryStore;
using heteroscape::widgets::Theme;
using heteroscape::widgets::ThemeMode;
using heteroscape::widgets::WindowManager;
using heteroscape::widgets::Workspace;
namespace engine = heteroscape::engine;

constexpr auto kFirstDesign = "glitches/a100-7u280";

struct Arguments {
    QStringList designs;         ///< files or preset ids, a window each
    bool startPage = false;      ///< instead of a design
    bool startPageNamed = false; ///< whether the user wants it at start or not
    QString screenshot;
    QString report; ///< folder; empty: none
    QString guide;  ///< PDF; empty: none
    QString study;  ///< id of a figure's study; empty: none
    Workspace workspace = Workspace::Design;
    QString page; ///< the command that shows a page of it; empty: none
    QSize size{1440, 900};
    std::optional<ThemeMode> theme;
    std::optional<BottomDock::Page> dock; ///< unfolded at the start
};

/// One of a list of words; throws Error naming the option and what is allowed.
int choice(const QCommandLineParser& parser, const QString& option, const QStringList& allowed) {
    const auto index = static_cast<int>(allowed.indexOf(parser.value(option)));
    if (index < 0)
        engine::throwInvalid("--" + option.toStdString(),
                             "\"" + parser.value(option).toStdString() + "\" is not known",
                             "Give " + allowed.join(QStringLiteral(", ")).toStdString());
    return index;
}

QSize readSize(const QString& text) {
    const auto parts = text.split(QLatin1Char('x'));
    bool isWidth = false, isHeight = false;
    const QSize size(parts.value(0).toInt(&isWidth), parts.value(1).toInt(&isHeight));
    if (parts.size() != 2 || !isWidth || !isHeight || size.width() < 1024 || size.height() < 640 ||
        size.width() > 8192 || size.height() > 8192)
        engine::throwInvalid("--size", "\"" + text.toStdString() + "\" is not a size",
                             "Give WIDTHxHEIGHT from 1024x640 to 8192x8192, such as 1440x900");
    return size;
}

Arguments readArguments(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Explorer for the hardware that serves large language models"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("design"),
        QCoreApplication::translate("main",
                                    "A .hscape file or the id of a preset; several open several windows."),
        QStringLiteral("[design...]"));
    parser.addPositionalArgument(
        QStringLiteral("export"),
        QCoreApplication::translate("main", "Instead of a design: draw into files; see export --help."),
        QStringLiteral("| export ..."));
    const auto option = [&parser](const char* name, const char* about, const char* value,
                                  const char* initial = "") {
        parser.addOption({QString::fromLatin1(name), QCoreApplication::translate("main", about),
                          QString::fromLatin1(value), QString::fromLatin1(initial)});
    };
    option("screenshot", "Draw the window into this PNG file and end.", "file");
    option("report",
           "Sweep the design without a window, print the table, and write CSV and plots into this folder.",
           "folder");
    option("guide", "Write the user guide as one PDF and end; the same as a web site: heteroscape-cli guide.",
           "file");
    option("study", "Open the study of a paper's figure, for example preserve/fig7, and run it.", "id");
    option("workspace",
           "What is shown first: design, explore, roofline, compare, start, or one of their pages: find, "
           "frontier, measured. Without it and without a design, the start page.",
           "name", "design");
    option("size", "The size of the window, in logical pixels.", "WxH", "1440x900");
    option("theme", "light or dark; without it, the one chosen last.", "name");
    option("dock",
           "The page of the bottom dock shown first, unfolded: timeline, requests, latency or messages.",
           "name");
    parser.process(application);

    Arguments arguments;
    arguments.designs = parser.positionalArguments();
    arguments.screenshot = parser.value(QStringLiteral("screenshot"));
    arguments.report = parser.value(QStringLiteral("report"));
    arguments.guide = parser.value(QStringLiteral("guide"));
    arguments.study = parser.value(QStringLiteral("study"));
    const bool unattended =
        !arguments.screenshot.isEmpty() || !arguments.report.isEmpty() || !arguments.guide.isEmpty();
    if (unattended && arguments.designs.size() > 1)
        engine::throwInvalid("arguments", "more than one design is named", "Give one file or preset");
    if (!arguments.study.isEmpty() && !arguments.designs.isEmpty())
        engine::throwInvalid("--study", "a study brings its own design", "Leave the design out");
    const QStringList pages{QStringLiteral("find"), QStringLiteral("frontier"), QStringLiteral("measured")};
    const auto workspace =
        choice(parser, QStringLiteral("workspace"),
               QStringList{QStringLiteral("design"), QStringLiteral("explore"), QStringLiteral("roofline"),
                           QStringLiteral("compare"), QStringLiteral("start")} +
                   pages);
    const bool named = !arguments.designs.isEmpty() || !arguments.study.isEmpty();
    arguments.startPageNamed = workspace == heteroscape::widgets::kWorkspaceCount;
    arguments.startPage =
        arguments.startPageNamed || (!named && !unattended && !parser.isSet(QStringLiteral("workspace")) &&
                                     !parser.isSet(QStringLiteral("dock")));
    if (const int page = workspace - heteroscape::widgets::kWorkspaceCount - 1; page >= 0)
        arguments.page = QStringLiteral("study.") + pages[page];
    else if (!arguments.startPage)
        arguments.workspace = static_cast<Workspace>(workspace);
    if (!named && !arguments.startPage)
        arguments.designs << QString::fromLatin1(kFirstDesign);
    arguments.size = readSize(parser.value(QStringLiteral("size")));
    if (parser.isSet(QStringLiteral("theme")))
        arguments.theme =
            choice(parser, QStringLiteral("theme"), {QStringLiteral("light"), QStringLiteral("dark")})
                ? ThemeMode::Dark
                : ThemeMode::Light;
    if (parser.isSet(QStringLiteral("dock")))
        arguments.dock = static_cast<BottomDock::Page>(
            choice(parser, QStringLiteral("dock"),
                   {QStringLiteral("timeline"), QStringLiteral("requests"), QStringLiteral("latency"),
                    QStringLiteral("load"), QStringLiteral("messages")}));
    if (!arguments.study.isEmpty() && !parser.isSet(QStringLiteral("workspace")))
        arguments.workspace = Workspace::Explore;
    return arguments;
}

/// A name that ends in .hscape or that is a file is a file; everything else is the id of a preset.
bool isFileName(const QString& name) {
    return name.endsWith(QStringLiteral(".hscape")) || QFileInfo(name).isFile();
}

void openDesign(heteroscape::widgets::Document& document, const QString& name) {
    if (isFileName(name))
        document.openFile(name);
    else
        document.openPreset(name.toStdString());
}

/// Shows what the arguments name. The study of one design has no sweep: it stays in the Design workspace.
void show(MainWindow& window, const Arguments& arguments) {
    if (arguments.startPage)
        window.showStartPage();
    else
        window.setWorkspace(arguments.workspace);
    window.show();
    if (!arguments.page.isEmpty())
        window.commands()->action(arguments.page)->trigger();
    if (!arguments.study.isEmpty())
        window.openStudy(arguments.study.toStdString());
    if (arguments.dock)
        window.bottom()->showPage(*arguments.dock);
}

int takeScreenshot(QApplication& application, MainWindow& window, const Arguments& arguments) {
    window.resize(arguments.size);
    show(window, arguments);
    while (window.isBusy())
        application.processEvents(QEventLoop::WaitForMoreEvents);
    window.canvas()->canvasScene().finish();
    window.inspector()->finish();
    for (int turn = 0; turn < 20; ++turn) // layouts that follow one another, and queued replots
        application.processEvents(QEventLoop::AllEvents);
    if (!window.grab().save(arguments.screenshot, "PNG"))
        throw engine::Error(engine::ErrorCode::Io, arguments.screenshot.toStdString(),
                            "the picture cannot be written", "Choose another file name ending in .png");
    return 0;
}

/// Makes a report when one is asked for.
bool makeReport(const engine::Catalog& catalog, const Arguments& arguments) {
    if (arguments.report.isEmpty())
        return false;
    if (!arguments.study.isEmpty()) {
        heteroscape::app::makeReport(engine::loadStudy(catalog, arguments.study.toStdString(), "--study"),
                                     catalog, arguments.report);
        return true;
    }
    const auto name = arguments.designs.value(0, QString::fromLatin1(kFirstDesign));
    heteroscape::app::makeReport(isFileName(name) ? engine::loadScenario(name.toStdString(), catalog)
                                                  : engine::loadPreset(catalog, name.toStdString(), "design"),
                                 catalog, arguments.report);
    return true;
}

/// A window for each design; what cannot be opened is told, and the others open nevertheless. When there is
/// something to recover, the first window offers it.
void openWindows(WindowManager& manager, const Arguments& arguments) {
    MainWindow* first = nullptr;
    for (const auto& design : arguments.designs) {
        if (isFileName(design) && manager.raise(design))
            continue; // named twice
        auto* window = manager.makeWindow();
        try {
            openDesign(*window->document(), design);
            if (isFileName(design))
                window->files()->remember();
        } catch (const engine::Error& error) {
            window->files()->showError(QCoreApplication::translate("main", "%1 cannot be opened").arg(design),
                                       QString::fromStdString(error.what()));
            if (arguments.designs.size() > 1) {
                delete window;
                continue;
            }
        }
        fitToScreen(*window);
        show(*window, arguments);
        if (!first)
            first = window;
    }
    if (!first) {
        first = manager.makeWindow();
        fitToScreen(*first);
        show(*first, arguments);
        if (arguments.startPage && !arguments.startPageNamed &&
            !first->start().page()->atStart()->isChecked())
            first->leaveStartPage();
    }
    if (arguments.startPage && manager.recovery()->entries().empty())
        first->offerTour();
    if (!manager.recovery()->entries().empty())
        first->isStartPageShown() ? first->start().refresh() : first->start().offerRecovery();
}

int run(Application& application) {
    const auto arguments = readArguments(application);
    application.setAttended(arguments.screenshot.isEmpty() && arguments.report.isEmpty() &&
                            arguments.guide.isEmpty());
    if (!arguments.guide.isEmpty()) {
        heteroscape::widgets::writeGuidePdf(arguments.guide);
        return 0;
    }
    auto catalog = std::make_shared<const engine::Catalog>(engine::loadCatalog(engine::findPresetsFolder()));
    if (!arguments.study.isEmpty()) // also tells that there is no such study before a window is there
        engine::loadStudy(*catalog, arguments.study.toStdString(), "--study");
    if (makeReport(*catalog, arguments))
        return 0;
    const auto store = QString::fromStdString(engine::defaultStorePath());
    if (!arguments.screenshot.isEmpty()) {
        QTemporaryDir scratch; // a picture neither reads nor changes the user's settings
        MainWindow window(std::move(catalog), {store, scratch.filePath(QStringLiteral("settings.ini"))});
        if (arguments.theme)
            Theme::instance().setMode(*arguments.theme);
        if (!arguments.designs.isEmpty())
            openDesign(*window.document(), arguments.designs.front());
        return takeScreenshot(application, window, arguments);
    }
    WindowManager manager(std::move(catalog), {store, {}, std::make_shared<RecoveryStore>()});
    QObject::connect(&application, &QGuiApplication::commitDataRequest, &manager,
                     [&manager](QSessionManager& session) {
                         const bool mayAsk = session.allowsInteraction();
                         if (!manager.commitSession(mayAsk) && mayAsk)
                             session.cancel();
                         if (mayAsk)
                             session.release();
                     });
    openWindows(manager, arguments);
    if (arguments.theme)
        Theme::instance().setMode(*arguments.theme);
    return application.exec();
}

/// Qt paints large areas on threads of its pool, and would wait for ever for one that cannot be started. So
/// there is one from the beginning to the end. False: not even that.
bool startPaintingThread() {
    auto* pool = QThreadPool::globalInstance();
    pool->setMaxThreadCount(1);
    pool->setExpiryTimeout(-1);
    const auto begun = std::make_shared<QSemaphore>();
    pool->start([begun] { begun->release(); });
    return begun->tryAcquire(1, 5000); // ms
}

int start(int argc, char** argv) {
    const heteroscape::cli::PrintableStream out(std::cout), err(std::cerr);
    QApplication::setApplicationName(QStringLiteral("heteroscape"));
    QApplication::setApplicationDisplayName(QStringLiteral("Heteroscape"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(engine::kVersion.data(), static_cast<qsizetype>(engine::kVersion.size())));
    const bool exports = argc > 1 && std::strcmp(argv[1], "export") == 0;
    const bool guide = std::any_of(argv + 1, argv + argc, [](const char* argument) {
        return std::strncmp(argument, "--guide", 7) == 0;
    });
    if (exports || guide)
        qputenv("QT_QPA_PLATFORM", "offscreen"); // draws into files: no display is asked for
    Application application(argc, argv);
    application.setAttended(!exports);
    if (!startPaintingThread()) { // without it no message box could be painted either
        std::fputs("heteroscape: no thread can be started. Allow more threads (ulimit -u), or close other "
                   "programs\n",
                   stderr);
        std::_Exit(1); // the pool would wait for its thread
    }
    Theme::instance().install(application);
    try {
        if (exports)
            return heteroscape::app::exportCommand(application.arguments().mid(1),
                                                   engine::loadCatalog(engine::findPresetsFolder()));
        return run(application);
    } catch (const std::exception& error) {
        std::cerr << "heteroscape: " << error.what() << std::endl;
        const auto arguments = application.arguments().join(QLatin1Char(' '));
        const bool unattended = exports || arguments.contains(QStringLiteral("--screenshot")) ||
                                arguments.contains(QStringLiteral("--report")) ||
                                arguments.contains(QStringLiteral("--guide"));
        if (!unattended)
            QMessageBox::critical(nullptr, QCoreApplication::translate("main", "Heteroscape cannot start"),
                                  QString::fromUtf8(error.what()));
        return 1;
    }
}

} // namespace

int main(int argc, char** argv) {
    const int code = start(argc, argv); // the application is gone, and has waited for what runs beside it
    if (!heteroscape::widgets::waitForJobs({})) {
        std::fflush(nullptr);
        std::_Exit(code); // what still runs uses static data: that stays
    }
    return code;
}
