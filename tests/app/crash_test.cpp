// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/catalog.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_page.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr int kPromiseMs = 2000; ///< what is older than this at the kill is not lost

struct Edit {
    int count;
    qint64 at; ///< ms, when it was heard of
};

} // namespace

/// A program that edits is killed without a word at several moments; the next one must offer its design.
class CrashTest : public QObject {
    Q_OBJECT

private slots:
    void aKilledProgramLosesTwoSecondsAtMost_data() {
        QTest::addColumn<int>("period");
        QTest::addColumn<int>("edits");
        QTest::addColumn<int>("killAfter"); ///< ms after the first edit
        QTest::newRow("one edit") << 10 << 1 << 2000;
        QTest::newRow("one edit, later") << 10 << 1 << 2100;
        QTest::newRow("a burst, then nothing") << 5 << 40 << 2100;
        QTest::newRow("while editing, early") << 50 << 1000 << 2050;
        QTest::newRow("while editing, late") << 50 << 1000 << 3330;
        QTest::newRow("while editing fast") << 7 << 5000 << 2700;
    }

    void aKilledProgramLosesTwoSecondsAtMost() {
        QFETCH(int, period);
        QFETCH(int, edits);
        QFETCH(int, killAfter);
        QTemporaryDir folder;
        QProcess program;
        program.start(QStringLiteral(EDIT_UNTIL_KILLED),
                      {folder.path(), QString::number(period), QString::number(edits)});
        QVERIFY(program.waitForStarted());
        std::vector<Edit> heard;
        QElapsedTimer clock;
        clock.start();
        qint64 first = -1;
        while (first < 0 || clock.elapsed() < first + killAfter) {
            QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
            QVERIFY(clock.elapsed() < 60000);
            program.waitForReadyRead(2);
            while (program.canReadLine()) {
                heard.push_back({program.readLine().trimmed().toInt(), clock.elapsed()});
                if (first < 0)
                    first = clock.elapsed();
            }
        }
        const qint64 killedAt = clock.elapsed();
        program.kill(); // SIGKILL
        QVERIFY(program.waitForFinished());

        int promised = 0;
        for (const auto& edit : heard)
            if (edit.at <= killedAt - kPromiseMs)
                promised = edit.count;
        QVERIFY(promised >= 1);
        auto store = std::make_shared<RecoveryStore>(folder.filePath(QStringLiteral("autosave")));
        const auto found = store->entries();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].title, QStringLiteral("mine.hscape"));

        // As the next start does it: the start page offers it, a click recovers it.
        auto catalog = shippedCatalog();
        WindowManager manager(catalog, {folder.filePath(QStringLiteral("studies.sqlite")),
                                        folder.filePath(QStringLiteral("settings.ini")), store});
        auto* window = manager.makeWindow();
        window->showStartPage();
        window->show();
        auto* list = child<RecoveryList>(window->start().page());
        QTRY_VERIFY(list->isVisible());
        QVERIFY(words(list).contains(QStringLiteral("mine.hscape")));
        QVERIFY(words(list).contains(QStringLiteral("3 nodes")));
        QTest::mouseClick(child<QPushButton>(list, "recover"), Qt::LeftButton);
        const auto* node = window->document()->scenario().findNode({"fpga"});
        QVERIFY(node);
        QVERIFY2(node->count.value >= promised,
                 qPrintable(QStringLiteral("%1 of %2").arg(node->count.value).arg(promised)));
        QVERIFY(window->document()->isModified());
        QCOMPARE(window->document()->path(), folder.filePath(QStringLiteral("mine.hscape")));
        QVERIFY(!window->isStartPageShown());
        QVERIFY(window->files()->save()); // writes to where it came from
        QTRY_VERIFY(!window->document()->isModified());
        QVERIFY(store->entries().empty());
    }
};

WIDGET_TEST(CrashTest)
#include "crash_test.moc"
