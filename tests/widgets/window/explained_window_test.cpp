// SPDX-License-Identifier: GPL-3.0-or-later
// What looks wrong and is not says why, what is found hundreds of times is said once, and nobody's file is
// lost in silence.
#include "engine/evaluation/breakdown.h"
#include "engine/scenario/scenario_json.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/plots/read_out.h"
#include "widgets/roofline/roofline_points.h"
#include "widgets/roofline/roofline_workspace.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/messages_panel.h"

#include <QMenuBar>
#include <QMessageBox>

#include <algorithm>
#include <map>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Bound;

class ExplainedWindowTest : public StudyWindowFixture {
    Q_OBJECT

    const CanvasScene& scene() const { return window()->canvas()->canvasScene(); }

    // The roofline.
    RooflineWorkspace* roofline() const { return child<RooflineWorkspace>(window()); }
    /// The text of a label that can be seen and is not cut.
    static bool isRead(const QWidget* within, const QString& text) {
        for (const auto* label : within->findChildren<QLabel*>())
            if (label->isVisible() && label->text() == text)
                return label->heightForWidth(label->width()) <= label->height() &&
                       !label->visibleRegion().isEmpty();
        return false;
    }
    /// Points at the mark of an operator, and says what is read there.
    std::map<QString, QString> readAt(const QString& mark) const {
        const auto* view = roofline()->view();
        const auto& marks = view->chart().marks;
        const auto at =
            std::find_if(marks.begin(), marks.end(), [&](const ChartMark& one) { return one.name == mark; });
        if (at == marks.end())
            return {};
        StudyWindow::hoverPoint(view, {-1, static_cast<int>(at - marks.begin())});
        std::map<QString, QString> read;
        if (view->readOut().isPresented() && view->readOut().heading() == mark)
            for (const auto& row : view->readOut().rows())
                read[row.name] = row.value;
        return read;
    }

    // Many nodes.
    /// A design of 768 devices in one column, half of which prefill and half decode, in a file.
    QString fileOfMany(bool linked) const {
        constexpr std::size_t kNodes = 768;
        engine::Scenario scenario;
        const auto& catalog = *shippedCatalog();
        scenario.name = "Many";
        scenario.model = catalog.model("llama2-7b", "test");
        scenario.workload = catalog.workload("p128-d512", "test");
        scenario.techniques[engine::disaggregation()].enabled = true;
        const auto& device = catalog.device("a100-80gb", "test");
        for (std::size_t i = 0; i < kNodes; ++i) {
            engine::Node node;
            node.id.value = "n" + std::to_string(i);
            node.device = linked && i == 0 ? catalog.device("network-switch", "test") : device;
            node.role = linked ? engine::Role::Fabric : i % 2 ? engine::Role::Prefill : engine::Role::Decode;
            if (!linked)
                node.runtime = catalog.defaultRuntime(device)->on(device);
            node.position = {0, 200.0 * static_cast<double>(i)};
            scenario.nodes.push_back(std::move(node));
            if (linked && i > 0)
                scenario.links.push_back({{"l" + std::to_string(i)},
                                          {"n0"},
                                          scenario.nodes.back().id,
                                          catalog.linkType("network-200g", "test")});
        }
        const auto path = m_test->file("many.hscape");
        engine::saveScenario(scenario, path.toStdString());
        return path;
    }
    void openByKey(const QString& path) {
        m_test->openPath = path;
        activate(window());
        QTest::keyClick(window(), Qt::Key_O, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(document().path(), path, 60000);
        m_test->awaitMetrics();
    }
    QRectF extent() const {
        QRectF all;
        for (const auto* item : scene().nodes())
            all |= item->cardRect();
        return all;
    }
    double ratio() const { return extent().width() / extent().height(); }
    /// By the mouse through the menus of the bar.
    void chooseInMenus(const QString& title, const QString& submenu, const QString& entry) {
        auto* bar = window()->findChild<QMenuBar*>();
        for (auto* action : bar->actions())
            if (action->text().remove(u'&') == title)
                Hand().click(bar, bar->actionGeometry(action).center());
        QVERIFY(openMenu());
        auto* action = entryOf(openMenu(), submenu);
        QVERIFY(action && action->menu());
        choose(openMenu(), submenu);
        QTRY_VERIFY(action->menu()->isVisible());
        choose(action->menu(), entry);
    }

    // Files.
    static void typeBatch(MainWindow& of, const char* batch) {
        activate(&of);
        retype(child<NumberEdit>(&of, "workload.batch")->findChild<QLineEdit*>(), QLatin1String(batch));
        QVERIFY(of.document()->isModified());
    }
    /// Presses Ctrl+S and the button of the question, if one comes; what it asks.
    static QString saveAnswering(MainWindow& of, const char* button) {
        QString asked;
        QTimer answer;
        connect(&answer, &QTimer::timeout, &answer, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box || !box->isVisible())
                return;
            answer.stop();
            asked = words(box);
            for (auto* one : box->buttons())
                if (one->text().remove(u'&') == QString::fromUtf8(button))
                    return click(one);
            box->reject();
        });
        answer.start(20);
        of.activateWindow(); // a box may have had the keyboard
        if (QTest::qWaitForWindowActive(&of))
            QTest::keyClick(&of, Qt::Key_S, Qt::ControlModifier);
        return asked;
    }

private slots:
    /// Left of the ridge a step should wait for memory: where it waits for compute the note says for which.
    void aStepBoundByComputeLeftOfTheRidgeSaysWhy() {
        m_test->awaitMetrics();
        m_test->goTo(Workspace::Roofline);
        int explained = 0;
        for (const auto& one : engine::rooflines(m_test->scenario())) {
            const auto why = engine::leftOfRidge(one);
            const bool strange = one.step.bound == Bound::Compute && one.step.intensity() < one.ridge();
            QCOMPARE(!why.empty(), strange);
            if (!strange)
                continue;
            ++explained;
            const auto text = QString::fromStdString(why);
            QTRY_VERIFY2(isRead(roofline(), text), why.c_str());
            // Whose compute, and of which peak.
            const engine::OperatorRow* longest = nullptr;
            for (const auto& row : one.detail.operators)
                if (row.bound == Bound::Compute && (!longest || row.seconds > longest->seconds))
                    longest = &row;
            QVERIFY(longest);
            QVERIFY(text.contains(QString::fromStdString(one.name)));
            QVERIFY(text.contains(QString::fromStdString(longest->label)));
            QVERIFY(text.contains(QStringLiteral("of the peak's %1 TOP/s")
                                      .arg(QString::fromStdString(engine::shortText(one.peakFlops / 1e12)))));
            QVERIFY(one.integerPeak);
        }
        QVERIFY(explained > 0);
        // Where all marks are hidden nothing is left to explain.
        for (auto* chip : roofline()->findChildren<QPushButton*>())
            if (chip->isVisible() && chip->toolTip().startsWith(QStringLiteral("Show or hide")))
                click(chip);
        QTRY_VERIFY2(!words(roofline()).contains(QStringLiteral("left of the ridge")),
                     qPrintable(words(roofline())));
    }

    void anOperatorBoundByComputeSaysOfWhichPeak_data() {
        QTest::addColumn<QString>("design");
        QTest::newRow("integers") << QStringLiteral("glitches/a100-7u280");
        QTest::newRow("FP8") << QStringLiteral("served/deepseek-v3-32h100-dp32-ep32");
    }
    void anOperatorBoundByComputeSaysOfWhichPeak() {
        QFETCH(QString, design);
        document().openPreset(design.toStdString());
        m_test->awaitMetrics();
        m_test->goTo(Workspace::Roofline);
        QTRY_VERIFY(!roofline()->view()->chart().marks.empty());
        m_test->awaitMetrics();
        const auto rooflines = engine::rooflines(m_test->scenario());
        int strange = 0, usual = 0;
        for (const auto& point : rooflinePoints(rooflines)) {
            const auto& of = rooflines[point.roofline];
            if (!point.drawable() || point.operatorIndex >= of.detail.operators.size() || point.share < 0.05)
                continue;
            const auto& row = of.detail.operators[point.operatorIndex];
            const auto read = readAt(QStringLiteral("%1, %2 on %3")
                                         .arg(QString::fromStdString(point.name), rooflinePhase(of.phase),
                                              QString::fromStdString(of.name)));
            if (read.empty())
                continue; // another mark lies upon it
            const bool isStrange = row.bound == Bound::Compute && point.roof != RooflinePoint::Roof::Peak;
            const auto found = read.find(QStringLiteral("Bound by"));
            QCOMPARE(found != read.end(), isStrange);
            if (!isStrange) {
                ++usual;
                continue;
            }
            ++strange;
            const auto number = [](double value) { return QString::fromStdString(engine::shortText(value)); };
            const auto precision = QString::fromUtf8(row.precision);
            QCOMPARE(found->second,
                     QStringLiteral("compute, %1 % of the %2 %3 %4")
                         .arg(number(100 * row.flops / row.seconds / row.peakFlops),
                              precision.isEmpty() ? QStringLiteral("peak's") : precision + " peak's",
                              number(row.peakFlops / 1e12),
                              of.integerPeak ? QStringLiteral("TOP/s") : QStringLiteral("TFLOP/s")));
        }
        QVERIFY2(strange > 0 && usual > 0, qPrintable(QStringLiteral("%1, %2").arg(strange).arg(usual)));
    }

    /// Every pair of 384 and 384 devices lacks its path.
    void whatIsSaidOfManyPairsIsOneLine() {
        openByKey(fileOfMany(false));
        const auto& found = document().diagnostics();
        const auto alike = std::count_if(found.begin(), found.end(), [](const engine::Diagnostic& one) {
            return one.code == "no_kv_path";
        });
        QCOMPARE(alike, 384); // once for each node that reaches nobody
        auto* bottom = window()->bottom();
        auto* messages = bottom->messages();
        Hand().click(child<QTabBar>(bottom),
                     child<QTabBar>(bottom)->tabRect(static_cast<int>(BottomDock::Page::Messages)).center());
        QTRY_VERIFY(messages->isVisible());
        QStringList lines;
        for (int row = 0; row < messages->count(); ++row)
            if (messages->item(row)->text().contains(QStringLiteral("No path of links")))
                lines << messages->item(row)->text();
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines[0].contains(QStringLiteral("(and %1 more like it)").arg(alike - 1)),
                 qPrintable(lines[0]));
        QVERIFY2(lines[0].contains(QStringLiteral("and 383 more")), qPrintable(lines[0])); // whom it misses
        QVERIFY(messages->count() < 12);
        // It is the first that is seen, and a click selects all that it is about.
        auto* first = messages->item(0);
        QVERIFY(first->text() == lines[0]);
        const auto place = messages->visualItemRect(first);
        QVERIFY(messages->viewport()->rect().contains(place.center()));
        Hand().click(messages->viewport(), QPoint(60, place.top() + 8));
        QCOMPARE(document().selection().nodes.size(), static_cast<std::size_t>(alike));
    }

    void layingOutManyNodesMakesNoPole_data() {
        QTest::addColumn<bool>("linked");
        QTest::addColumn<QString>("direction");
        QTest::newRow("apart") << false << QStringLiteral("Lay out from left to right");
        QTest::newRow("one switch") << true << QStringLiteral("Lay out from top to bottom");
    }
    void layingOutManyNodesMakesNoPole() {
        QFETCH(bool, linked);
        QFETCH(QString, direction);
        openByKey(fileOfMany(linked));
        QTRY_COMPARE(scene().nodes().size(), std::size_t{768});
        QVERIFY(ratio() < 1.0 / 100.0); // one column
        const auto steps = document().undoStack()->count();
        chooseInMenus(QStringLiteral("Edit"), QStringLiteral("Arrange"), direction);
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack()->count(), steps + 1, 120000);
        QTRY_VERIFY_WITH_TIMEOUT(!scene().isBehind() && ratio() > 0.1, 60000);
        QVERIFY2(ratio() > 0.25 && ratio() < 4.0, qPrintable(QString::number(ratio())));
        // All of it is seen.
        const auto* canvas = window()->canvas();
        QTRY_VERIFY(canvas->viewport()->rect().contains(
            canvas->mapFromScene(extent()).boundingRect().adjusted(1, 1, -1, -1)));
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(ratio() < 1.0 / 100.0);
    }

    /// Two programs have one file open: the second that saves is asked, and may go elsewhere.
    void theSecondSaveOfOneFileAsks() {
        const auto path = m_test->file("shared.hscape");
        engine::saveScenario(m_test->scenario(), path.toStdString());
        openByKey(path);
        QTemporaryDir folder;
        MainWindow other(shippedCatalog(), {folder.filePath("s.sqlite"), folder.filePath("s.ini")});
        present(&other);
        {
            FileAnswer answer(path);
            QTest::keyClick(&other, Qt::Key_O, Qt::ControlModifier);
            QTRY_COMPARE(other.document()->path(), path);
        }
        const auto batchIn = [](const QString& file) {
            return engine::loadScenario(file.toStdString(), *shippedCatalog()).workload.batch.value;
        };
        typeBatch(*window(), "2");
        QTest::keyClick(window(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!document().isModified());
        QCOMPARE(batchIn(path), 2.0);

        typeBatch(other, "3");
        const auto asked = saveAnswering(other, "Cancel");
        QVERIFY2(asked.contains(QStringLiteral("shared.hscape")) &&
                     asked.contains(QStringLiteral("saved by another program")),
                 qPrintable(asked));
        QVERIFY(other.document()->isModified());
        QCOMPARE(batchIn(path), 2.0);
        const auto elsewhere = folder.filePath("elsewhere.hscape");
        {
            FileAnswer answer(elsewhere);
            QVERIFY(!saveAnswering(other, "Save as\u2026").isEmpty());
            QTRY_VERIFY(!other.document()->isModified());
        }
        QCOMPARE(batchIn(path), 2.0);
        QCOMPARE(batchIn(elsewhere), 3.0);
        // The first has its file to itself again.
        typeBatch(*window(), "4");
        QVERIFY(saveAnswering(*window(), "").isEmpty());
        QTRY_COMPARE(batchIn(path), 4.0);
    }
};

WIDGET_TEST(ExplainedWindowTest)
#include "explained_window_test.moc"
