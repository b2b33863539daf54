// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "engine/techniques/built_in.h"
#include "tests/widgets/inspector/inspector_fixture.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/trace_row.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTemporaryDir>

#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::arrivalsNamed;
using engine::Metric;

/// How requests come in, and the techniques that act on them, in the inspector.
class InspectorRequestsTest : public InspectorFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    const engine::Serving& serving() const { return m_document->scenario().serving; }

    ChoiceEdit* arrivals() const { return shown<ChoiceEdit>("serving.arrivals"); }
    std::set<std::string> shownKeys() const {
        std::set<std::string> keys;
        const auto collect = [&](const auto& fields) {
            for (const auto* field : fields)
                if (field->path().starts_with("serving.") && field->isVisibleTo(m_inspector.get()))
                    keys.insert(field->path().substr(8));
        };
        collect(m_inspector->findChildren<NumberEdit*>());
        collect(m_inspector->findChildren<ChoiceEdit*>());
        if (traceButton()->isVisibleTo(m_inspector.get()))
            keys.insert("trace");
        return keys;
    }
    QPushButton* traceButton() const {
        return m_inspector->findChild<QPushButton*>(QStringLiteral("chooseTrace"));
    }
    /// Chooses from the open list by the keyboard.
    void choose(const engine::ArrivalKind* wanted) {
        arrivals()->setFocus();
        arrivals()->showPopup();
        auto* list = arrivals()->view();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_Home);
        for (const auto* kind : engine::arrivalKinds().all()) {
            if (kind == wanted)
                break;
            QTest::keyClick(list, Qt::Key_Down);
        }
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_VERIFY(!list->isVisible());
    }
    void type(NumberEdit* field, const char* text) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(text));
        QTest::keyClick(field, Qt::Key_Return);
    }
    QString write(const char* name, const QByteArray& text) const {
        return writeFile(m_folder.filePath(QLatin1String(name)), text);
    }
    QString goodTrace() const {
        return write("good.csv", "arrival_s,prompt_tokens,output_tokens\n0,100,10\n30,300,30\n90,200,20\n");
    }
    QString badTrace() const {
        return write("bad.csv", "arrival_s,prompt_tokens,output_tokens\n0,100,10\n30,many,30\n");
    }
    /// True when the inspector took it.
    bool drop(const QString& path) {
        return dropFiles(m_inspector.get(), {path}, QPoint(100, 300)) &&
               QTest::qWaitFor([this] { return !m_document->traces().isReading(); });
    }
    QFileDialog* dialog() const {
        for (auto* widget : QApplication::topLevelWidgets())
            if (auto* found = qobject_cast<QFileDialog*>(widget); found && found->isVisible())
                return found;
        return nullptr;
    }

private slots:
    void init() { start(3000); }

    void onlyWhatAppliesIsShown() {
        QCOMPARE(shownKeys(), (std::set<std::string>{"arrivals"}));
        m_document->set("serving.arrivals", "backlog");
        const std::set<std::string> common{"arrivals",     "requests",     "batching",
                                           "ttft_limit_s", "tpot_limit_s", "e2e_limit_s"};
        auto backlog = common;
        backlog.insert({"turns", "pause_s", "shared_prefix_tokens"});
        QCOMPARE(shownKeys(), backlog);
        m_document->set("serving.arrivals", "poisson");
        auto poisson = backlog;
        poisson.insert({"rate_req_s", "seed", "rate_swing", "rate_period_s"});
        QCOMPARE(shownKeys(), poisson);
        m_document->set("serving.batching", "continuous");
        poisson.insert("chunk_tokens");
        QCOMPARE(shownKeys(), poisson);
        QCOMPARE(shown<NumberEdit>("serving.chunk_tokens")->findChild<QLineEdit*>()->placeholderText(),
                 QStringLiteral("whole prompt"));
        m_document->set("serving.batching", "static");
        m_document->set("serving.trace", goodTrace().toStdString());
        auto traced = common;
        traced.insert({"trace", "shared_prefix_tokens"});
        QCOMPARE(shownKeys(), traced);
    }

    void choicesAreInWordsWithTips() {
        QCOMPARE(static_cast<std::size_t>(arrivals()->count()), engine::arrivalKinds().all().size());
        QVERIFY(arrivals()->itemText(1).contains(QStringLiteral("all at the start")));
        for (int i = 0; i < arrivals()->count(); ++i)
            QVERIFY(arrivals()->itemData(i, Qt::ToolTipRole).toString().size() > 40);
        QVERIFY(arrivals()->toolTip().contains(QStringLiteral("closed form")));
    }

    void poissonProposesARateInTheSameStep() {
        const double most = m_document->evaluation().metric(Metric::RequestRate);
        choose(arrivalsNamed("poisson"));
        QCOMPARE(serving().arrivals, arrivalsNamed("poisson"));
        QVERIFY(std::abs(serving()["rate_req_s"].value / most - 0.7) < 0.01);
        QCOMPARE(serving()["rate_req_s"].provenance, engine::Provenance::Assumed);
        QVERIFY(shownText().contains(QStringLiteral("The closed form serves up to")));
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(serving(), engine::Serving());
        QCOMPARE(shownKeys(), (std::set<std::string>{"arrivals"}));
        m_document->undoStack()->redo();
        QCOMPARE(serving().arrivals, arrivalsNamed("poisson"));
        QVERIFY(std::abs(serving()["rate_req_s"].value / most - 0.7) < 0.01);
    }

    void aRateThatIsGivenStays() {
        choose(arrivalsNamed("poisson"));
        type(shown<NumberEdit>("serving.rate_req_s"), "2");
        QVERIFY(shownText().contains(QStringLiteral("More than the closed form serves")));
        choose(arrivalsNamed("backlog"));
        choose(arrivalsNamed("poisson"));
        QCOMPARE(serving().arrivals, arrivalsNamed("poisson"));
        QCOMPARE(serving()["rate_req_s"].value, 2.0);
    }

    void aProposalFollowsTheDesign() {
        choose(arrivalsNamed("poisson"));
        const double before = serving()["rate_req_s"].value;
        choose(arrivalsNamed("backlog"));
        m_document->set("nodes.fpga.count", "3");
        choose(arrivalsNamed("poisson"));
        QCOMPARE(serving().arrivals, arrivalsNamed("poisson"));
        QVERIFY2(serving()["rate_req_s"].value < 0.6 * before,
                 qPrintable(QString::number(serving()["rate_req_s"].value) + QLatin1Char(' ') +
                            arrivals()->currentText()));
    }

    void quantitiesAreTypedAndUndone() {
        choose(arrivalsNamed("poisson"));
        type(shown<NumberEdit>("serving.requests"), "250");
        type(shown<NumberEdit>("serving.seed"), "7");
        type(shown<NumberEdit>("serving.ttft_limit_s"), "1.5");
        type(shown<NumberEdit>("serving.tpot_limit_s"), "0.05");
        QCOMPARE(serving()["requests"].value, 250.0);
        QCOMPARE(serving()["seed"].value, 7.0);
        QCOMPARE(serving().ttftLimit.value, 1.5);
        QCOMPARE(serving().tpotLimit.value, 0.05);
        type(shown<NumberEdit>("serving.seed"), "-1");
        QCOMPARE(serving()["seed"].value, 7.0);
        for (int i = 0; i < 4; ++i)
            m_document->undoStack()->undo();
        QVERIFY(!serving().tpotLimit.isSet());
        QCOMPARE(serving()["requests"].value, 1000.0);
    }

    void aTraceIsAskedForAndTaken() {
        choose(arrivalsNamed("trace"));
        QTRY_VERIFY(dialog());
        QCOMPARE(serving().arrivals, arrivalsNamed("steady")); // nothing changes until there is one
        QVERIFY(arrivals()->currentText().startsWith(QStringLiteral("Steady")));
        dialog()->selectFile(goodTrace());
        QMetaObject::invokeMethod(dialog(), "accept");
        QTRY_COMPARE(serving().arrivals, arrivalsNamed("trace"));
        QTRY_VERIFY(!m_document->traces().isReading());
        QCOMPARE(m_document->undoStack()->count(), 1);
        const auto text = shownText();
        QVERIFY2(text.contains(QStringLiteral("good.csv")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("3 requests in 90.0")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("200 prompt and 20.0 output tokens")), qPrintable(text));
        type(shown<NumberEdit>("serving.requests"), "2");
        QVERIFY(shownText().contains(QStringLiteral("The first 2 of 3 requests")));
        choose(arrivalsNamed("poisson"));
        choose(arrivalsNamed("trace")); // it is there already
        QCOMPARE(serving().arrivals, arrivalsNamed("trace"));
        QVERIFY(!dialog());
    }

    void aTraceOutsideTheDesignsFolderIsReadOnlyWhenAllowed() {
        QTemporaryDir folder;
        const auto file = folder.filePath(QStringLiteral("stranger.hscape"));
        auto scenario = engine::loadPreset(*shippedCatalog(), "glitches/a100-7u280", "design");
        scenario.serving.arrivals = arrivalsNamed("trace");
        scenario.serving.trace.path = goodTrace().toStdString();
        engine::saveScenario(scenario, file.toStdString());
        m_document->openFile(file);
        QTRY_VERIFY(!m_document->traces().isReading());
        QVERIFY(serving().trace.isOutside);
        QVERIFY(!serving().trace.requests);
        QVERIFY(shownText().contains(QStringLiteral("outside the folder of the design")));
        auto* allow = m_inspector->findChild<QPushButton*>(QStringLiteral("allowTrace"));
        QVERIFY(allow && allow->isVisibleTo(m_inspector.get()));
        allow->click();
        QTRY_VERIFY(!m_document->traces().isReading());
        QVERIFY(serving().trace.requests);
        QVERIFY(!allow->isVisibleTo(m_inspector.get()));
        QVERIFY(!m_document->isModified()); // it was read, not edited
        QVERIFY(!shownText().contains(QStringLiteral("outside the folder")));
    }

    void aTraceThatIsNotChosenChangesNothing() {
        choose(arrivalsNamed("trace"));
        QTRY_VERIFY(dialog());
        QMetaObject::invokeMethod(dialog(), "reject");
        QTRY_VERIFY(!dialog());
        QCOMPARE(serving(), engine::Serving());
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void aBadTraceSaysWhereAndTheOldOneStays() {
        QVERIFY(drop(goodTrace()));
        QCOMPARE(serving().arrivals, arrivalsNamed("trace"));
        const auto before = m_document->scenario();
        QVERIFY(drop(badTrace()));
        QVERIFY(m_document->scenario() == before);
        QVERIFY2(shownText().contains(QStringLiteral("bad.csv:3")), qPrintable(shownText()));
        QVERIFY(shownText().contains(QStringLiteral("\"many\" is not a number of prompt tokens")));
        QVERIFY(shownText().contains(QStringLiteral("good.csv")));
        QVERIFY(drop(goodTrace()));
        QVERIFY(!shownText().contains(QStringLiteral("bad.csv")));
    }

    void aBadTraceIsToldBeforeThereIsAny() {
        QVERIFY(drop(badTrace()));
        QCOMPARE(serving(), engine::Serving());
        QVERIFY(shownText().contains(QStringLiteral("bad.csv:3")));
        choose(arrivalsNamed("backlog"));
        QVERIFY(!shownText().contains(QStringLiteral("bad.csv")));
    }

    void aDropReachesThePageOfTheDesign() {
        m_document->select({{{"fpga"}}, {}});
        QVERIFY(!drop(write("notes.txt", "nothing")));
        QVERIFY(drop(goodTrace()));
        QVERIFY(m_document->selection().empty());
        QCOMPARE(serving().arrivals, arrivalsNamed("trace"));
        QCOMPARE(QApplication::focusWidget(), traceButton());
    }

    void aFileIsNoTextForAField() {
        for (const auto* field : m_inspector->findChildren<QLineEdit*>())
            QVERIFY(!field->acceptDrops());
    }

    void theStageTellsItsDefault() {
        auto* stage = shown<NumberEdit>("techniques.disaggregation.stage");
        QVERIFY(stage);
        const auto* text = stage->findChild<QLineEdit*>();
        QCOMPARE(text->placeholderText(), QStringLiteral("default: 7"));
        QVERIFY(text->width() >= text->fontMetrics().horizontalAdvance(text->placeholderText()));
        auto* assist = box("Prefill nodes assist");
        QTest::mouseClick(assist, Qt::LeftButton, {}, QPoint(8, assist->height() / 2));
        auto* preempt = box("Stop for a prefill");
        QVERIFY(preempt && preempt->isEnabled() && preempt->isChecked());
        QTest::mouseClick(preempt, Qt::LeftButton, {}, QPoint(8, preempt->height() / 2));
        QVERIFY(!m_document->scenario().techniques[engine::gpuAssist()].isOn(engine::kPreempt));
        QCOMPARE(text->placeholderText(), QStringLiteral("default: 14"));
        type(stage, "3");
        QCOMPARE(
            m_document->scenario().techniques[engine::disaggregation()].quantity(engine::kStageDepth).value,
            3.0);
        // What is chosen automatically elsewhere is not said of it.
        QVERIFY(!shownText().contains(QStringLiteral("found automatically")));
    }

    void theStageHasNoSlider() {
        for (const auto* slider : m_inspector->findChildren<QSlider*>())
            QVERIFY(slider->accessibleName() != QStringLiteral("Stage depth"));
    }

private:
    QCheckBox* box(const char* text) const {
        for (auto* found : m_inspector->findChildren<QCheckBox*>())
            if (found->text() == QLatin1String(text) && found->isVisibleTo(m_inspector.get()))
                return found;
        return nullptr;
    }
};

WIDGET_TEST(InspectorRequestsTest)
#include "inspector_requests_test.moc"
