// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/document/save_and_wait.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/jobs/job.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace heteroscape;
using widgets::Autosave;
using widgets::Document;
using widgets::RecoveryStore;
using widgets::waitForJobs;

namespace {

constexpr auto kPreset = "glitches/a100-7u280";

double countIn(const engine::Scenario& scenario) {
    const auto* node = scenario.findNode({"fpga"});
    return node ? node->count.value : 0.0;
}

} // namespace

class AutosaveTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = std::make_shared<RecoveryStore>(m_folder->filePath(QStringLiteral("autosave")));
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset(kPreset);
    }
    void cleanup() {
        m_document.reset();
        m_store.reset();
        m_folder.reset();
    }

    void anUntouchedDesignIsNotWritten() {
        Autosave autosave(m_document.get(), m_store);
        QVERIFY(autosave.saveNow());
        QVERIFY(!QFileInfo::exists(autosave.file()));
    }

    void aChangeIsOnDiskWithinTwoSeconds() {
        Autosave autosave(m_document.get(), m_store);
        QElapsedTimer clock;
        clock.start();
        // Edits go on all the time: they must not put the writing off.
        double count = 1;
        while (clock.elapsed() < 1500) {
            m_document->set("nodes.fpga.count", std::to_string(static_cast<int>(++count)));
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        }
        QTRY_VERIFY(QFileInfo::exists(autosave.file()));
        QTRY_VERIFY_WITH_TIMEOUT(countOnDisk(autosave) == countIn(m_document->scenario()), 5000);
    }

    void nothingIsWrittenWhileNothingDiffers() {
        Autosave autosave(m_document.get(), m_store);
        m_document->set("nodes.fpga.count", "3");
        QTRY_VERIFY(QFileInfo::exists(autosave.file()));
        const auto written = engine::readFile(autosave.file().toStdString());
        QVERIFY(QFile::remove(autosave.file())); // so that a second writing would show
        m_document->undoStack()->undo();         // to what is saved: there is nothing to keep
        m_document->undoStack()->redo();
        QTRY_VERIFY(QFileInfo::exists(autosave.file()));
        QCOMPARE(engine::readFile(autosave.file().toStdString()), written);
        QVERIFY(QFile::remove(autosave.file()));
        QSignalSpy changed(m_document.get(), &Document::changed);
        emit m_document->changed(); // told, but nothing differs
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < Autosave::kDelayMs + 300)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QVERIFY(!QFileInfo::exists(autosave.file()));
    }

    void theCopyGoesWhenTheDesignIsSavedUndoneReplacedOrGivenUp() {
        Autosave autosave(m_document.get(), m_store);
        const auto change = [&] {
            m_document->set("nodes.fpga.count", "3");
            QVERIFY(autosave.saveNow());
            QVERIFY(QFileInfo::exists(autosave.file()));
        };
        const auto gone = [&] {
            return QDir(m_store->folder())
                .entryList({QStringLiteral("*.hscape*"), QStringLiteral("*.json")}, QDir::Files)
                .isEmpty();
        };
        change();
        m_document->undoStack()->undo();
        QTRY_VERIFY(gone());
        change();
        saveAndWait(*m_document, m_folder->filePath(QStringLiteral("saved.hscape")));
        QTRY_VERIFY(gone());
        m_document->openPreset(kPreset);
        change();
        m_document->newDesign();
        QTRY_VERIFY(gone());
        m_document->openPreset(kPreset);
        change();
        autosave.giveUp();
        QTRY_VERIFY(gone());
        m_document->set("nodes.fpga.count", "4");
        QVERIFY(autosave.saveNow());
        QTRY_VERIFY(gone());
    }

    void theNextProgramFindsWhatWasLeft() {
        {
            Autosave autosave(m_document.get(), m_store);
            m_document->set("nodes.fpga.count", "5");
            const auto path = m_folder->filePath(QStringLiteral("mine.hscape"));
            saveAndWait(*m_document, path);
            m_document->set("nodes.fpga.count", "6");
            QVERIFY(autosave.saveNow());
            const RecoveryStore other(m_store->folder());
            QVERIFY(other.entries().empty()); // the program still runs
        }
        QVERIFY(waitForJobs(std::chrono::seconds(10))); // they hold the session
        m_store.reset();
        const RecoveryStore next(m_folder->filePath(QStringLiteral("autosave")));
        const auto found = next.entries();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].title, QStringLiteral("mine.hscape"));
        QCOMPARE(found[0].originalPath, m_folder->filePath(QStringLiteral("mine.hscape")));
        QCOMPARE(found[0].nodes, 3);
        QVERIFY(found[0].problem.isEmpty());
        QVERIFY(std::abs(found[0].saved.secsTo(QDateTime::currentDateTime())) < 30);
        QCOMPARE(countIn(RecoveryStore::load(found[0], *shippedCatalog())), 6.0);
        QCOMPARE(next.entries().size(), std::size_t{1}); // reading takes nothing away
        RecoveryStore::discard(found[0]);
        QVERIFY(next.entries().empty());
        QCOMPARE(QDir(next.folder()).entryList(QDir::Files).size(), 1); // the lock of `next`
    }

    void aBrokenCopyIsNamedAndKept() {
        const auto folder = m_store->folder();
        const auto cut = QDir(folder).filePath(QStringLiteral("999999-0badcafe-1.hscape"));
        const auto whole = engine::scenarioText(m_document->scenario());
        engine::writeFileAtomically(cut.toStdString(), whole.substr(0, whole.size() / 2));
        const auto alien = QDir(folder).filePath(QStringLiteral("999999-0badcafe-2.hscape"));
        engine::writeFileAtomically(alien.toStdString(), "{\"nodes\": 3}");
        const auto newer = QDir(folder).filePath(QStringLiteral("999999-0badcafe-3.hscape"));
        auto text = whole;
        const auto at = text.find("\"formatVersion\": ");
        text.replace(at, text.find(',', at) - at, "\"formatVersion\": 999");
        engine::writeFileAtomically(newer.toStdString(), text);
        const auto found = m_store->entries();
        QCOMPARE(found.size(), std::size_t{3});
        for (const auto& entry : found) {
            if (entry.file == newer) { // told when it is opened
                bool refused = false;
                try {
                    RecoveryStore::load(entry, *shippedCatalog());
                } catch (const engine::Error& error) {
                    refused = QString::fromStdString(error.what()).contains(QStringLiteral("999"));
                }
                QVERIFY(refused);
            } else {
                QVERIFY2(entry.problem.contains(QFileInfo(entry.file).fileName()), qPrintable(entry.problem));
            }
            QVERIFY(QFileInfo::exists(entry.file));
        }
    }

    void aFolderThatCannotBeWrittenIsToldOnce() {
        const auto blocked = m_folder->filePath(QStringLiteral("blocked"));
        engine::writeFileAtomically(blocked.toStdString(), "a file where the folder should be");
        auto store = std::make_shared<RecoveryStore>(QDir(blocked).filePath(QStringLiteral("autosave")));
        Autosave autosave(m_document.get(), store);
        QSignalSpy failed(&autosave, &Autosave::failed);
        m_document->set("nodes.fpga.count", "3");
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 3000);
        QVERIFY(!failed.first().first().toString().isEmpty());
        m_document->set("nodes.fpga.count", "4"); // editing goes on
        QVERIFY(!autosave.saveNow());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(countIn(m_document->scenario()), 4.0);
        QVERIFY(QFile::remove(blocked)); // and it is written again as soon as it can be
        m_document->set("nodes.fpga.count", "5");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(autosave.file()), 3000);
        autosave.giveUp();
    }

private:
    double countOnDisk(const Autosave& autosave) const {
        return countIn(engine::loadScenario(autosave.file().toStdString(), *shippedCatalog()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<RecoveryStore> m_store;
    std::unique_ptr<Document> m_document;
};

WIDGET_TEST(AutosaveTest)
#include "autosave_test.moc"
