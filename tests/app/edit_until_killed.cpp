// SPDX-License-Identifier: GPL-3.0-or-later
// The program's windows over a given folder of autosaved designs, editing by themselves: every `period` ms
// the count of a node grows by one, `edits` times. Each edit is told on the standard output once it is done.
// Ends only when it is killed.
#include "tests/shipped_catalog.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/theme/theme.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"

#include <QApplication>
#include <QDir>
#include <QTimer>

#include <cstdio>

using namespace heteroscape;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const auto arguments = QApplication::arguments();
    const QDir folder(arguments.at(1));
    const int period = arguments.at(2).toInt();
    const int edits = arguments.at(3).toInt();
    widgets::Theme::instance().install(application);
    auto catalog = shippedCatalog();
    widgets::WindowManager manager(
        catalog,
        {folder.filePath(QStringLiteral("studies.sqlite")), folder.filePath(QStringLiteral("settings.ini")),
         std::make_shared<widgets::RecoveryStore>(folder.filePath(QStringLiteral("autosave")))});
    auto* window = manager.newWindow();
    auto* document = window->document();
    document->openPreset("glitches/a100-7u280");
    QTimer timer;
    int done = 0;
    QObject::connect(&timer, &QTimer::timeout, window, [&] {
        if (done == edits) {
            timer.stop();
            return;
        }
        ++done;
        document->set("nodes.fpga.count", std::to_string(done));
        std::printf("%d\n", done);
        std::fflush(stdout);
    });
    QObject::connect(&document->file(), &widgets::DesignFile::saved, &timer, [&] { timer.start(period); });
    document->save(folder.filePath(QStringLiteral("mine.hscape")));
    return application.exec();
}
