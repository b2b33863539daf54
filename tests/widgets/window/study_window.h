// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/test_window.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/window/top_bar.h"

#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>

#include <cmath>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// The window with studies: what the user finds in the Explore workspace, and how it is driven.
struct StudyWindow : TestWindow {
    using TestWindow::TestWindow;

    template <class Widget>
    Widget* named(const char* name) const {
        for (auto* found : explore().findChildren<Widget*>(QLatin1String(name)))
            if (found->isVisible())
                return found;
        return explore().findChild<Widget*>(QLatin1String(name));
    }
    StudySetup* setup() const { return explore().findChild<StudySetup*>(); }
    StudyMarks* marks() const { return explore().marks(); }
    StudyBoard* board() const { return child<StudyBoard>(&explore()); }
    StudyTile* tile(std::size_t index) const { return board()->plots().at(index); }
    PlotView* view(std::size_t index) const { return tile(index)->view(); }
    const Chart& chart(std::size_t index) const { return view(index)->chart(); }
    const engine::StudyTable& points() const { return marks()->study()->table; }
    engine::Store store() const { return engine::Store(storePath().toStdString()); }

    void goTo(Workspace workspace) const {
        auto* tabs = child<TopBar>(window)->tabs();
        Hand().click(tabs, tabs->tabRect(static_cast<int>(workspace)).center());
        QCOMPARE(window->workspace(), workspace);
    }
    /// Clicks Run and waits for the points.
    void run() const {
        click(named<QPushButton>("run"));
        QTRY_VERIFY_WITH_TIMEOUT(!explore().isRunning(), 120000);
        QVERIFY(marks()->study());
        QVERIFY(!marks()->study()->table.partial);
        settle();
    }
    /// Until the plots stand where they will stay: two looks one after the other see the same.
    void settle() const {
        const auto places = [this] {
            std::vector<QPointF> all;
            for (const auto* tile : board()->plots()) {
                const auto* view = tile->view();
                const auto at = view->chart().lines.empty() ? QPointF() : view->pixelOf({0, 0});
                if (std::isfinite(at.x()) && std::isfinite(at.y())) // a curve may begin with a gap
                    all.push_back(view->mapTo(window.get(), at));
            }
            return all;
        };
        std::vector<QPointF> before{{-1, -1}};
        QTRY_VERIFY(std::exchange(before, places()) == places());
    }
    /// To the Explore tab, with these axes, and runs them. Axes are typed by axisTyped() where that matters.
    void runStudy(const std::vector<AxisText>& axes) const {
        goTo(Workspace::Explore);
        setup()->setAxes(axes);
        QVERIFY(setup()->study());
        run();
    }

    // The plots.
    /// Adds a tile by the menu behind "+ Plot".
    StudyTile* addPlot(const char* entry) const {
        const auto before = board()->plots().size();
        click(named<QPushButton>("addPlot"));
        auto* menu = openMenu();
        if (!menu)
            return nullptr;
        choose(menu, QLatin1String(entry));
        QCoreApplication::processEvents();
        return board()->plots().size() == before + 1 ? board()->plots().back() : nullptr;
    }
    /// What of a plot the mouse meets at a point of it, and where.
    static std::pair<QWidget*, QPoint> placeOf(const PlotView* view, ChartPoint point) {
        return placeAt(view, view->pixelOf(point));
    }
    static std::pair<QWidget*, QPoint> placeAt(const PlotView* view, QPointF at) {
        auto* plot = view->childAt(at.toPoint());
        return plot ? std::pair(plot, plot->mapFrom(view, at.toPoint()))
                    : std::pair(static_cast<QWidget*>(nullptr), QPoint());
    }
    static void clickPoint(const PlotView* view, ChartPoint point, Qt::KeyboardModifiers keys = {}) {
        const auto [plot, at] = placeOf(view, point);
        QVERIFY(plot);
        Hand{.keys = keys}.click(plot, at);
    }
    static void hoverPoint(const PlotView* view, ChartPoint point) {
        const auto [plot, at] = placeOf(view, point);
        QVERIFY(plot);
        Hand::moveTo(plot, at + QPoint(3, 2)); // a move, wherever the pointer stood
        Hand::moveTo(plot, at);
    }

    // The table.
    QTableView* table() const { return explore().findChild<PointsTable*>()->findChild<QTableView*>(); }
    int rows() const { return table()->model()->rowCount(); }
    QString header(int column) const {
        return table()->model()->headerData(column, Qt::Horizontal).toString();
    }
    int columnOf(const char* start) const {
        for (int column = 0; column < table()->model()->columnCount(); ++column)
            if (header(column).startsWith(QLatin1String(start)))
                return column;
        return -1;
    }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    /// The rows that are lit because their point is pointed at.
    QList<int> litRows() const {
        QList<int> lit;
        for (int row = 0; row < rows(); ++row)
            if (table()->model()->index(row, 0).data(Qt::BackgroundRole).isValid())
                lit << row;
        return lit;
    }
    /// The texts of a row's cells in the axes' columns, as the table shows them.
    QStringList axesOf(int row) const {
        QStringList texts;
        for (std::size_t axis = 0; axis < points().info.axes.size(); ++axis)
            texts << cell(row, static_cast<int>(axis));
        return texts;
    }
    QString note() const { return words(explore().findChild<PointsTable*>()); }

    // What is written by the menus of export buttons.
    /// Clicks an entry of a button's menu.
    static void chooseIn(ExportButton* button, const char* entry) {
        click(button);
        QVERIFY(openMenu());
        choose(openMenu(), QLatin1String(entry));
    }
    /// By an entry and the file dialog that it opens.
    void exportBy(ExportButton* button, const char* entry, const char* name) const {
        QFile::remove(file(name)); // else it is asked about
        FileAnswer dialog(file(name));
        chooseIn(button, entry);
        QTRY_COMPARE(dialog.asked(), 1);
        QVERIFY2(QFile::exists(file(name)), name);
        QVERIFY(dialog.offered().endsWith(QString::fromLatin1(name).section(u'.', -1)));
        const auto* notice = explore().findChild<NoticeBar*>(QStringLiteral("studyNotice"));
        QVERIFY(notice->isVisible());
        QCOMPARE(notice->text(), QStringLiteral("Written: %1").arg(file(name)));
    }
    QByteArray read(const char* name) const { return bytesOf(file(name)); }
};

} // namespace heteroscape::widgets
