// SPDX-License-Identifier: GPL-3.0-or-later
// Studies whose store cannot be written: nothing that was worked out is lost, and nothing that lies there is
// written over.
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/study_csv.h"
#include "engine/plotting/series.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "tests/widgets/exact.h"
#include "tests/widgets/explore/bad_places.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/test_window.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"

#include <QDir>
#include <QPushButton>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTableView>

#include <optional>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;

class UnkeptStudyTest : public QObject {
    Q_OBJECT

    enum class Cause { FullDisk, ReadOnlyFolder, ReadOnlyFile, Locked, Foreign, Damaged, Newer, Folder };

    /// A window on a store that may be made a bad one before.
    struct OnStore : TestWindow {
        OnStore() : TestWindow(NotYet()) {}
        using TestWindow::start;
    };
    std::unique_ptr<OnStore> m_test;
    std::optional<FullDisk> m_fullDisk;
    std::optional<BoundByRights> m_bound;
    std::unique_ptr<engine::Database> m_holder;
    QByteArray m_whole; ///< the store's file before it was made a bad one

    QString storeFolder() const { return m_test->file("data"); }
    QString store() const { return storeFolder() + QStringLiteral("/studies.sqlite"); }
    ExploreWorkspace* explore() const { return &m_test->explore(); }
    StudySetup* setup() const { return explore()->findChild<StudySetup*>(); }
    StudyMarks* marks() const { return explore()->marks(); }
    const engine::StudyTable& points() const { return marks()->study()->table; }
    NoticeBar* notice() const { return explore()->findChild<NoticeBar*>(QStringLiteral("studyNotice")); }
    Document& document() const { return m_test->document(); }
    QPushButton* button(const char* name) const {
        return explore()->findChild<QPushButton*>(QLatin1String(name));
    }

    /// The store of somebody who ran a study before.
    void keepAStudy() {
        engine::Study study{"earlier",
                            engine::loadPreset(*shippedCatalog(), "glitches/8a100", "test"),
                            {{"workload.batch", {1, 2, 4}}}};
        engine::Store file(store().toStdString());
        QCOMPARE(engine::runStudy(study, file, {}).study.done, std::size_t{3});
    }
    void open() {
        m_test->start({store(), m_test->file("settings.ini")});
        document().openPreset("glitches/a100-7u280");
        m_test->window->setWorkspace(Workspace::Explore);
        QTRY_VERIFY(button("run")->isVisible() && button("run")->isEnabled());
    }
    void run() {
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QVERIFY(explore()->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isRunning(), 60000);
    }

    static QByteArray randomBytes(qsizetype count) {
        QRandomGenerator random(20260101);
        QByteArray bytes(count, '\0');
        for (auto& byte : bytes)
            byte = static_cast<char>(random.bounded(256));
        return bytes;
    }
    void setVersion(int version) {
        engine::Database database(store().toStdString());
        // Without a log beside it, the number is in the file itself.
        database.execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = " + std::to_string(version));
    }
    bool isInTheFile(Cause cause) const { return cause >= Cause::Foreign; }
    void begin(Cause cause) {
        switch (cause) {
        case Cause::FullDisk:
            m_fullDisk.emplace(40 * 1024); // reading works, and the first pages of a change
            break;
        case Cause::ReadOnlyFolder:
            QVERIFY(QFile::setPermissions(store(), kReadByAll));
            QVERIFY(QFile::setPermissions(storeFolder(), kReadByAll | kEnteredByAll));
            m_bound.emplace();
            break;
        case Cause::ReadOnlyFile:
            QVERIFY(QFile::setPermissions(store(), kReadByAll));
            QVERIFY(QFile::setPermissions(storeFolder(), kReadByAll | kWrittenByAll | kEnteredByAll));
            m_bound.emplace();
            break;
        case Cause::Locked:
            m_holder = std::make_unique<engine::Database>(store().toStdString());
            m_holder->execute("BEGIN EXCLUSIVE");
            break;
        case Cause::Foreign:
            writeFile(store(), randomBytes(8192));
            break;
        case Cause::Damaged: // what is read first is whole
            writeFile(store(), m_whole.first(100) + randomBytes(m_whole.size() - 100));
            break;
        case Cause::Newer:
            setVersion(engine::kStoreSchemaVersion + 1);
            break;
        case Cause::Folder:
            QVERIFY(QFile::remove(store()));
            QVERIFY(QDir().mkpath(store()));
            break;
        }
    }
    void end(Cause cause) {
        m_fullDisk.reset();
        m_bound.reset();
        m_holder.reset();
        if (cause == Cause::ReadOnlyFolder || cause == Cause::ReadOnlyFile) {
            QVERIFY(QFile::setPermissions(storeFolder(), kReadByAll | kWrittenByAll | kEnteredByAll));
            QVERIFY(QFile::setPermissions(store(), kReadByAll | kWrittenByAll));
            m_bound.emplace(); // the rights that there are now shall do
        } else if (cause == Cause::Newer) {
            setVersion(engine::kStoreSchemaVersion);
        } else if (cause == Cause::Folder) {
            QVERIFY(QDir().rmdir(store())); // nothing was put into it
        } else if (isInTheFile(cause)) {
            QVERIFY(QFile::rename(store(), store() + QStringLiteral(".bad")));
        }
    }

    /// What is shown is this, to the last digit.
    void checkShown(const engine::StudyTable& expected) {
        QCOMPARE(points().rows(), expected.rows());
        QCOMPARE(points().columns.size(), expected.columns.size());
        for (std::size_t i = 0; i < expected.columns.size(); ++i) {
            QCOMPARE(points().columns[i].name, expected.columns[i].name);
            const auto& shown = points().columns[i];
            const auto& wanted = expected.columns[i];
            std::size_t row = 0;
            while (row < expected.rows() && same(shown.at(row), wanted.at(row)))
                ++row;
            QVERIFY2(row == expected.rows(), wanted.name.c_str());
        }
        for (std::size_t row = 0; row < expected.rows(); ++row)
            QCOMPARE(points().bound(row), expected.bound(row));
    }
    void checkPlots(const engine::StudyTable& expected) {
        QCOMPARE(child<StudyBoard>(explore())->plots().size(), std::size_t{2});
        for (const auto* tile : child<StudyBoard>(explore())->plots()) {
            const auto query = tile->query();
            const auto* value = expected.find(query.metric);
            const auto* x = expected.find(query.x);
            const auto* curve = expected.find(query.curve);
            QVERIFY(value && x && curve);
            std::size_t compared = 0;
            for (const auto& line : tile->view()->chart().lines)
                for (std::size_t row = 0; row < expected.rows(); ++row)
                    for (std::size_t i = 0; i < line.x.size(); ++i)
                        if (line.name == QString::number(curve->at(row)) && line.x[i] == x->at(row)) {
                            QVERIFY(same(line.y[i], engine::feasibleValue(expected, *value, row)));
                            ++compared;
                        }
            QCOMPARE(compared, expected.rows());
        }
    }
    void checkTable(const engine::StudyTable& expected) {
        const auto& model = dynamic_cast<const StudyTableModel&>(
            *explore()->findChild<PointsTable*>()->findChild<QTableView*>()->model());
        std::set<std::size_t> rows;
        std::size_t numbers = 0;
        for (int at = 0; at < model.rowCount(); ++at) {
            const auto row = model.rowAt(at);
            rows.insert(row);
            for (int column = 0; column + 1 < model.columnCount(); ++column) {
                const auto& metric = *expected.find(model.columnName(column));
                const double value = engine::feasibleValue(expected, metric, row);
                if (std::isnan(value))
                    continue;
                QCOMPARE(model.index(at, column).data(Qt::ToolTipRole).toString(),
                         withUnit(QString::fromStdString(engine::exactText(value)),
                                  QString::fromStdString(metric.unit)));
                ++numbers;
            }
            if (expected.find("feasible")->at(row) == 1.0)
                QCOMPARE(model.index(at, model.columnCount() - 1).data().toString(),
                         QString::fromStdString(expected.bound(row)));
        }
        QCOMPARE(rows.size(), expected.rows());
        QVERIFY(numbers > 10 * expected.rows());
    }
    /// Which file, why (a pattern), and what to do.
    void checkNotice(const QString& reason, const QString& remedy, const QString& end) {
        QVERIFY(notice()->isVisible());
        const auto text = notice()->text();
        QVERIFY2(text.startsWith(store() + QStringLiteral(": ")), qPrintable(text));
        QVERIFY2(text.contains(QRegularExpression(reason)), qPrintable(text));
        QVERIFY2(text.contains(remedy), qPrintable(text));
        QVERIFY2(text.endsWith(QStringLiteral(". ") + end), qPrintable(text));
    }

private slots:
    void init() {
        m_test = std::make_unique<OnStore>();
        QVERIFY(QFile::setPermissions(m_test->folder.path(), kReadByAll | kWrittenByAll | kEnteredByAll));
        QVERIFY(QDir().mkpath(storeFolder()));
        keepAStudy();
        m_whole = bytesOf(store());
        QVERIFY(m_whole.size() > 40 * 1024);
    }
    void cleanup() {
        m_fullDisk.reset();
        m_bound.reset();
        m_holder.reset();
        m_test.reset();
    }

    void nothingIsLostOrWrittenOver_data() {
        QTest::addColumn<Cause>("cause");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* name, Cause cause, const char* reason, const char* remedy) {
            QTest::newRow(name) << cause << QString::fromLatin1(reason) << QString::fromLatin1(remedy);
        };
        row("full disk", Cause::FullDisk, "disk", "Check the disk");
        row("read-only folder", Cause::ReadOnlyFolder, "unable to open|readonly", "you may write to it");
        row("read-only file", Cause::ReadOnlyFile, "readonly", "you may write to it");
        row("locked", Cause::Locked, "database is locked", "close it there, or try again");
        row("random bytes", Cause::Foreign, "not an SQLite file", "It was left as it is");
        row("damaged pages", Cause::Damaged, "malformed", "was left as it is: restore a copy");
        row("newer", Cause::Newer, "newer than this program knows", "open it with a newer Heteroscape");
        row("folder", Cause::Folder, "not a regular file", "It was left as it is");
    }
    void nothingIsLostOrWrittenOver() {
        QFETCH(Cause, cause);
        QFETCH(QString, reason);
        QFETCH(QString, remedy);
        // A file may be bad from the start; what lies around it changes while one works.
        if (isInTheFile(cause))
            begin(cause);
        open();
        if (!isInTheFile(cause)) {
            QCOMPARE(explore()->findChild<StudyList*>()->count(), 1);
            begin(cause);
        }
        const auto before = bytesOf(store());
        const auto design = engine::scenarioKey(document().scenario());
        const int steps = document().undoStack()->count();
        const auto study = *setup()->study();
        const auto expected = engine::evaluateStudy(study);
        QCOMPARE(expected.rows(), std::size_t{56});

        run();
        QVERIFY(marks()->study());
        checkNotice(reason, remedy, QStringLiteral("The points are shown, but not kept."));
        QVERIFY(points().info.id < 0);
        checkShown(expected);
        checkPlots(expected);
        checkTable(expected);
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(engine::scenarioKey(document().scenario()), design);
        QCOMPARE(document().undoStack()->count(), steps);
        QVERIFY(!document().isModified());
        QCOMPARE(bytesOf(store()), before);
        if (cause == Cause::Folder)
            QVERIFY(QDir(store()).isEmpty());

        end(cause);
        const auto csv = m_test->file("study.csv");
        QVERIFY(explore()->findChild<ExportButton*>(QStringLiteral("exportStudy"))->exportTo(csv));
        QCOMPARE(bytesOf(csv).toStdString(),
                 engine::studyCsv(expected, {}, {engine::studyKeys(expected, study)}));

        run();
        QVERIFY2(!notice()->text().contains(QStringLiteral("not kept")) || !notice()->isVisible(),
                 qPrintable(notice()->text()));
        QVERIFY(points().info.id > 0);
        checkShown(expected);
        engine::Store kept(store().toStdString());
        const auto info = kept.findStudy(study);
        QVERIFY(info);
        QCOMPARE(info->done, std::size_t{56});
        const bool replaced = cause == Cause::Foreign || cause == Cause::Damaged || cause == Cause::Folder;
        QCOMPARE(kept.studies().size(), std::size_t{replaced ? 1U : 2U}); // the earlier one is there still
        QCOMPARE(explore()->findChild<StudyList*>()->count(), replaced ? 1 : 2);
    }

    void aSecondUnkeptStudyIsAnother() {
        begin(Cause::Foreign);
        open();
        run();
        const auto id = points().info.id;
        explore()->selectRow(3);
        run();
        QVERIFY(points().info.id < 0);
        QVERIFY(points().info.id != id);
        QVERIFY(!marks()->selected());
    }

    void waitingForAnotherProgramIsCancelledAtOnce() {
        open();
        begin(Cause::Locked);
        const auto before = bytesOf(store());
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QTRY_VERIFY(button("cancel")->isVisible());
        QTest::mouseClick(button("cancel"), Qt::LeftButton);
        // Without being told to stop it waits for ten seconds.
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isRunning(), 4000);
        QVERIFY(!marks()->study());
        QCOMPARE(bytesOf(store()), before);
        end(Cause::Locked);
        run();
        QVERIFY(points().info.id > 0);
    }

    void aDiskThatFillsUpLeavesEverythingShown() {
        open();
        setup()->setAxes({{"workload.batch", "1:8:1"}, {"workload.prompt_tokens", "1:4096:1"}});
        const auto study = *setup()->study();
        const auto expected = engine::evaluateStudy(study);
        QCOMPARE(expected.rows(), std::size_t{32768});
        m_fullDisk.emplace(1 << 20);
        run();
        m_fullDisk.reset();
        std::size_t done = 0;
        {
            engine::Store kept(store().toStdString());
            done = kept.findStudy(study)->done;
        }
        QVERIFY2(done > 0 && done < expected.rows(), qPrintable(QString::number(done)));
        checkNotice(QStringLiteral("disk"), QStringLiteral("what was committed before is kept"),
                    QStringLiteral("The points are shown, but not kept."));
        checkShown(expected);
        run();
        checkShown(expected);
        QVERIFY(points().info.id > 0);
        engine::Store kept(store().toStdString());
        QCOMPARE(kept.findStudy(study)->done, expected.rows());
        QCOMPARE(kept.studies().size(), std::size_t{2});
    }

    void ofAStudyTooLargeForMemoryTheStoredPartIsShown() {
        open();
        setup()->setAxes({{"workload.batch", "1:64:1"}, {"workload.prompt_tokens", "1:4096:1"}});
        const auto study = *setup()->study();
        QVERIFY(study.pointCount() > StudyRunner::kMostInMemory);
        m_fullDisk.emplace(1 << 20);
        run();
        m_fullDisk.reset();
        engine::Store kept(store().toStdString());
        const auto info = *kept.findStudy(study);
        QVERIFY2(info.done > 1000 && info.done < study.pointCount(), qPrintable(QString::number(info.done)));
        checkNotice(QStringLiteral("disk"), QStringLiteral("what was committed before is kept"),
                    QStringLiteral("The %1 of 262,144 points stored before that are shown.")
                        .arg(countText(info.done)));
        QCOMPARE(points().info.id, info.id);
        checkShown(kept.read(info.id));
        for (std::size_t row = 0; row < points().rows(); row += 97) {
            const auto evaluation = engine::evaluate(marks()->study()->scenarioOf(row));
            for (const auto& spec : engine::metricSpecs())
                QVERIFY(same(points().find(std::string(spec.key))->at(row),
                             engine::toEdge(evaluation.metric(spec.metric), spec.scale)));
        }
    }

    void aStudyTooLargeForMemorySaysSo() {
        begin(Cause::Foreign);
        open();
        setup()->setAxes({{"workload.batch", "1:64:1"}, {"workload.prompt_tokens", "1:4096:1"}});
        run();
        checkNotice(
            QStringLiteral("not an SQLite file"), QStringLiteral("It was left as it is"),
            QStringLiteral("None of the 262,144 points is shown: more than 200,000 are not held in memory."));
        QVERIFY(!marks()->study());
    }
};

WIDGET_TEST(UnkeptStudyTest)
#include "unkept_study_test.moc"
