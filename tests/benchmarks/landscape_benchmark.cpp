// SPDX-License-Identifier: GPL-3.0-or-later
// A study of a million points in the real workspace: computed and stored (by another process), reopened, read
// off, pointed at and brushed; and what memory that takes. Usage: landscape_benchmark [folder]
// A folder that is given keeps its store: the next run opens it at once.

#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "engine/study_run/run_study.h"
#include "tests/places.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr auto kPreset = "preserve/llama3-405b-32";
constexpr std::size_t kModels = 10;

/// L2 x devices x batch x length x model.
engine::Study landscape(const engine::Catalog& catalog) {
    engine::Study study{{}, engine::loadPreset(catalog, kPreset, "benchmark"), {}};
    study.name = study.base->name; // as the window names it, and finds it again
    std::string models = "model=";
    for (std::size_t i = 0; i < kModels; ++i)
        models += (i ? "," : "") + catalog.models.at(i).id;
    for (const auto& axis :
         {std::string("nodes.npu.device.l2_mb=4:200:4"), std::string("nodes.npu.count=8:64:*2"),
          std::string("workload.batch=1,2,4,8,12,16,20,24,28,32"),
          std::string("workload.prompt_tokens=512:25600:512"), models})
        study.axes.push_back(engine::parseAxis(study.base, catalog, axis));
    return study;
}

double processMib(const char* field) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == field) {
            double kib = 0;
            status >> kib;
            return kib / 1024;
        }
    return 0;
}

double ms(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::printf("%-44s %7.1f ms median, %7.1f ms slowest of %zu\n", what, times[times.size() / 2],
                times.back(), times.size());
    std::fflush(stdout);
}

void compute(const std::string& path) {
    const auto catalog = engine::loadCatalog(heteroscape::places::kPresetsFolder);
    const auto study = landscape(catalog);
    engine::Store store(path);
    const auto run = engine::runStudy(study, store, {});
    std::printf("%zu points, %zu computed in %.1f s; %.0f MB file, %.0f MiB memory\n", run.study.points,
                run.computed, run.seconds, static_cast<double>(store.bytes()) / 1e6, processMib("VmHWM:"));
    std::fflush(stdout);
}

template <class Done>
double waitUntil(const QElapsedTimer& timer, Done done) {
    while (!done())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    return ms(timer);
}

void moveTo(QWidget* target, QPointF at) {
    QMouseEvent move(QEvent::MouseMove, at, target->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(target, &move);
}

/// The widget that takes the mouse in a view.
QWidget* targetIn(QWidget* view) {
    auto* child = view->childAt(view->rect().center());
    return child ? child : view;
}

void measure(const QString& path) {
    auto catalog =
        std::make_shared<const engine::Catalog>(engine::loadCatalog(heteroscape::places::kPresetsFolder));
    Document document(catalog);
    document.openPreset(kPreset);
    ExploreWorkspace workspace(&document, path);
    workspace.resize(1440, 820);
    QElapsedTimer timer;
    timer.start();
    workspace.show(); // reopens the design's newest study
    const auto* marks = workspace.marks();
    const double first = waitUntil(timer, [&] {
        const auto tiles = child<StudyBoard>(&workspace)->plots();
        return !tiles.empty() && tiles.front()->view()->chart().hasData();
    });
    std::printf("%-44s %7.0f ms\n", "reopened, first plot", first);
    const double whole = waitUntil(
        timer, [&] { return marks->study() && !marks->study()->table.partial && !workspace.isRunning(); });
    QApplication::processEvents();
    std::printf("%-44s %7.0f ms, then %.0f MiB\n", "all metrics read", whole, processMib("VmRSS:"));

    // Until all that is asked for is painted, but for what is worked out on threads of their own.
    const auto frames = [&](const char* what, int count, const auto& step) {
        std::vector<double> times;
        for (int i = 0; i < count; ++i) {
            QElapsedTimer frame;
            frame.start();
            step(i);
            for (int round = 0; round < 3; ++round) // what is posted posts again
                QApplication::processEvents();
            times.push_back(ms(frame));
        }
        report(what, times);
    };
    auto* board = child<StudyBoard>(&workspace);
    auto* lines = board->plots().front();
    auto* scatter = board->addPlot(engine::PlotKind::Scatter);
    auto* parallel = board->addPlot(engine::PlotKind::Parallel);
    timer.restart();
    QApplication::processEvents();
    waitUntil(timer, [&] { return scatter->view()->chart().hasData(); });
    std::printf("%-44s %7.0f ms\n", "a scatter plot and parallel coordinates more", ms(timer));
    const auto sweepOver = [](QWidget* view, int i) {
        auto* target = targetIn(view);
        moveTo(target,
               {target->width() * (0.15 + 0.7 * i / 100.0), target->height() * (0.3 + 0.4 * (i % 10) / 10)});
    };
    frames("hover over lines", 100, [&](int i) { sweepOver(lines->view(), i); });
    frames("hover over a cloud", 100, [&](int i) { sweepOver(scatter->view(), i); });
    frames("hover over parallel coordinates", 100,
           [&](int i) { sweepOver(parallel->findChild<QWidget*>(), i); });
    frames("brush, all plots and the table", 60, [&](int i) {
        workspace.marks()->brush(engine::Limit{"workload.batch", 1.0, 2.0 + i % 30});
    });
    std::printf("%-44s %7.0f MiB\n", "most memory", processMib("VmHWM:"));
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir scratch;
    const auto folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : scratch.path();
    const auto path = folder + QStringLiteral("/landscape.sqlite");
    std::fflush(stdout);
    const auto child = ::fork(); // its memory does not count here
    if (child == 0) {
        int code = 0;
        try {
            compute(path.toStdString());
        } catch (const std::exception& error) {
            std::fprintf(stderr, "landscape_benchmark: %s\n", error.what());
            code = 1;
        }
        std::_Exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
        return 1;
    QApplication application(argc, argv);
    Theme::instance().install(application);
    try {
        measure(path);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "landscape_benchmark: %s\n", error.what());
        return 1;
    }
    return 0;
}
