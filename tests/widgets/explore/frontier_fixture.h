// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/plots/fronts.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/window/command_registry.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QUndoStack>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// A frontier on the result page of the program's window, fresh for each test.
class FrontierFixture : public WindowFixture {
    Q_OBJECT

protected:
    QTemporaryDir m_folder;

    ExploreWorkspace* explore() const { return m_test->window->findChild<ExploreWorkspace*>(); }
    FrontierSetup* setup() const { return explore()->frontiers(); }
    StudyBoard* board() const { return explore()->findChild<StudyBoard*>(); }
    StudyMarks* marks() const { return explore()->marks(); }
    const engine::FrontierDefinition& definition() const { return setup()->definition(); }
    const LoadedStudy& study() const { return *explore()->study(); }
    const engine::StudyTable& table() const { return study().table; }
    StudyTile* tile(std::size_t which = 0) const { return board()->plots().at(which); }
    PlotView* plot(std::size_t which = 0) const { return tile(which)->view(); }
    const Chart& chart(std::size_t which = 0) const { return plot(which)->chart(); }
    double at(const std::string& column, std::size_t row) const { return table().find(column)->at(row); }
    std::string systemOf(std::size_t row) const {
        const auto& column = *table().find("points.system");
        return column.text(column.at(row));
    }
    bool isSettled() const {
        return setup()->study() && explore()->study() && !explore()->isBusy() &&
               study().definition.axes == setup()->study()->axes && table().rows() == table().info.points;
    }
    void settled() const { QTRY_VERIFY_WITH_TIMEOUT(isSettled(), 120000); }
    void command(const char* name) const {
        m_test->window->commands()->action(QString::fromLatin1(name))->trigger();
    }
    /// The shipped frontier, by keys; with a few of its systems and users, unless `whole`: what is done with
    /// points is the same for any number.
    void open(bool whole = false) {
        m_window = m_test->window.get();
        if (!whole && !document().scenario().frontier) {
            auto few = engine::findFrontier(*shippedCatalog(), "llama-3-1-70b");
            std::erase_if(few.systems, [](const auto& system) {
                return !(system.name == "H100" || system.name == "H200" || system.name == "B200" ||
                         system.name.starts_with("PRESERVE"));
            });
            few.users = {1, 4, 8, 32, 64, 256};
            document().perform(engine::SetFrontier{engine::keepFrontier(few)});
        }
        if (whole && !setup()->isVisible()) // else it is chosen by keys
            setup()->showFrontier(QStringLiteral("llama-3-1-70b"));
        present(m_window);
        command("study.frontier");
        QVERIFY(setup()->isVisible());
        auto* choice = setup()->tools()->findChild<QComboBox*>(QStringLiteral("frontierChoice"));
        choice->setFocus();
        while (whole && choice->currentData().toString() != QStringLiteral("llama-3-1-70b"))
            QTest::keyClick(choice, Qt::Key_Down);
        settled();
        QCOMPARE(definition().model, std::string("llama3-1-70b"));
    }
    QPushButton* button(const char* name) const {
        return explore()->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    void check(const char* name) const { ///< ticks a system, or takes its tick
        auto* box = child<QCheckBox>(setup(), name);
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
    }
    /// A mark of the first plot, in its options.
    void option(const char* name) const {
        QTest::mouseClick(child<QToolButton>(tile(), "plotOptions"), Qt::LeftButton);
        auto* box = child<QCheckBox>(tile(), name);
        QVERIFY(box->isVisible());
        box->click();
        box->window()->close();
        settled();
    }
    /// A number typed into a field of the form.
    QDoubleSpinBox* typeInto(const char* name, const char* number) const {
        auto* field = child<QDoubleSpinBox>(setup(), name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(number));
        QTest::keyClick(field, Qt::Key_Return);
        settled();
        return field;
    }
    void typeTokens(const char* name, const char* number) const {
        auto* field = child<QSpinBox>(setup(), name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(number));
        QTest::keyClick(field, Qt::Key_Return);
    }
    QComboBox* down(const char* combo) const { ///< the next entry of a list
        auto* list = setup()->tools()->findChild<QComboBox*>(QLatin1String(combo));
        if (!list)
            list = child<QComboBox>(setup(), combo);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        settled();
        return list;
    }
    const engine::RowMask* kept() const { return marks()->kept().empty() ? nullptr : &marks()->kept(); }
    Fronts fronts() const { return frontsOf(study(), tile()->plot(), kept()); }
    /// The row of a system's best point.
    std::size_t bestOf(const std::string& system) const {
        const auto& names = table().find("points.system")->names;
        const auto place =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), system) - names.begin());
        return fronts().groups.at(place).rows.front();
    }
    std::size_t keptCount() const { return marks()->keptCount(); }
    void addOpenDesign() {
        QTest::mouseClick(button("addFrontierDesign"), Qt::LeftButton);
        QTRY_VERIFY(child<QMenu>(setup(), "addDesign")->isVisible());
        QVERIFY(child<QMenu>(setup(), "addDesign")->actions().size() > 5);
        child<QMenu>(setup(), "addDesign")->actions().front()->trigger();
        child<QMenu>(setup(), "addDesign")->close();
        settled();
    }
};
