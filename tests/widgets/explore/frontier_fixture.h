// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier_detail.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/explore/frontier/frontier_side.h"
#include "widgets/explore/frontier/frontier_table.h"
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

/// The Frontier page in the program's window, fresh for each test.
class FrontierFixture : public WindowFixture {
    Q_OBJECT

protected:
    QTemporaryDir m_folder;

    ExploreWorkspace* explore() const { return m_window->findChild<ExploreWorkspace*>(); }
    FrontierPage* page() const { return m_window->findChild<FrontierTab*>()->page(); }
    const FrontierRun& ran() const { return *page()->view()->run; }
    void settled() const {
        QTRY_VERIFY_WITH_TIMEOUT(page()->view() && !page()->isBusy(), 120000);
        QCOMPARE(ran().done, ran().points.size());
    }
    void open() {
        present(m_window);
        m_window->commands()->action(QStringLiteral("study.frontier"))->trigger();
        QVERIFY(page()->isVisible());
        auto* choice = page()->tools()->findChild<QComboBox*>(QStringLiteral("frontierChoice"));
        choice->setFocus();
        while (choice->currentData().toString() != QStringLiteral("llama-3-1-70b"))
            QTest::keyClick(choice, Qt::Key_Down);
        settled();
        QCOMPARE(ran().definition.model, std::string("llama3-1-70b"));
    }
    QPushButton* button(const char* name) const {
        return explore()->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    /// A number typed into a field beside the plot.
    QDoubleSpinBox* typeInto(const char* name, const char* number) const {
        auto* field = child<FrontierSide>(page())->findChild<QDoubleSpinBox*>(QLatin1String(name));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(number));
        QTest::keyClick(field, Qt::Key_Return);
        settled();
        return field;
    }
    /// The place of a system's best point in the run.
    std::size_t bestOf(std::size_t system) const { return page()->view()->fronts[system].front(); }
};
