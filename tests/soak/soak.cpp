// SPDX-License-Identifier: GPL-3.0-or-later
// Four windows for half an hour: designs are edited at random, swept, simulated and exported, over and over.
// Prints the memory thrice a minute and the events that took longest, with what of that was work. Fails when
// the last five minutes hold five percent more of it than the five after the first five (sixths of a shorter
// run). Memory is read while all windows show the same design, so that what differs is what was kept, and not
// what is shown.
//   soak [MINUTES]
#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "tests/engine/random_edits.h"
#include "tests/shipped_catalog.h"
#include "tests/soak/event_watch.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_setup.h"
#include "widgets/jobs/job.h"
#include "widgets/report/design_report.h"
#include "widgets/theme/theme.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"

#include <QDir>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace heteroscape;
using namespace heteroscape::widgets;

constexpr int kWindows = 4;
constexpr double kLongMs = 100.0;
constexpr double kRest = 2.0 / 60.0; ///< minutes, for jobs to end before memory is read

/// What the program itself holds of the heap, MiB: what is resident over it are libraries and gaps.
double heapInUse() {
    const auto heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) / 1048576.0;
}

/// Resident memory of this process, MiB.
double memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            double kibibytes = 0.0;
            status >> kibibytes;
            return kibibytes / 1024.0;
        }
    return 0.0;
}

/// One window and what is done in it.
class Seat {
public:
    Seat(MainWindow* window, const QString& folder, std::uint32_t seed)
        : m_window(window), m_folder(folder), m_random(seed), m_edits(*shippedCatalog(), seed) {
        FilePrompts prompts;
        prompts.askSave = [](const QString&) { return FilePrompts::Answer::Discard; };
        prompts.showError = [](const QString&, const QString&) {};
        window->files()->setPrompts(std::move(prompts));
        window->show();
        open();
    }

    /// Shows what every window shows at its rest.
    void rest() {
        document().openPreset("glitches/8a100");
        m_window->setWorkspace(Workspace::Design);
    }

    /// Does something; tells what.
    std::string act() {
        const auto what = m_random() % 40;
        try {
            switch (what) {
            case 0:
                open();
                break;
            case 1:
            case 2:
                sweep();
                break;
            case 3:
            case 4:
                document().set("serving.arrivals", m_random() % 2 == 0 ? "poisson" : "backlog");
                break;
            case 5:
                report();
                break;
            case 6:
                if (!document().file().isSaving())
                    document().save(m_folder + QStringLiteral("/design.hscape"));
                break;
            case 7:
                m_window->setWorkspace(static_cast<Workspace>(m_random() % 3));
                break;
            case 8:
            case 9:
                document().undoStack()->undo();
                break;
            default:
                m_window->setWorkspace(Workspace::Design);
                document().perform(m_edits.next(document().scenario()));
            }
        } catch (const engine::Error&) { // a random design need not run
        }
        constexpr std::array names{"open",   "sweep", "sweep",     "arrivals", "arrivals",
                                   "report", "save",  "workspace", "undo",     "undo"};
        return std::string("act: ") + (what < names.size() ? names[what] : "edit");
    }

private:
    MainWindow* m_window;
    QString m_folder;
    std::mt19937 m_random;
    engine::test::RandomEdits m_edits;
    std::unique_ptr<ReportWriter> m_writer = std::make_unique<ReportWriter>();
    std::unique_ptr<Job> m_report = std::make_unique<Job>();

    Document& document() const { return *m_window->document(); }

    void open() {
        static const char* const designs[] = {"glitches/a100-7u280", "preserve/llama3-70b-4npu-measured",
                                              "inf2/llama2-7b-h100-16csd", "glitches/8a100"};
        document().openPreset(designs[m_random() % std::size(designs)]);
    }
    /// Of a shipped design over one of a few axes: every study that differs is kept and listed, for good.
    void sweep() {
        open();
        m_window->setWorkspace(Workspace::Explore);
        auto* explore = child<ExploreWorkspace>(m_window);
        const auto prompts = std::to_string(16 + 16 * (m_random() % 2)) + ":1024:16";
        explore->findChild<StudySetup*>()->setAxes(
            {{"workload.prompt_tokens", prompts}, {"workload.batch", "1,2,4,8"}});
        explore->run();
    }
    /// As the window and its dialog do.
    void report() {
        m_report->start([design = document().scenario(), path = m_folder + QStringLiteral("/report.html"),
                         writer = m_writer.get()](JobRun&) -> Job::Show {
            auto made = designReport(design);
            return [made = std::move(made), path, writer] { writer->write(made, path); };
        });
    }
};

int soak(EventWatch& application, double minutes) {
    QTemporaryDir folder;
    WindowManager manager(shippedCatalog(),
                          {folder.filePath(QStringLiteral("studies.sqlite")),
                           folder.filePath(QStringLiteral("settings.ini")),
                           std::make_shared<RecoveryStore>(folder.filePath(QStringLiteral("recovery")))});
    std::vector<Seat> seats;
    for (int i = 0; i < kWindows; ++i) {
        const auto own = folder.filePath(QString::number(i));
        QDir().mkpath(own);
        seats.emplace_back(manager.makeWindow(), own, static_cast<std::uint32_t>(i + 1));
    }
    QElapsedTimer clock;
    clock.start();
    const double settled = std::min(5.0, minutes / 6.0);
    std::vector<double> early, late; // memory in as many minutes after the settling, and in the last ones
    std::optional<double> restingSince;
    int reading = 0;
    long acts = 0;
    const double every = std::min(1.0, minutes / 30.0) / 3.0; // one reading tells little
    // From the event loop, as users do: what is deleted later is deleted only there.
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        const double now = static_cast<double>(clock.elapsed()) / 60000.0;
        if (restingSince && now < *restingSince + kRest)
            return;
        if (restingSince) {
            const double held = memory();
            std::printf("minute %4.1f: %6.0f MiB, of the heap %6.1f, %ld acts\n", now, held, heapInUse(),
                        acts);
            std::fflush(stdout);
            if (now >= settled && now < 2.0 * settled)
                early.push_back(held);
            if (now >= minutes - settled)
                late.push_back(held);
            restingSince.reset();
            ++reading;
        } else if (now >= reading * every) {
            for (auto& seat : seats)
                seat.rest();
            restingSince = now;
            return;
        }
        if (now >= minutes) {
            QCoreApplication::quit();
            return;
        }
        application.act([&] { return seats[static_cast<std::size_t>(acts++) % seats.size()].act(); });
    });
    timer.start(10);
    QCoreApplication::exec();
    application.print();
    // Means: what is held for a moment is no growth.
    const auto mean = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    const double growth = 100.0 * (mean(late) / mean(early) - 1.0);
    std::printf("memory: %.0f MiB from minute %.1f to %.1f, %.0f MiB in the last %.1f: %+.1f %%\n",
                mean(early), settled, 2.0 * settled, mean(late), settled, growth);
    return growth < 5.0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    EventWatch application(argc, argv, kLongMs);
    QApplication::setQuitOnLastWindowClosed(false);
    Theme::instance().install(application);
    const int code = soak(application, argc > 1 ? std::atof(argv[1]) : 30.0);
    waitForJobs(std::chrono::seconds(10));
    std::fflush(nullptr);
    std::_Exit(code);
}
