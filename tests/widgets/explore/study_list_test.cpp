// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/run_study.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_list.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace heteroscape;
using namespace heteroscape::widgets;

class StudyListTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StudyList> m_list;

    QString store() const { return m_folder->filePath(QStringLiteral("studies.sqlite")); }
    QListWidget* view() const { return m_list->findChild<QListWidget*>(); }
    QListWidgetItem* item(int row) const { return view()->item(row); }
    QToolButton* button(const char* icon) const {
        return m_list->findChild<QToolButton*>(QLatin1String(icon));
    }

    std::int64_t addStudy(const std::string& name, const std::string& axis, bool whole = true) {
        engine::Study study{
            name,
            engine::loadScenario(shippedCatalog()->folder + "/papers/glitches/a100-7u280.json",
                                 *shippedCatalog()),
            {}};
        study.axes.push_back(engine::parseAxis(study.base, *shippedCatalog(), axis));
        engine::Store file(store().toStdString());
        if (!whole) {
            engine::RunOptions second; // the second point alone
            second.shard = {2, study.pointCount()};
            return engine::runStudy(study, file, second).study.id;
        }
        return engine::runStudy(study, file, {}).study.id;
    }
    void open() {
        m_list = std::make_unique<StudyList>(store());
        expose(*m_list, {228, 500});
    }
    QPoint middle(int row) const { return view()->visualItemRect(item(row)).center(); }
    QMessageBox* question() const { return m_list->findChild<QMessageBox*>(); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_list.reset(); }

    void newestFirstWithPointsAndSize() {
        addStudy("First", "workload.batch=1:4");
        addStudy("Second", "workload.batch=1:64:*2");
        open();
        QCOMPARE(m_list->count(), 2);
        QCOMPARE(item(0)->text(), QStringLiteral("Second"));
        QVERIFY(
            item(0)->data(TwoLineDelegate::kSecondLine).toString().startsWith(QStringLiteral("7 points, ")));
        QVERIFY(item(0)->data(TwoLineDelegate::kAside).toString().endsWith(QStringLiteral("kB")));
        const auto total = m_list->findChild<QLabel*>(QStringLiteral("total"))->text();
        QVERIFY2(total.startsWith(QStringLiteral("2 studies, ")) &&
                     total.contains(QStringLiteral("kB on disk")),
                 qPrintable(total));
        QVERIFY(m_list->findChild<QLineEdit*>()->isHidden());
    }

    void openedByClickAndEnter() {
        const auto id = addStudy("First", "workload.batch=1:4");
        addStudy("Second", "workload.batch=1:3");
        open();
        QSignalSpy opened(m_list.get(), &StudyList::openRequested);
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, middle(1));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toLongLong(), id);
        QTest::keyClick(view(), Qt::Key_Up);
        QTest::keyClick(view(), Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
        QVERIFY(opened[1][0].toLongLong() != id);
    }

    void deletedAfterAQuestionThatNamesIt() {
        const auto id = addStudy("First", "workload.batch=1:4");
        open();
        QSignalSpy removed(m_list.get(), &StudyList::removed);
        view()->setCurrentRow(0);
        QTest::keyClick(view(), Qt::Key_Delete);
        QVERIFY(question());
        QVERIFY(question()->text().contains(QStringLiteral("First")));
        QVERIFY(question()->informativeText().contains(QStringLiteral("4 points take")));
        QVERIFY(question()->informativeText().contains(QStringLiteral("kB")));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        QCOMPARE(m_list->count(), 1);
        QTest::mouseClick(button("trash"), Qt::LeftButton);
        QTest::mouseClick(question()->findChild<QPushButton*>(QStringLiteral("confirmDelete")),
                          Qt::LeftButton);
        QCOMPARE(m_list->count(), 0);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed[0][0].toLongLong(), id);
        QTRY_VERIFY(!question());
    }

    void notDeletedWhileAStudyRuns() {
        addStudy("First", "workload.batch=1:4");
        open();
        view()->setCurrentRow(0);
        m_list->setDeletable(false);
        QTest::keyClick(view(), Qt::Key_Delete);
        QVERIFY(!question());
        QVERIFY(!button("trash")->isEnabled());
    }

    void renamedInPlace() {
        const auto id = addStudy("First", "workload.batch=1:4");
        open();
        QSignalSpy renamed(m_list.get(), &StudyList::renamed);
        view()->setFocus();
        view()->setCurrentRow(0);
        QTest::keyClick(view(), Qt::Key_F2);
        auto* editor = view()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QStringLiteral("First"));
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("Batch sizes"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(renamed.size(), 1);
        QCOMPARE(engine::Store(store().toStdString()).study(id).name, std::string("Batch sizes"));
        QTRY_COMPARE(item(0)->text(), QStringLiteral("Batch sizes"));
        QCOMPARE(view()->currentRow(), 0);
    }

    void anEmptyNameIsNotTaken() {
        addStudy("First", "workload.batch=1:4");
        open();
        QSignalSpy failed(m_list.get(), &StudyList::failed);
        item(0)->setText(QStringLiteral("  "));
        QCOMPARE(failed.size(), 1);
        QTRY_COMPARE(item(0)->text(), QStringLiteral("First"));
    }

    void unfinishedOnesAreResumedAndAllExtended() {
        addStudy("Whole", "workload.batch=1:4");
        const auto part = addStudy("Part", "workload.batch=1:30", false);
        open();
        QSignalSpy resumed(m_list.get(), &StudyList::resumeRequested),
            extended(m_list.get(), &StudyList::extendRequested);
        QVERIFY(
            item(0)->data(TwoLineDelegate::kSecondLine).toString().startsWith(QStringLiteral("1 of 30, ")));
        view()->setCurrentRow(1);
        QVERIFY(!button("play")->isVisible());
        QVERIFY(button("plus")->isEnabled());
        view()->setCurrentRow(0);
        QVERIFY(button("play")->isVisible());
        QTest::mouseClick(button("play"), Qt::LeftButton);
        QCOMPARE(resumed.size(), 1);
        QCOMPARE(resumed[0][0].toLongLong(), part);
        QTest::mouseClick(button("plus"), Qt::LeftButton);
        QCOMPARE(extended.size(), 1);
        QCOMPARE(extended[0][0].toLongLong(), part);
    }

    void manyAreFiltered() {
        for (int i = 1; i <= 9; ++i)
            addStudy("Study " + std::to_string(i),
                     (i == 4 ? "workload.prompt_tokens=" : "workload.batch=") + std::to_string(i));
        open();
        auto* filter = m_list->findChild<QLineEdit*>();
        QVERIFY(filter->isVisible());
        QTest::keyClicks(filter, QStringLiteral("prompt"));
        int shown = 0;
        for (int row = 0; row < m_list->count(); ++row)
            shown += !item(row)->isHidden();
        QCOMPARE(shown, 1);
        QVERIFY(!item(5)->isHidden()); // newest first
        filter->clear();
        QTest::keyClicks(filter, QStringLiteral("study 7"));
        QVERIFY(!item(2)->isHidden());
        QVERIFY(item(5)->isHidden());
    }

    void theMenuAsksForAnExport() {
        const auto id = addStudy("First", "workload.batch=1:4");
        open();
        QSignalSpy asked(m_list.get(), &StudyList::exportRequested);
        for (const auto* format : {"CSV", "SQLite"}) {
            emit view()->customContextMenuRequested(middle(0));
            auto* menu = m_list->findChild<QMenu*>();
            QVERIFY(menu && menu->isVisible());
            for (auto* action : menu->actions())
                if (action->text().contains(QLatin1String(format)))
                    action->trigger();
            menu->close();
            QTRY_VERIFY(!m_list->findChild<QMenu*>());
        }
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[0][0].toLongLong(), id);
        QCOMPARE(asked[0][1].toString(), QStringLiteral("csv"));
        QCOMPARE(asked[1][1].toString(), QStringLiteral("sqlite"));
    }

    void exportsAreWholeAndReplace() {
        const auto id = addStudy("First", "workload.batch=1:4");
        addStudy("Second", "workload.batch=1:3");
        const auto csv = m_folder->filePath(QStringLiteral("out.csv"));
        exportStudy(store(), id, QStringLiteral("csv"), csv, *shippedCatalog());
        const auto text = QString::fromStdString(engine::readFile(csv.toStdString()));
        QCOMPARE(text.count(u'\n'), 5);
        QVERIFY(text.startsWith(QStringLiteral("workload.batch,feasible")));
        const auto file = m_folder->filePath(QStringLiteral("out.sqlite"));
        for (int time = 0; time < 2; ++time) { // the second replaces the first
            exportStudy(store(), id, QStringLiteral("sqlite"), file, *shippedCatalog());
            engine::Store copy(file.toStdString());
            QCOMPARE(copy.studies().size(), std::size_t{1});
            QCOMPARE(copy.read(copy.studies().front().id).rows(), std::size_t{4});
        }
    }

    void exportsSayWhatIsWrong() {
        const auto id = addStudy("First", "workload.batch=1:4");
        const auto errorOf = [](const auto& work) {
            try {
                work();
            } catch (const engine::Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        const auto nowhere = QStringLiteral("/nowhere/at/all/out");
        for (const auto* format : {"csv", "sqlite"})
            QVERIFY(errorOf([&] {
                        exportStudy(store(), id, QLatin1String(format), nowhere, *shippedCatalog());
                    }).contains(QStringLiteral("/nowhere/at/all")));
        QVERIFY(errorOf([&] {
                    exportStudy(store(), id, QStringLiteral("sqlite"), store(), *shippedCatalog());
                }).contains(QStringLiteral("is the store")));
        QVERIFY(errorOf([&] {
                    exportStudy(store(), id + 7, QStringLiteral("csv"), nowhere, *shippedCatalog());
                }).contains(QStringLiteral("no study has the number")));
        QCOMPARE(engine::Store(store().toStdString()).read(id).rows(), std::size_t{4});
    }
};

WIDGET_TEST(StudyListTest)
#include "study_list_test.moc"
