// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/document.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/step_history.h"
#include "widgets/window/top_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QListWidget>
#include <QTemporaryDir>
#include <QToolButton>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace heteroscape;
using namespace heteroscape::widgets;

class HistoryTest : public WindowFixture {
    Q_OBJECT

    double count() const { return scenario().findNode({"fpga"})->count.value; }

private slots:
    void isCopiedAsPythonAndAsACommand() {
        const auto copied = [this](const char* command) {
            m_window->commands()->action(QString::fromLatin1(command))->trigger();
            return QGuiApplication::clipboard()->text();
        };
        document().openPreset("glitches/a100-7u280");
        QCOMPARE(
            copied("edit.copyPython"),
            QStringLiteral("import heteroscape\n\ndesign = heteroscape.design(\"glitches/a100-7u280\")\n"));
        QVERIFY(document().set("nodes.fpga.count", "5"));
        QVERIFY(document().set("workload.batch", "3"));
        QVERIFY(document().set("workload.batch", "4"));
        const auto lines = copied("edit.copyPython");
        QVERIFY2(lines.endsWith(
                     QStringLiteral("design[\"workload.batch\"] = 4\ndesign[\"nodes.fpga.count\"] = 5\n")) ||
                     lines.endsWith(QStringLiteral(
                         "design[\"nodes.fpga.count\"] = 5\ndesign[\"workload.batch\"] = 4\n")),
                 qPrintable(lines));
        QVERIFY(copied("edit.copyCommand")
                    .startsWith(QStringLiteral("heteroscape-cli evaluate glitches/a100-7u280 \\\n")));

        // Of a file by its name once it is saved; without either the whole design.
        const QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("mine.hscape"));
        document().save(path);
        QTRY_COMPARE(document().path(), path);
        QCOMPARE(copied("edit.copyPython"),
                 QStringLiteral("import heteroscape\n\ndesign = heteroscape.open(\"%1\")\n").arg(path));
        document().newDesign();
        QVERIFY(copied("edit.copyPython").contains(QStringLiteral("heteroscape.design({")));
    }

    void isCopiedAsLaunchCommandsAndTakenFromThem() {
        const auto trigger = [this](const char* command) {
            m_window->commands()->action(QString::fromLatin1(command))->trigger();
        };
        document().openPreset("served/gpt-oss-120b-h100");
        QVERIFY(document().set("workload.prompt_tokens", "1024")); // no line says lengths
        QVERIFY(document().set("workload.output_tokens", "1024"));
        trigger("edit.copyLaunch");
        const auto lines = QGuiApplication::clipboard()->text();
        QVERIFY2(lines.contains(QStringLiteral("vllm serve openai/gpt-oss-120b")), qPrintable(lines));
        document().newDesign();
        trigger("file.pasteLaunch");
        QCOMPARE(document().scenario().model.id, std::string("gpt-oss-120b"));
        trigger("edit.copyLaunch");
        const auto commands = [](const QString& text) {
            return text.mid(text.indexOf(QStringLiteral("vllm serve")));
        };
        QCOMPARE(commands(QGuiApplication::clipboard()->text()), commands(lines));
        document().undoStack()->undo();
        QVERIFY(document().scenario().nodes.empty());
    }

    void everyStepHasAReadableName() {
        const auto name = [this](const engine::GraphEdit& edit) {
            if (!document().perform(edit))
                return QStringLiteral("refused");
            return document().undoStack()->undoText();
        };
        const auto gpu = document().scenario().findNode({"gpu"})->shownName();
        const auto host = document().scenario().findNode({"host"})->shownName();
        const auto fpga = document().scenario().findNode({"fpga"})->shownName();
        const auto is = [](const std::string& text) { return QString::fromStdString(text); };
        const auto figure = [](const std::string& path, double value) {
            return engine::SetQuantity{path, {value, engine::Provenance::User, {}}};
        };
        QCOMPARE(name(figure("nodes.fpga.count", 3)), is("Set " + fpga + " count to 3"));
        QCOMPARE(name(engine::EditList{{figure("nodes.fpga.count", 4), figure("nodes.gpu.count", 4)}}),
                 QStringLiteral("Set count of 2 nodes to 4"));
        QCOMPARE(name(engine::EditList{{figure("nodes.fpga.count", 5), figure("nodes.gpu.count", 6)}}),
                 QStringLiteral("Set count of 2 nodes"));
        QCOMPARE(name(engine::EditList{{engine::MoveNode{{"fpga"}, {1, 2}}, engine::MoveNode{{"gpu"}, {3, 4}},
                                        engine::MoveNode{{"host"}, {5, 6}}}}),
                 QStringLiteral("Move 3 nodes"));
        QCOMPARE(name(engine::EditList{{engine::MoveNode{{"fpga"}, {9, 9}}}}), is("Move " + fpga));
        QCOMPARE(name(engine::EditList{{engine::SetRole{{"fpga"}, engine::Role::Both},
                                        engine::SetRole{{"gpu"}, engine::Role::Both}}}),
                 QStringLiteral("Set role of 2 nodes to both"));
        QCOMPARE(name(engine::SetTechnique{"load_merging", false}),
                 QStringLiteral("Switch off load merging"));
        const auto link = document().scenario().links.front();
        QCOMPARE(name(engine::EditList{{engine::RemoveLink{link.id}}}),
                 is("Remove link " + document().scenario().findNode(link.from)->shownName() + " to " +
                    document().scenario().findNode(link.to)->shownName()));
        QCOMPARE(name(engine::EditList{{engine::AddLink{link, 0}}}),
                 is("Link " + document().scenario().findNode(link.from)->shownName() + " to " +
                    document().scenario().findNode(link.to)->shownName()));
        auto copy = *document().scenario().findNode({"gpu"});
        copy.id = {"gpu-2"};
        auto second = copy;
        second.id = {"gpu-3"};
        auto toHost = link;
        toHost.id = {"new"};
        toHost.from = {"gpu-2"};
        toHost.to = {"host"};
        QCOMPARE(name(engine::EditList{
                     {engine::AddNode{copy, 9}, engine::AddNode{second, 9}, engine::AddLink{toHost, 9}}}),
                 QStringLiteral("Add 2 nodes"));
        auto other = toHost;
        other.id = {"other"};
        other.from = {"gpu-3"};
        QCOMPARE(name(engine::EditList{{engine::AddLink{other, 9}}}), is("Link " + gpu + " to " + host));
        QCOMPARE(name(engine::EditList{{engine::RemoveLink{{"new"}}, engine::RemoveLink{{"other"}}}}),
                 QStringLiteral("Remove 2 links"));
        QCOMPARE(name(engine::EditList{{engine::AddLink{toHost, 9}, engine::AddLink{other, 9}}}),
                 is("Link " + host + " to 2 nodes"));
        QCOMPARE(name(engine::removeEdit(document().scenario(), {{"gpu-2"}, {"gpu-3"}}, {})),
                 QStringLiteral("Remove 2 nodes"));
        QCOMPARE(name(engine::removeEdit(document().scenario(), {{"gpu"}}, {})), is("Remove " + gpu));
        QCOMPARE(name(engine::EditList{{engine::AddNode{copy, 9}}, "Paste A100"}),
                 QStringLiteral("Paste A100"));
        for (int i = 0; i < document().undoStack()->count(); ++i)
            QVERIFY2(!document().undoStack()->text(i).contains(QStringLiteral("edits")),
                     qPrintable(document().undoStack()->text(i)));
    }

    void theListGoesToAnyStep() {
        for (const auto* count : {"2", "3", "4", "5"})
            document().set("nodes.fpga.count", count);
        QTest::keyClick(m_window, Qt::Key_H, Qt::ControlModifier);
        auto* popup = m_window->findChild<HistoryPopup*>();
        QVERIFY(popup && popup->isVisible());
        auto* list = child<QListWidget>(popup);
        QCOMPARE(list->count(), 5);
        QCOMPARE(list->item(0)->text(), QStringLiteral("As opened"));
        QVERIFY(list->item(4)->text().endsWith(QStringLiteral("count to 5")));
        QCOMPARE(list->currentRow(), 4);
        const auto click = [&](int row) {
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                              list->visualItemRect(list->item(row)).center());
        };
        click(1);
        QCOMPARE(count(), 2.0);
        QCOMPARE(list->currentRow(), 1);
        QCOMPARE(list->count(), 5); // what was undone is still there
        QVERIFY(list->item(3)->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("undone")));
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(count(), 4.0);
        click(0);
        QVERIFY(!document().isModified());
        document().set("nodes.gpu.count", "2"); // another way from here
        QCOMPARE(list->count(), 2);
        QTest::keyClick(list, Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<HistoryPopup*>());
    }

    void theButtonOpensTheListToo() {
        QToolButton* button = nullptr;
        for (auto* one : child<TopBar>(m_window)->findChildren<QToolButton*>())
            if (one->defaultAction() == m_window->commands()->action(QStringLiteral("edit.history")))
                button = one;
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(m_window->findChild<HistoryPopup*>()->isVisible());
    }

    void undoSelectsWhatItChangedAndLeavesTheView() {
        document().set("nodes.fpga.count", "3");
        document().select({{{"gpu"}}, {}});
        m_window->canvas()->camera().setZoom(1.0);
        const auto seen = m_window->canvas()->mapToScene(0, 0);
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(count(), 7.0);
        QCOMPARE(document().selection().nodes, std::vector<engine::NodeId>{{"fpga"}});
        QCOMPARE(m_window->canvas()->mapToScene(0, 0), seen);
        document().select({{{"gpu"}}, {}});
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(count(), 3.0);
        QCOMPARE(document().selection().nodes, std::vector<engine::NodeId>{{"fpga"}});
        document().set("workload.batch", "2"); // changes no node: the selection stays
        document().select({{{"gpu"}}, {}});
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document().selection().nodes, std::vector<engine::NodeId>{{"gpu"}});
        QVERIFY(m_window->commands()
                    ->action(QStringLiteral("edit.redo"))
                    ->text()
                    .startsWith(QStringLiteral("Redo Set ")));
    }

    void aLongHistoryOfALargeDesignIsSmall() {
        Document document(shippedCatalog());
        auto scenario = document.scenario();
        const auto card = engine::loadPreset(*shippedCatalog(), "glitches/a100-7u280", "test").nodes.back();
        for (int i = 0; i < 100; ++i) {
            scenario.nodes.push_back(card);
            scenario.nodes.back().id = {"card-" + std::to_string(i)};
        }
        document.openRecovered(scenario, {});
        constexpr int kSteps = 10000;
        const auto push = [&](int step) {
            const auto path = "nodes.card-" + std::to_string(step % 100) + ".count";
            auto* stack = document.undoStack();
            const engine::SetQuantity edit{path, {2.0 + step, engine::Provenance::User, {}}};
            const engine::SetQuantity inverse{path, {1.0 + step, engine::Provenance::User, {}}};
            stack->push(new EditCommand(document, edit, inverse, {}, QStringLiteral("Set count")));
        };
        document.undoStack()->blockSignals(true); // nothing is evaluated: only what is kept counts
        push(0);
#if defined(__GLIBC__)
        const auto before = ::mallinfo2().uordblks;
#endif
        for (int step = 1; step <= kSteps; ++step)
            push(step);
#if defined(__GLIBC__)
        const auto each = (::mallinfo2().uordblks - before) / kSteps;
        QVERIFY2(each < 2000, qPrintable(QString::number(each))); // bytes; a whole scenario takes 300 kB
#endif
        QCOMPARE(document.undoStack()->count(), kSteps + 1);
        document.undoStack()->setIndex(0);
        QCOMPARE(document.scenario().findNode({"card-7"})->count.value,
                 8.0); // of the first edit of that node
    }
};

WIDGET_TEST(HistoryTest)
#include "history_test.moc"
