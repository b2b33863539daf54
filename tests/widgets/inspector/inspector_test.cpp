// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/units/number_text.h"
#include "tests/widgets/inspector/inspector_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/stack_bar.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <set>

using namespace heteroscape;
using engine::Metric;
using widgets::Document;
using widgets::Inspector;
using widgets::NumberEdit;

class InspectorTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        for (const auto& node : m_document->scenario().nodes)
            if (node.device.kind == engine::DeviceKind::Fpga)
                m_fpga = node.id;
        m_window = std::make_unique<QWidget>();
        m_inspector = new Inspector(m_document.get());
        wholePages(*m_inspector, *m_document);
        m_elsewhere = new QPushButton(QStringLiteral("elsewhere"));
        auto* column = new QVBoxLayout(m_window.get());
        column->addWidget(m_inspector);
        column->addWidget(m_elsewhere);
        present(m_window.get(), {300, 800});
        m_document->select({{m_fpga}, {}});
    }
    void cleanup() {
        m_window.reset();
        m_document.reset();
    }

    void typingACountChangesTheMetricsAtOnce() {
        const double before = throughput();
        auto* field = focus(".count");
        type(field, "3");
        QCOMPARE(count(), 3.0);
        QTRY_VERIFY(throughput() < before);
        QCOMPARE(QApplication::focusWidget(), field);
        QTest::keyClicks(field, "0");
        QCOMPARE(count(), 30.0);
        QCOMPARE(m_document->undoStack()->count(), 1);
        QTest::keyClick(field, Qt::Key_Return);
        m_document->undoStack()->undo();
        QCOMPARE(throughput(), before);
        QCOMPARE(textOf(field), QStringLiteral("7"));
        QVERIFY(!m_document->undoStack()->canUndo());
    }

    void twoVisitsAreTwoSteps() {
        auto* field = focus(".count");
        type(field, "3");
        m_elsewhere->setFocus();
        type(focus(".count"), "4");
        QCOMPARE(m_document->undoStack()->count(), 2);
    }

    void refusesVisibly_data() {
        QTest::addColumn<QString>("text");
        for (const auto* text : {"NaN", "-1", "abc", "0", "1.5", "1e9", ""})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void refusesVisibly() {
        QFETCH(QString, text);
        const auto before = m_document->scenario();
        auto* field = focus(".count");
        type(field, text);
        QVERIFY(field->isInvalid());
        QVERIFY2(shownText().contains(QStringLiteral("whole number from 1 to 100000")),
                 qPrintable(shownText()));
        QCOMPARE(textOf(field), text); // what was typed stays to be mended
        QVERIFY(m_document->scenario() == before);
        QCOMPARE(m_document->undoStack()->count(), 0);
        m_elsewhere->setFocus();
        QVERIFY(!field->isInvalid());
        QCOMPARE(textOf(field), QStringLiteral("7"));
        QVERIFY(!shownText().contains(QStringLiteral("whole number from")));
        QVERIFY(m_document->scenario() == before);
    }

    void tabGoesFromValueToValue() {
        focus(".device.memory_gb");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        const auto path = m_inspector->focusedPath();
        QVERIFY2(path.ends_with(".device.memory_reported"), path.c_str());
        // What can be swept comes after all values, and is reached.
        bool sweeps = false;
        std::set<QWidget*> seen;
        for (auto* at = QApplication::focusWidget(); m_inspector->isAncestorOf(at) && seen.insert(at).second;
             at = QApplication::focusWidget()) {
            const bool sweep = at->objectName() == widgets::QuantityRow::kSweepName;
            QVERIFY(sweep || !sweeps);
            sweeps = sweep;
            QTest::keyClick(at, Qt::Key_Tab);
        }
        QVERIFY(sweeps);
    }

    void escapeRestoresTheValueAndItsSource() {
        const auto before = m_document->scenario();
        auto* field = focus(".count");
        type(field, "12");
        QCOMPARE(count(), 12.0);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(m_document->scenario() == before);
        QCOMPARE(textOf(field), QStringLiteral("7"));
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void arrowsStepWholeNumbers() {
        auto* field = focus(".count");
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(count(), 8.0);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(count(), 6.0);
        type(field, "1");
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(count(), 1.0);
    }

    void anOptionalQuantityIsSetAndCleared() {
        auto* field = focus(".device.die_area_mm2");
        QVERIFY(!field->quantity().isSet());
        QVERIFY(std::isnan(m_document->evaluation().metric(Metric::ThroughputPerArea)));
        type(field, "800");
        QCOMPARE(node().device.dieArea.value, 800 * 1e-6);
        QCOMPARE(node().device.dieArea.provenance, engine::Provenance::User);
        m_elsewhere->setFocus();
        field = focus(".device.die_area_mm2");
        type(field, "");
        QVERIFY(!field->isInvalid());
        QVERIFY(!node().device.dieArea.isSet());
        m_document->undoStack()->undo();
        QCOMPARE(node().device.dieArea.value, 800 * 1e-6);
        QCOMPARE(textOf(field), QStringLiteral("800"));
    }

    void aPlainNumberTakesThePlaceOfItsSource() {
        auto* field = focus(".device.memory_bandwidth_gbps");
        const auto original = node().device.memoryBandwidth;
        QVERIFY(original.provenance != engine::Provenance::User);
        type(field, "500");
        QCOMPARE(node().device.memoryBandwidth.value, 500e9);
        QCOMPARE(node().device.memoryBandwidth.provenance, engine::Provenance::User);
        // The old number typed again is the old quantity, source and all.
        type(field, QString::fromStdString(engine::exactText(original.value / 1e9)));
        QVERIFY(node().device.memoryBandwidth == original);
    }

    void keepsTheFieldWhileTheDesignChangesUnderIt() {
        auto* field = focus(".device.memory_bandwidth_gbps");
        type(field, "50");
        m_document->set("workload.batch", "2");
        QCOMPARE(QApplication::focusWidget(), field);
        QCOMPARE(textOf(field), QStringLiteral("50"));
        QTest::keyClicks(field, "0");
        QCOMPARE(node().device.memoryBandwidth.value, 500e9);
    }

    void keepsInvalidTextWhileAnotherQuantityChanges() {
        auto* field = focus(".count");
        type(field, "abc");
        m_document->set("workload.batch", "2");
        QCOMPARE(textOf(field), QStringLiteral("abc"));
        QVERIFY(field->isInvalid());
    }

    void aChangeFromElsewhereIsShown() {
        auto* field = focus(".count");
        m_document->set("nodes." + m_fpga.value + ".count", "11");
        QCOMPARE(textOf(field), QStringLiteral("11"));
    }

    void rowsFollowTheDevice() {
        QVERIFY(fieldOf(".device.price_usd"));
        m_document->set("nodes." + m_fpga.value + ".device", "a100-80gb");
        QTRY_VERIFY(fieldOf(".device.peak_fp16_tflops"));
        QVERIFY(!fieldOf(".device.memory_channels"));
        m_document->undoStack()->undo();
        QTRY_VERIFY(fieldOf(".device.memory_channels"));
    }

    void theRoleIsAChoice() {
        for (auto* choice : m_inspector->findChildren<widgets::ChoiceEdit*>()) {
            if (!choice->path().ends_with(".role"))
                continue;
            choice->setFocus();
            QTest::keyClick(choice, Qt::Key_Home);
            QCOMPARE(node().role, engine::Role::Both);
            QVERIFY(m_document->undoStack()->canUndo());
            return;
        }
        QFAIL("no role to choose");
    }

    void aNameIsTypedAsItStands() {
        for (auto* edit : m_inspector->findChildren<QLineEdit*>()) {
            if (edit->accessibleName() != QStringLiteral("Name") || !edit->isVisibleTo(m_inspector))
                continue;
            edit->setFocus();
            QCOMPARE(QApplication::focusWidget(), edit);
            edit->selectAll();
            QTest::keyClick(edit, Qt::Key_Delete);
            QCOMPARE(edit->text(), QString());
            QTest::keyClicks(edit, QStringLiteral("Big FPGA "));
            QCOMPARE(edit->text(), QStringLiteral("Big FPGA "));
            QCOMPARE(node().name, std::string("Big FPGA"));
            m_elsewhere->setFocus();
            QCOMPARE(QApplication::focusWidget(), m_elsewhere);
            QCOMPARE(edit->text(), QStringLiteral("Big FPGA"));
            return;
        }
        QFAIL("no name to type");
    }

    void sweepsAreAskedForByPath() {
        QSignalSpy asked(m_inspector, &Inspector::sweepRequested);
        auto* field = fieldOf(".count");
        auto* row = qobject_cast<widgets::QuantityRow*>(field->parentWidget());
        QVERIFY(row);
        QTest::mouseClick(row->findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<std::string>(), "nodes." + m_fpga.value + ".count");
    }

    void showsWhereTheTimeGoes() {
        bool found = false;
        for (auto* bar : m_inspector->findChildren<widgets::StackBar*>()) {
            double sum = 0.0;
            for (const auto& part : bar->parts())
                sum += part.share;
            found |= bar->parts().size() > 2;
            if (bar->parts().size() > 2)
                QVERIFY(std::abs(sum - 1.0) < 1e-9);
        }
        QVERIFY(found);
    }

    void aNodeThatGoesLeavesTheDesignsPage() {
        m_document->perform(engine::removeEdit(m_document->scenario(), {m_fpga}, {}));
        QTRY_VERIFY(fieldFor("workload.batch"));
        QVERIFY(!fieldOf(".count"));
        m_document->undoStack()->undo();
        QVERIFY(fieldFor("workload.batch"));
    }

    void aLinkHasItsOwnPage() {
        const auto link = m_document->scenario().links.front();
        m_document->select({{}, {link.id}});
        auto* field = fieldFor("links." + link.id.value + ".bandwidth_gbps");
        QVERIFY(field);
        field->setFocus();
        type(field, "10");
        QCOMPARE(m_document->scenario().links.front().type.bandwidth.value, 10e9);
    }

    void techniquesAreSwitches() {
        m_document->select({});
        const bool before = m_document->scenario().techniques[engine::loadMerging()].enabled;
        for (auto* box : m_inspector->findChildren<QCheckBox*>())
            if (box->isVisibleTo(m_inspector) && box->text() == QStringLiteral("Load merging"))
                box->click();
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].enabled, !before);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].enabled, before);
    }

    void replicasDecideWhoSharesTheModel() {
        shareOneModel();
        QVERIFY(shownText().contains(QStringLiteral("8 devices share one replica (tensor parallel)")));
        auto* field = focus(".replicas");
        QCOMPARE(textOf(field), QStringLiteral("1"));
        const double together = tokenSeconds();
        type(field, "2");
        QCOMPARE(node().replicas.value, 2.0);
        QVERIFY(tokenSeconds() > together); // each device reads twice as much
        QVERIFY(shownText().contains(QStringLiteral("2 replicas, 4 devices share each")));
        QTest::keyClick(field, Qt::Key_Return);
        m_document->undoStack()->undo();
        QCOMPARE(tokenSeconds(), together);
        QVERIFY(!m_document->undoStack()->canUndo());

        field = focus(".replicas");
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!node().replicas.isSet());
        QCOMPARE(field->findChild<QLineEdit*>()->placeholderText(), QStringLiteral("one a device"));
        QVERIFY(shownText().contains(QStringLiteral("Each of the 8 devices holds a replica of its own")));
        QVERIFY(!choiceFor(".runtime.allreduce")->isVisible()); // alone, a device reduces nothing
        m_document->undoStack()->undo();
        QVERIFY(choiceFor(".runtime.allreduce")->isVisible());
    }

    void theAllreduceConventionIsChosen() {
        shareOneModel();
        const double literal = tokenSeconds();
        auto* choice = choiceFor(".runtime.allreduce");
        QVERIFY(choice && choice->isVisible());
        QVERIFY(choice->currentText().contains(QStringLiteral("Literal")));
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QVERIFY(choice->currentText().contains(QStringLiteral("Ring")));
        QVERIFY(node().runtime->allReduce == engine::AllReduceConvention::Ring);
        QVERIFY(tokenSeconds() > literal); // 2 (8 - 1) / 8 of the payload
        m_document->undoStack()->undo();
        QCOMPARE(tokenSeconds(), literal);
        QVERIFY(choice->currentText().contains(QStringLiteral("Literal")));
    }

    void theLayerTellsWhatIsPrefetched() {
        shareOneModel();
        QVERIFY(shownText().contains(QStringLiteral("Each segment opens with an allreduce of 25.6")));
        // FFN of Llama3-70B in 8 shards: 3 matrices of 8192 x 28672 / 8 bytes.
        QVERIFY2(shownText().contains(QStringLiteral("FFN: 88.1 of 192 MB of L2 prefetched")),
                 qPrintable(shownText()));
        auto* kv = boxOf(QStringLiteral("Prefetch KV cache"));
        auto* weights = boxOf(QStringLiteral("Prefetch weights"));
        QVERIFY(kv && weights && kv->isChecked() && weights->isChecked());
        const double both = tokenSeconds();
        QTest::mouseClick(weights, Qt::LeftButton, {}, QPoint(8, weights->height() / 2));
        QVERIFY(!m_document->scenario().techniques[engine::l2Prefetch()].isOn(engine::kPrefetchWeights));
        QVERIFY(tokenSeconds() > both);
        QVERIFY(shownText().contains(QStringLiteral("FFN: 0.00 of 192 MB")) ||
                shownText().contains(QStringLiteral("FFN: 0 of 192 MB")));
        m_document->undoStack()->undo();
        QVERIFY(weights->isChecked());
        QCOMPARE(tokenSeconds(), both);
        auto* budget = fieldFor("techniques.l2_prefetch.budget");
        budget->setFocus();
        type(budget, "0.1"); // of L2: too little for the FFN's first matrix
        QVERIFY(tokenSeconds() > both);
        auto* whole = boxOf(QStringLiteral("L2 prefetch"));
        whole->click();
        QVERIFY(!kv->isEnabled());
        QVERIFY(!shownText().contains(QStringLiteral("MB of L2 prefetched")));
    }

    void theDesignPageHasTheSwitchesWithinATechnique() {
        shareOneModel();
        m_document->select({});
        const double both = tokenSeconds();
        auto* kv = boxOf(QStringLiteral("Prefetch KV cache"));
        QVERIFY(kv && kv->isEnabled());
        QTest::mouseClick(kv, Qt::LeftButton, {}, QPoint(8, kv->height() / 2));
        QVERIFY(!m_document->scenario().techniques[engine::l2Prefetch()].isOn(engine::kPrefetchKv));
        QVERIFY(tokenSeconds() > both);
        m_document->undoStack()->undo();
        QVERIFY(kv->isChecked());
        QVERIFY(fieldFor("techniques.l2_prefetch.budget"));
    }

    void theDieFollowsFromCoresWhereItsAreaIsNotSet() {
        m_document->openPreset("preserve/llama3-405b-32");
        m_fpga = {"npu"};
        m_document->select({{m_fpga}, {}});
        // PRESERVE, Table 2: 800 TOP/s in cores of 1.84 TOP/s and 1.34 mm2, 104 MB of L2 at 0.36 mm2/MB.
        QVERIFY(shownText().contains(QStringLiteral("620\u202fmm\u00b2")));
        QVERIFY(m_inspector->focusField("nodes.npu.device.l2_area_mm2_per_mb")); // unfolds
        QVERIFY(shownText().contains(QStringLiteral("435 cores and the L2 take 620")));
        type(fieldOf(".device.die_area_mm2"), "700");
        QVERIFY(shownText().contains(QStringLiteral("700\u202fmm\u00b2")));
        QVERIFY(!shownText().contains(QStringLiteral("and the L2 take")));
    }

    void everyNumericParameterHasAField() {
        m_document->select({});
        std::set<std::string> shown;
        const auto collect = [&] {
            m_inspector->finish();
            for (auto* field : m_inspector->findChildren<NumberEdit*>())
                shown.insert(field->path());
        };
        collect();
        const auto nodes = m_document->scenario().nodes;
        for (const auto& each : nodes) {
            m_document->select({{each.id}, {}});
            for (auto* button : m_inspector->findChildren<QPushButton*>())
                if (button->isVisibleTo(m_inspector) &&
                    button->text() == QStringLiteral("Show all quantities")) {
                    button->click();
                    break;
                }
            collect();
        }
        for (const auto& link : m_document->scenario().links) {
            m_document->select({{}, {link.id}});
            collect();
        }
        for (const auto& parameter : engine::listParameters(m_document->scenario(), m_document->catalog()))
            if (parameter.kind == engine::ParameterKind::Number)
                QVERIFY2(shown.count(parameter.path), parameter.path.c_str());
    }

private:
    const engine::Node& node() const { return *m_document->scenario().findNode(m_fpga); }
    double count() const { return node().count.value; }
    double throughput() const { return m_document->evaluation().metric(Metric::Throughput); }

    double tokenSeconds() const { return m_document->evaluation().metric(Metric::TimePerToken); }

    /// Eight NPUs with one copy of Llama3-70B: PRESERVE, Fig 1.
    void shareOneModel() {
        m_document->openPreset("preserve/llama3-70b-8npu");
        m_fpga = {"npu"};
        m_document->select({{m_fpga}, {}});
    }
    widgets::ChoiceEdit* choiceFor(const std::string& suffix) const {
        for (auto* field : m_inspector->findChildren<widgets::ChoiceEdit*>())
            if (field->path() == "nodes." + m_fpga.value + suffix)
                return field;
        return nullptr;
    }
    QCheckBox* boxOf(const QString& text) const {
        for (auto* box : m_inspector->findChildren<QCheckBox*>())
            if (box->isVisibleTo(m_inspector) && box->text() == text)
                return box;
        return nullptr;
    }

    NumberEdit* fieldFor(const std::string& path) const {
        for (auto* field : m_inspector->findChildren<NumberEdit*>())
            if (field->path() == path && field->isVisibleTo(m_inspector))
                return field;
        return nullptr;
    }
    NumberEdit* fieldOf(const std::string& suffix) const {
        return fieldFor("nodes." + m_fpga.value + suffix);
    }
    NumberEdit* focus(const std::string& suffix) {
        // Unfolds its section first.
        if (!m_inspector->focusField("nodes." + m_fpga.value + suffix) || !fieldOf(suffix))
            qFatal("no field %s", suffix.c_str());
        return fieldOf(suffix);
    }
    static void type(NumberEdit* field, const QString& text) {
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
    static QString textOf(NumberEdit* field) { return field->findChild<QLineEdit*>()->text(); }
    QString shownText() const { return words(m_inspector); }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<QWidget> m_window;
    Inspector* m_inspector = nullptr;
    QPushButton* m_elsewhere = nullptr;
    engine::NodeId m_fpga;
};

WIDGET_TEST(InspectorTest)
#include "inspector_test.moc"
