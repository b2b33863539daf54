// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/layout_moves.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/drag_fixture.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/layout_proposals.h"
#include "widgets/inspector/ranks_picture.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// Systems as they are served today: a ready group and a model dropped on an empty canvas, and their layout
/// chosen by hand: on the card, among the proposals, degree by degree.
class LayoutBuildTest : public DragFixture {
    Q_OBJECT

    const engine::Node& gpu() { return *scenario().findNode(m_node); }
    QString phrase() { return QString::fromStdString(engine::layoutPhrase(engine::copiedLayoutOf(gpu()))); }
    NodeItem* card() { return canvas().canvasScene().nodeItem(m_node); }
    DegreeRow* row(const std::string& key) {
        for (auto* one : m_window->findChildren<DegreeRow*>())
            if (one->key() == key && one->isVisibleTo(m_window))
                return one;
        return nullptr;
    }
    LayoutProposals* proposals() { return m_window->findChild<LayoutProposals*>(); }
    QStringList chips() {
        QStringList words;
        for (const auto& chip : card()->card().layout)
            words << chipText(chip);
        return words;
    }

    /// A group and then a model, by drag and drop alone; the accelerators stay selected.
    void build(const char* group, const char* words, const char* model, const char* modelWords) {
        pullOut(PartKind::Group, group, words);
        if (QTest::currentTestFailed())
            return;
        letGo(port()->rect().center());
        QVERIFY(!scenario().nodes.empty());
        m_node = scenario().nodes.front().id;
        QCOMPARE(document().selection().nodes, std::vector{m_node});
        dropOnCanvas(PartKind::Model, model, modelWords);
        QCOMPARE(scenario().model.id, std::string(model));
        dropOnCanvas(PartKind::Workload, "s8k-b16", "8k sequence batch 16");
        settle();
    }
    /// Until the design is evaluated and its layouts are known.
    void settle() {
        m_test->awaitMetrics();
        m_window->inspector()->finish();
        if (LayoutFinder::isOpen(scenario(), gpu()) || proposals()->offersChoice())
            QTRY_VERIFY_WITH_TIMEOUT(LayoutFinder::of(document()).known(m_node, engine::Metric::Throughput),
                                     60000);
    }
    /// Clicks a value of a degree in the inspector.
    void choose(const std::string& key, double value) {
        auto* degree = row(key);
        QVERIFY2(degree, key.c_str());
        for (const auto& [rect, shown] : degree->values()->shown())
            if (shown.value == value) {
                QVERIFY(shown.allowed);
                QTest::mouseClick(degree->values(), Qt::LeftButton, {}, rect.center());
                return settle();
            }
        QTest::mouseDClick(degree->field(), Qt::LeftButton);
        QTest::keyClicks(degree->field(), QString::number(value));
        QTest::keyClick(degree->field(), Qt::Key_Return);
        settle();
    }
    /// What the window shows is what the engine says of the design.
    void isServed(const QString& layout) {
        QCOMPARE(phrase(), layout);
        const auto evaluation = engine::evaluate(scenario());
        QVERIFY2(evaluation.feasible, evaluation.reason.c_str());
        QCOMPARE(document().evaluation().metric(engine::Metric::Throughput),
                 evaluation.metric(engine::Metric::Throughput));
        QVERIFY(card()->card().error.isEmpty());
        auto* bar = m_window->findChild<MemoryBar*>();
        QVERIFY(bar && bar->fits());
        const auto* picture = m_window->findChild<RanksPicture*>();
        QVERIFY(picture);
        if (engine::tensorParallel(gpu()) > 1.0)
            QCOMPARE(picture->cells() * picture->ranksInCell(),
                     static_cast<int>(engine::tensorParallel(gpu())));
    }
    void undoOnce(const QString& layout) {
        document().undoStack()->undo();
        QCOMPARE(phrase(), layout);
        document().undoStack()->redo();
        settle();
    }

    engine::NodeId m_node;

private slots:
    void deepSeekOnAServerTakesWhatItsCardProposes() {
        build("hgx-h200", "HGX H200", "deepseek-v3", "DeepSeek-V3");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(document().set("workload.batch", "64")); // else attention by requests gains nothing
        settle();
        isServed(QStringLiteral("tp 8"));
        QVERIFY(chips().contains(QStringLiteral("tp 8")));
        const auto* ranking = LayoutFinder::of(document()).known(m_node, engine::Metric::Throughput);
        QVERIFY(ranking && ranking->fit > 3);
        const auto* best = ranking->better(LayoutFinder::kWorthProposing);
        QVERIFY(best);
        const auto proposed = QString::fromStdString(engine::layoutPhrase(best->laid));
        QTRY_VERIFY(card()->card().proposal.startsWith(QStringLiteral("Use %1: +").arg(proposed)));
        const auto steps = document().undoStack()->count();
        const auto pill = card()->partRect({CardPart::Kind::Proposal, 0});
        QVERIFY(!pill.isEmpty());
        const double before = document().evaluation().metric(engine::Metric::Throughput);
        QTest::mouseClick(port(), Qt::LeftButton, {}, canvas().mapFromScene(pill.center()));
        settle();
        QCOMPARE(document().undoStack()->count(), steps + 1);
        isServed(proposed);
        QVERIFY(document().evaluation().metric(engine::Metric::Throughput) > before);
        QVERIFY(card()->card().proposal.isEmpty());
        undoOnce(QStringLiteral("tp 8"));
    }

    void deepSeekOnAServerByDegrees() {
        build("hgx-h200", "HGX H200", "deepseek-v3", "DeepSeek-V3");
        if (QTest::currentTestFailed())
            return;
        const auto steps = document().undoStack()->count();
        choose("dp", 8); // attention by requests takes the experts along
        isServed(QStringLiteral("dp 8 + ep 8"));
        QCOMPARE(document().undoStack()->count(), steps + 1);
        QCOMPARE(chips().mid(0, 2), (QStringList{QStringLiteral("dp 8"), QStringLiteral("ep 8")}));
        undoOnce(QStringLiteral("tp 8"));
        choose("ep", 4);
        isServed(QStringLiteral("dp 8 + ep 4 × etp 2"));
        // What does not divide is refused with the nearest that do, and nothing changes.
        auto* dp = row("dp");
        QVERIFY(dp);
        QTest::mouseDClick(dp->field(), Qt::LeftButton);
        QTest::keyClicks(dp->field(), QStringLiteral("3"));
        QTest::keyClick(dp->field(), Qt::Key_Return);
        QCOMPARE(dp->message(), QStringLiteral("3 does not divide 8 devices. Nearest: 2, 4."));
        QCOMPARE(phrase(), QStringLiteral("dp 8 + ep 4 × etp 2"));
        QTest::keyClick(dp->field(), Qt::Key_Escape);
        QTest::keyClick(dp->field(), Qt::Key_Down); // the next smaller
        settle();
        QCOMPARE(engine::layoutOf(gpu()).dp, 4.0);
    }

    void aProposalIsTakenWithOneClick() {
        build("hgx-h200", "HGX H200", "deepseek-v3", "DeepSeek-V3");
        if (QTest::currentTestFailed())
            return;
        QTRY_COMPARE(proposals()->options().size(), std::size_t{3});
        const auto* ranking = LayoutFinder::of(document()).known(m_node, engine::Metric::Throughput);
        QVERIFY(ranking);
        QCOMPARE(proposals()->summary(), QStringLiteral("3 of %1 that fit").arg(ranking->fit));
        const auto wanted = proposals()->options()[1]->laid();
        const auto steps = document().undoStack()->count();
        QTest::mouseClick(proposals()->options()[1], Qt::LeftButton);
        settle();
        QCOMPARE(document().undoStack()->count(), steps + 1);
        QVERIFY(engine::copiedLayoutOf(gpu()) == wanted);
        QTRY_VERIFY(proposals()->options()[1]->isChecked());
        // By another metric others are the best.
        auto* metric = child<QComboBox>(proposals());
        metric->setCurrentIndex(metric->findData(static_cast<int>(engine::Metric::TimePerToken)));
        QTRY_VERIFY_WITH_TIMEOUT(LayoutFinder::of(document()).known(m_node, engine::Metric::TimePerToken),
                                 60000);
        const auto* fastest = LayoutFinder::of(document()).known(m_node, engine::Metric::TimePerToken);
        QTRY_VERIFY(proposals()->options()[0]->laid() == fastest->best.front().laid);
    }

    void deepSeekOnFourServers() {
        build("hgx-h100-four", "HGX H100 32", "deepseek-v3", "DeepSeek-V3");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(!engine::evaluate(scenario()).feasible); // 85 GB of weights a card of a copy a server
        choose("copies", 1);
        choose("dp", 32);
        isServed(QStringLiteral("dp 32 + ep 32"));
        auto* picture = m_window->findChild<RanksPicture*>();
        QCOMPARE(picture->cells(), 32);
        QCOMPARE(picture->cellText(11), QStringLiteral("Rank 11: 1 request, experts 88 to 95"));
        QVERIFY(picture->cellRect(8).top() > picture->cellRect(7).bottom()); // a row a server
        const double far = document().results().link({"gpu-quantum"})->bytesPerSecond;
        QVERIFY(far > 0.0); // experts are beyond the server's own links
    }

    void deepSeekOnARack() {
        build("gb300-nvl72", "GB300 NVL72", "deepseek-v3", "DeepSeek-V3");
        if (QTest::currentTestFailed())
            return;
        isServed(QStringLiteral("9 × tp 8"));
        choose("copies", 1);
        choose("dp", 72);
        isServed(QStringLiteral("dp 72 + ep 72"));
        QCOMPARE(m_window->findChild<RanksPicture*>()->ranksInCell(), 8);
    }

    void gptOssOnOneDevice() {
        place("h100-sxm", "H100 SXM", {-100, -60});
        if (QTest::currentTestFailed())
            return;
        m_node = scenario().nodes.front().id;
        dropOnCanvas(PartKind::Model, "gpt-oss-120b", "gpt-oss-120b");
        settle();
        isServed(QStringLiteral("1 device"));
        QVERIFY(!row("tp")); // nothing to choose
    }

    void llamaInTwoStagesOfEight() {
        build("hgx-h100-four", "HGX H100 32", "llama3-1-405b", "Llama-3.1-405B");
        if (QTest::currentTestFailed())
            return;
        choose("copies", 2);
        choose("pp", 2);
        isServed(QStringLiteral("2 × pp 2 × tp 8"));
        const auto* picture = m_window->findChild<RanksPicture*>();
        QCOMPARE(picture->cells(), 16);
        QVERIFY(picture->cellText(8).startsWith(QStringLiteral("Rank 8: layers 64 to 126")));
        QVERIFY(picture->cellRect(8).top() > picture->cellRect(7).bottom());
    }

    void attentionAndExpertsApart() {
        place("h200-sxm", "H200 SXM", {-400, -60});
        place("b200-sxm", "B200 SXM", {400, -60});
        place("spectrum-4", "Spectrum-4", {0, -60});
        addUpTo(8, "h200-sxm", "H200 SXM");
        addUpTo(8, "b200-sxm", "B200 SXM");
        link("h200-sxm", "spectrum-4", "ethernet-400g");
        link("b200-sxm", "spectrum-4", "ethernet-400g");
        dropOnCanvas(PartKind::Model, "qwen3-235b-a22b", "Qwen3-235B");
        if (QTest::currentTestFailed())
            return;
        for (const auto& node : scenario().nodes)
            if (node.runtime) {
                QVERIFY(document().set("nodes." + node.id.value + ".runtime", "ideal-operators"));
                document().select({{node.id}, {}});
                const auto role = node.device.id == "h200-sxm" ? engine::Role::Attention : engine::Role::Ffn;
                SideChoice* choice = nullptr; // that of the node before may not be gone yet
                for (auto* one : m_window->findChildren<SideChoice*>())
                    choice = one->isVisible() ? one : choice;
                QVERIFY(choice);
                QTest::mouseClick(choice->button(role), Qt::LeftButton);
                m_node = node.id;
                QCOMPARE(gpu().role, role);
            }
        QTRY_VERIFY(!document().isEvaluating());
        QVERIFY2(document().evaluation().feasible, document().evaluation().reason.c_str());
        const auto& attention = cardOf("h200-sxm")->card();
        const auto& experts = cardOf("b200-sxm")->card();
        QVERIFY(attention.side.startsWith(QStringLiteral("Attention")));
        QCOMPARE(experts.side, QStringLiteral("Experts"));
        QCOMPARE(chipText(attention.layout.front()), QStringLiteral("tp 8"));
        QCOMPARE(chipText(experts.layout.front()), QStringLiteral("ep 8"));
        QVERIFY(!row("dp")); // the networks are not cut by requests
        QVERIFY(row("ep"));
    }

    void whatHelpsIsNoWiderThanThePage() {
        place("h100-sxm", "H100 SXM", {-100, -60});
        addUpTo(8, "h100-sxm", "H100 SXM");
        if (QTest::currentTestFailed())
            return;
        m_node = scenario().nodes.front().id;
        dropOnCanvas(PartKind::Model, "llama3-70b", "Llama3-70B");
        QCOMPARE(scenario().model.id, std::string("llama3-70b"));
        document().select({{m_node}, {}});
        settle();
        const auto buttons = [this] {
            auto shown = proposals()->findChildren<QPushButton*>();
            shown.removeIf([](const QPushButton* button) { return !button->isVisible(); });
            return shown;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!buttons().isEmpty(), 60000);
        QCoreApplication::processEvents();
        const auto* area = m_window->inspector()->findChild<QScrollArea*>();
        QVERIFY(area);
        QCOMPARE(area->widget()->width(), area->viewport()->width());
        bool elided = false;
        for (const auto* button : buttons()) {
            elided = elided || button->fontMetrics().horizontalAdvance(button->text()) > button->width();
            QVERIFY(button->toolTip().contains(button->text().left(8)));
        }
        QVERIFY(elided); // else nothing here would have been too wide
        // tp 8 would fit once there is a link: what is said does not deny it.
        bool said = false;
        for (const auto* label : proposals()->findChildren<TextLabel*>())
            said = said || (label->isVisible() && label->text().startsWith(QStringLiteral(
                                                      "No layout of 8 devices fits as they are linked")));
        QVERIFY(said);
    }

    void whatDoesNotFitIsOfferedWhatDoes() {
        build("hgx-h100", "HGX H100", "deepseek-v3", "DeepSeek-V3"); // 671 GB of 640
        if (QTest::currentTestFailed())
            return;
        QVERIFY(!document().evaluation().feasible);
        QVERIFY(!m_window->findChild<MemoryBar*>()->fits());
        QVERIFY(m_window->findChild<MemoryBar*>()->line().endsWith(QStringLiteral("too much")));
        QTRY_VERIFY(proposals()->summary().startsWith(QStringLiteral("none of")));
        RemedyFinder::of(document()).ask(RemedyFinder::shortfallAt(m_node));
        QTRY_VERIFY_WITH_TIMEOUT(RemedyFinder::of(document()).known(RemedyFinder::shortfallAt(m_node)),
                                 60000);
        const auto found = *RemedyFinder::of(document()).known(RemedyFinder::shortfallAt(m_node));
        const auto format = std::find_if(found.begin(), found.end(), [](const engine::Remedy& remedy) {
            return remedy.label.ends_with("for the weights");
        });
        QVERIFY(format != found.end());
        QTRY_VERIFY(card()->card().remedies.contains(QString::fromStdString(format->label)));
        document().perform(format->edit);
        settle();
        isServed(QStringLiteral("tp 8"));
        QVERIFY(chips().contains(QString::fromUtf8(scenario().model.weights->label)));
    }
};

WIDGET_TEST(LayoutBuildTest)
#include "layout_build_test.moc"
