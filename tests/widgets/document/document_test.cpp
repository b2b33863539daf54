// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/document/save_and_wait.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <stdexcept>

using namespace heteroscape;
using engine::Metric;
using widgets::DesignFile;
using widgets::Document;

namespace {

constexpr auto kDocumentPreset = "glitches/a100-7u280";

/// The node of a device kind in the preset.
const engine::Node& nodeOf(const Document& document, engine::DeviceKind kind) {
    for (const auto& node : document.scenario().nodes)
        if (node.device.kind == kind)
            return node;
    qFatal("the preset has no such node");
    std::abort();
}

std::string fpgaCount(const Document& document) {
    return "nodes." + nodeOf(document, engine::DeviceKind::Fpga).id.value + ".count";
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset(kDocumentPreset);
    }

    void startsWithAnEmptyDesign() {
        Document document(shippedCatalog());
        QVERIFY(document.scenario().nodes.empty());
        QVERIFY(!document.evaluation().feasible);
        QVERIFY(!document.isModified());
        QCOMPARE(document.title(), QStringLiteral("Untitled"));
    }

    void opensAPresetEvaluated() {
        QVERIFY(m_document->evaluation().feasible);
        QVERIFY(m_document->evaluation().metric(Metric::Throughput) > 100.0);
        QCOMPARE(m_document->title(), QString::fromStdString(m_document->scenario().name));
        QVERIFY(m_document->path().isEmpty());
        QVERIFY(!m_document->isModified());
    }

    void performsUndoesAndRedoes() {
        QSignalSpy changed(m_document.get(), &Document::changed);
        const auto before = m_document->scenario();
        const double throughput = m_document->evaluation().metric(Metric::Throughput);
        QVERIFY(m_document->set(fpgaCount(*m_document), "3"));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(nodeOf(*m_document, engine::DeviceKind::Fpga).count.value, 3.0);
        QVERIFY(m_document->evaluation().metric(Metric::Throughput) < throughput);
        QVERIFY(m_document->isModified());
        m_document->undoStack()->undo();
        QCOMPARE(changed.count(), 2);
        QVERIFY(m_document->scenario() == before);
        QCOMPARE(m_document->evaluation().metric(Metric::Throughput), throughput);
        QVERIFY(!m_document->isModified());
        m_document->undoStack()->redo();
        QCOMPARE(nodeOf(*m_document, engine::DeviceKind::Fpga).count.value, 3.0);
        QVERIFY(m_document->undoStack()->undoText().contains(QStringLiteral("count to 3")));
    }

    void mergesOnlyWithinAGesture() {
        const auto before = m_document->scenario();
        const auto path = fpgaCount(*m_document);
        m_document->set(path, "1", QStringLiteral("typing:1"));
        m_document->set(path, "12", QStringLiteral("typing:1"));
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->set(path, "13", QStringLiteral("typing:2"));
        m_document->set(path, "14");
        m_document->set(path, "15");
        QCOMPARE(m_document->undoStack()->count(), 4);
        m_document->undoStack()->setIndex(1);
        QCOMPARE(nodeOf(*m_document, engine::DeviceKind::Fpga).count.value, 12.0);
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario() == before);
    }

    void mergesDifferentTargetsOfAGesture() {
        const auto before = m_document->scenario();
        const auto gpu = nodeOf(*m_document, engine::DeviceKind::Gpu).id;
        const auto fpga = nodeOf(*m_document, engine::DeviceKind::Fpga).id;
        m_document->perform(engine::MoveNode{gpu, {1, 2}}, QStringLiteral("drag"));
        m_document->perform(engine::MoveNode{fpga, {3, 4}}, QStringLiteral("drag"));
        m_document->perform(engine::MoveNode{gpu, {5, 6}}, QStringLiteral("drag"));
        QCOMPARE(m_document->undoStack()->count(), 1);
        const auto after = m_document->scenario();
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario() == before);
        m_document->undoStack()->redo();
        QVERIFY(m_document->scenario() == after);
    }

    void aGestureBackToItsStartLeavesNoStep() {
        const auto path = fpgaCount(*m_document);
        const auto original = nodeOf(*m_document, engine::DeviceKind::Fpga).count;
        m_document->set(path, "9", QStringLiteral("slide"));
        m_document->perform(engine::SetQuantity{path, original}, QStringLiteral("slide"));
        QCOMPARE(m_document->undoStack()->count(), 0);
        QVERIFY(!m_document->isModified());
    }

    void anEditThatChangesNothingIsNoStep() {
        const auto gpu = nodeOf(*m_document, engine::DeviceKind::Gpu);
        QVERIFY(m_document->perform(engine::MoveNode{gpu.id, gpu.position}));
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void refusesWithTheReasonAndChangesNothing_data() {
        QTest::addColumn<QString>("text");
        for (const auto* text : {"0", "-1", "NaN", "abc", "1.5", "1e9", ""})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void refusesWithTheReasonAndChangesNothing() {
        QFETCH(QString, text);
        QSignalSpy refused(m_document.get(), &Document::refused);
        QSignalSpy changed(m_document.get(), &Document::changed);
        const auto before = m_document->scenario();
        QVERIFY(!m_document->set(fpgaCount(*m_document), text.toStdString()));
        QCOMPARE(refused.count(), 1);
        const auto message = refused.first().first().toString();
        QVERIFY2(message.contains(QStringLiteral("whole number from 1 to 100000")), qPrintable(message));
        QCOMPARE(changed.count(), 0);
        QVERIFY(m_document->scenario() == before);
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void removingANodeForgetsItInTheSelection() {
        const auto gpu = nodeOf(*m_document, engine::DeviceKind::Gpu).id;
        m_document->select({{gpu, engine::NodeId{"nobody"}}, {}});
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{1});
        QSignalSpy selected(m_document.get(), &Document::selectionChanged);
        m_document->perform(engine::removeEdit(m_document->scenario(), {gpu}, {}));
        QVERIFY(m_document->selection().empty());
        QCOMPARE(selected.count(), 1);
    }

    void savedAndReopenedIsByteIdentical() {
        QTemporaryDir folder;
        const auto first = folder.filePath(QStringLiteral("design.hscape"));
        const auto second = folder.filePath(QStringLiteral("again.hscape"));
        m_document->set(fpgaCount(*m_document), "5");
        saveAndWait(*m_document, first);
        QVERIFY(!m_document->isModified());
        QCOMPARE(m_document->title(), QStringLiteral("design.hscape"));
        Document other(shippedCatalog());
        QSignalSpy reset(&other, &Document::reset);
        other.openFile(first);
        QCOMPARE(reset.count(), 1);
        QVERIFY(other.scenario() == m_document->scenario());
        for (const auto& spec : engine::metricSpecs()) {
            const double was = m_document->evaluation().metric(spec.metric);
            const double is = other.evaluation().metric(spec.metric);
            QVERIFY2(is == was || (std::isnan(is) && std::isnan(was)), spec.key.data());
        }
        saveAndWait(other, second);
        QCOMPARE(engine::readFile(second.toStdString()), engine::readFile(first.toStdString()));
    }

    void undoBeyondASaveIsModified() {
        QTemporaryDir folder;
        m_document->set(fpgaCount(*m_document), "5");
        saveAndWait(*m_document, folder.filePath(QStringLiteral("design.hscape")));
        QSignalSpy titled(m_document.get(), &Document::titleChanged);
        m_document->undoStack()->undo();
        QVERIFY(m_document->isModified());
        QVERIFY(titled.count() > 0);
    }

    void whatIsChangedWhileSavingStaysModified() {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("design.hscape"));
        m_document->set(fpgaCount(*m_document), "5");
        QSignalSpy saved(&m_document->file(), &DesignFile::saved);
        m_document->save(path);
        m_document->set(fpgaCount(*m_document), "6");
        QTRY_COMPARE(saved.count(), 1);
        QVERIFY(m_document->isModified());
        m_document->undoStack()->undo(); // it is what the file holds, though nothing knows
        QVERIFY(m_document->isModified());
        Document other(shippedCatalog());
        other.openFile(path);
        QVERIFY(other.scenario() == m_document->scenario());
        QVERIFY(!m_document->file().isChanged());
        saveAndWait(*m_document, path);
        QVERIFY(!m_document->isModified());
    }

    void aRefusedSaveSaysSo() {
        QTemporaryDir folder;
        m_document->set(fpgaCount(*m_document), "5");
        QSignalSpy failed(&m_document->file(), &DesignFile::failed);
        saveAndWait(*m_document, folder.filePath(QStringLiteral("no such folder/design.hscape")));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("no such folder")));
        QVERIFY(m_document->isModified() && m_document->path().isEmpty());
    }

    void whatIsOpenedWhileSavingIsNotTheFile() {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("design.hscape"));
        m_document->save(path);
        m_document->newDesign();
        QTRY_VERIFY(!m_document->file().isSaving());
        QVERIFY(m_document->path().isEmpty());
        QVERIFY(QFile::exists(path));
    }

    void aBadFileLeavesTheDesign_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("truncated") << QByteArray("{\"formatVersion\": 1, \"name\": \"cut");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("newer") << QByteArray("{\"formatVersion\": 999}");
        QTest::newRow("not an object") << QByteArray("[1, 2]");
    }
    void aBadFileLeavesTheDesign() {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const auto path = widgets::writeFile(folder.filePath(QStringLiteral("bad.hscape")), content);
        const auto before = m_document->scenario();
        QSignalSpy reset(m_document.get(), &Document::reset);
        try {
            m_document->openFile(path);
            QFAIL("a bad file was opened");
        } catch (const engine::Error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(QStringLiteral("bad.hscape")), error.what());
        }
        QCOMPARE(reset.count(), 0);
        QVERIFY(m_document->scenario() == before);
    }

    void replacesTheScenarioUndoably() {
        const auto before = m_document->scenario();
        auto other = before;
        other.workload.batch.value = 4.0;
        m_document->replaceScenario(other, QStringLiteral("Open a point"));
        QVERIFY(m_document->scenario() == other);
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario() == before);
        m_document->undoStack()->redo();
        QVERIFY(m_document->scenario() == other);
    }

    void anEvaluationThatBreaksOffIsTold() {
        std::atomic<bool> breaks = true;
        widgets::Evaluator evaluator(nullptr, [&breaks](const engine::Shared<engine::Scenario>& scenario) {
            if (breaks)
                throw std::runtime_error("no figures today");
            return widgets::evaluateDesign(scenario);
        });
        QSignalSpy finished(&evaluator, &widgets::Evaluator::finished);
        evaluator.evaluate(m_document->shared());
        QTRY_COMPARE(finished.count(), 1);
        const auto broken = evaluator.take({});
        QVERIFY(broken);
        QVERIFY(!broken->evaluation.feasible);
        QCOMPARE(broken->diagnostics.size(), std::size_t{1});
        QCOMPARE(broken->diagnostics[0].severity, engine::Severity::Error);
        QVERIFY(QString::fromStdString(broken->diagnostics[0].message).contains("no figures today"));
        QVERIFY(!broken->diagnostics[0].remedy.empty());
        breaks = false;
        evaluator.evaluate(m_document->shared());
        QTRY_COMPARE(finished.count(), 2);
        QVERIFY(evaluator.take({})->evaluation.feasible);
    }

    void whoListensMayEdit() {
        const auto path = fpgaCount(*m_document);
        bool done = false;
        connect(m_document.get(), &Document::changed, this, [&] {
            if (!std::exchange(done, true))
                m_document->set("workload.batch", "2");
        });
        m_document->set(path, "5");
        QCOMPARE(m_document->undoStack()->count(), 2);
        QCOMPARE(m_document->scenario().workload.batch.value, 2.0);
        m_document->undoStack()->undo();
        m_document->undoStack()->undo();
        QCOMPARE(m_document->undoStack()->index(), 0);
    }

private:
    std::unique_ptr<Document> m_document;
};

WIDGET_TEST(DocumentTest)
#include "document_test.moc"
