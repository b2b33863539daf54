// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in the window can be read: whole, or with a tool tip that says all; on the screen, beside
// what it stands by, and apart from what is alike. And keys that mean a field are the field's.
#include "clipped_texts.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/link_item.h"
#include "widgets/canvas/node_item.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/palette/palette_list.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/plots/chart_style.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_manager.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;

class WordsSeenTest : public StudyWindowFixture {
    Q_OBJECT

    CanvasView* canvas() const { return window()->canvas(); }
    CanvasScene& scene() const { return canvas()->canvasScene(); }
    Inspector* inspector() const { return window()->inspector(); }
    void settle() const {
        m_test->awaitMetrics();
        scene().finish();
        QCoreApplication::processEvents();
    }
    void resizeTo(QSize size) const {
        window()->setMinimumSize(size.boundedTo(window()->minimumSize()));
        window()->resize(size);
        QTRY_COMPARE(window()->size(), size);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents(); // docks follow a turn later
    }
    /// What is told where the pointer rests on a widget, without markup.
    static QString tipAt(QWidget* widget, QPoint at) {
        const auto before = QStringLiteral("nothing yet"); // a tip goes only after a while
        QToolTip::showText(widget->mapToGlobal(at), before, widget);
        QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &help);
        const auto told = QToolTip::text();
        if (told == before)
            return {};
        return Qt::mightBeRichText(told) ? QTextDocumentFragment::fromHtml(told).toPlainText() : told;
    }
    static QWidget* plotOf(const PlotView* view) { return view->childAt(view->rect().center()); }

    /// Every name of a legend has its room within the plot, or is told whole where it stands.
    static void checkLegend(const PlotView* view) {
        auto* plot = plotOf(view);
        const QFontMetricsF metrics(ChartStyle{}.font());
        for (const auto& [name, box] : view->legendBoxes()) {
            const auto seen = box.intersected(QRectF(view->rect()));
            const bool whole = seen == box && box.width() > metrics.horizontalAdvance(name);
            const auto tip = tipAt(plot, plot->mapFrom(view, seen.center().toPoint()));
            QVERIFY2(whole ? tip.isEmpty() : tip.contains(name), qPrintable(name + ": " + tip));
        }
    }
    /// Where a link can be pointed at: on its wire, not where a card lies.
    QPoint onWire(const LinkItem* link) const {
        const auto& route = link->route();
        for (qsizetype i = 0; i + 1 < route.size(); ++i)
            for (const double share : {0.5, 0.3, 0.7}) {
                const auto at = QLineF(route[i], route[i + 1]).pointAt(share);
                if (!scene().nodeAt(at) && scene().linkAt(at) == link)
                    return canvas()->mapFromScene(at);
            }
        return {-1, -1};
    }
    void clickCard(const engine::NodeId& id, Qt::KeyboardModifiers keys = {}) const {
        const auto card = scene().nodeItem(id)->cardRect();
        Hand{.keys = keys}.click(canvas()->viewport(),
                                 canvas()->mapFromScene(card.topLeft() + QPointF(card.width() / 2, 14)));
    }

private slots:
    void everyModelOfTheListIsReadWholeAndOneIsChosen() {
        auto* models = child<ChoiceEdit>(child<ContextBar>(window()));
        click(models);
        auto* list = models->view();
        QTRY_VERIFY(list->isVisible());
        const auto screen = window()->screen()->availableGeometry();
        const auto place = list->window()->frameGeometry();
        QVERIFY(screen.contains(place));
        QVERIFY(place.top() > models->mapToGlobal(models->rect().center()).y()); // it hides no choice
        // All of it is gone through with the wheel.
        auto* port = list->viewport();
        std::set<int> seen;
        for (int turn = 0; turn < 60; ++turn) {
            for (int row = 0; row < models->count(); ++row) {
                const auto index = models->model()->index(row, 0);
                const auto rect = list->visualRect(index);
                if (!port->rect().contains(QPoint(0, rect.center().y())))
                    continue;
                QVERIFY2(list->sizeHintForIndex(index).width() <= port->width(),
                         qPrintable(models->itemText(row)));
                QVERIFY(list->fontMetrics().horizontalAdvance(models->itemText(row)) < port->width());
                if (port->rect().contains(rect.adjusted(0, 0, port->width() - rect.width(), 0)))
                    seen.insert(row);
            }
            wheel(port, port->rect().center(), turn < 30 ? 2 : -2);
        }
        QCOMPARE(static_cast<int>(seen.size()), models->count());
        const auto last = models->model()->index(models->count() - 1, 0);
        const auto name = last.data().toString();
        const auto at = list->visualRect(last).center();
        QVERIFY(port->rect().contains(at) && models->currentText() != name);
        Hand::moveTo(port, at);
        QTRY_VERIFY((list->isVisible() ? Hand().click(port, at) : void(), !list->isVisible()));
        QCOMPARE(QString::fromStdString(m_test->scenario().model.id), last.data(Qt::UserRole).toString());
        QCOMPARE(models->currentText(), name);
        QVERIFY(models->width() >= models->sizeHint().width());
    }

    void legendsOfPlotsAreReadWhole() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        for (const char* kind : {"Lines", "Bars", "Scatter"}) {
            const auto* tile = m_test->addPlot(kind);
            QVERIFY(tile);
            QTRY_VERIFY(tile->isVisible() && !tile->isBusy() && plotOf(tile->view()));
        }
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900)}) {
            resizeTo(size);
            m_test->settle();
            int names = 0;
            for (const auto* tile : m_test->board()->plots()) {
                names += static_cast<int>(tile->view()->legendBoxes().size());
                checkLegend(tile->view());
            }
            QVERIFY(!QTest::currentTestFailed());
            QVERIFY(names > (size.height() < 900 ? 3 : 8)); // plots that are low have none
        }
    }

    /// Of 40 curves in a low plot the last names have no room: what they are is told where it says how many.
    void whatALegendLeavesOutIsToldThere() {
        m_test->runStudy({{"nodes.fpga.count", "1,2,3"}, {"workload.batch", "1:40:1"}});
        auto* tile = m_test->addPlot("Lines");
        QVERIFY(tile);
        QTRY_VERIFY(!tile->isBusy() && !tile->view()->legendBoxes().empty());
        m_test->settle();
        const auto* view = tile->view();
        QCOMPARE(view->chart().lines.size(), std::size_t{40});
        QSet<QString> missing;
        for (const auto& line : view->chart().lines)
            missing.insert(line.name);
        const auto boxes = view->legendBoxes();
        for (const auto& [name, box] : boxes)
            missing.remove(name);
        QVERIFY(!missing.isEmpty());
        auto* plot = plotOf(view);
        const auto after = boxes.back().box.translated(0, boxes.back().box.height()).center().toPoint();
        const auto told = tipAt(plot, plot->mapFrom(view, after)).split(u'\n');
        QCOMPARE(QSet<QString>(told.begin(), told.end()), missing);
        checkLegend(view);
        QVERIFY(tipAt(plot, plot->rect().center()).isEmpty());
    }

    void wordsOfLinksStandWholeBesideTheCards_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440 x 900") << QSize(1440, 900);
        QTest::newRow("1280 x 720") << QSize(1280, 720);
    }
    void wordsOfLinksStandWholeBesideTheCards() {
        QFETCH(QSize, size);
        resizeTo(size);
        const QFontMetricsF strong(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
        const QFontMetricsF small(Theme::instance().font(TextSize::Caption));
        int links = 0;
        for (const char* design : {"inf2/opt-30b-a100-16csd", "inf2/llama2-7b-4u280-16csd",
                                   "served/qwen3-235b-8u280-4h200", "glitches/a100-7u280"}) {
            document().openPreset(design);
            settle();
            canvas()->setFocus();
            QTest::keyClick(canvas(), Qt::Key_F); // all of it
            settle();
            const auto picture = canvas()->viewport()->grab().toImage();
            for (const auto& link : m_test->scenario().links) {
                const auto* item = scene().linkItem(link.id);
                const auto words = item->labelRect();
                const auto shown = item->label();
                QVERIFY(words.width() >= strong.horizontalAdvance(shown.bandwidth) &&
                        words.width() >= small.horizontalAdvance(shown.type));
                for (const auto* node : scene().nodes())
                    QVERIFY2(!words.intersects(node->cardRect()), design);
                for (const auto& other : m_test->scenario().links)
                    if (other.id != link.id)
                        QVERIFY2(!words.intersects(scene().linkItem(other.id)->labelRect()), design);
                const auto seen = canvas()->mapFromScene(words).boundingRect();
                QVERIFY2(canvas()->viewport()->rect().contains(seen), design);
                int ink = 0; // they are really there
                for (int y = seen.top(); y < seen.bottom(); ++y)
                    for (int x = seen.left(); x < seen.right(); ++x)
                        ink += picture.pixelColor(x, y).lightness() < 110;
                QVERIFY2(ink > 30, qPrintable(QStringLiteral("%1: %2").arg(design).arg(ink)));
                const auto at = onWire(item);
                QVERIFY(canvas()->viewport()->rect().contains(at));
                const auto tip = tipAt(canvas()->viewport(), at).simplified();
                QVERIFY2(tip.contains(shown.bandwidth) && tip.contains(shown.type), qPrintable(tip));
                ++links;
            }
        }
        QVERIFY(links >= 11);
    }

    /// In a narrow window the palette is a rail of signs with a few words.
    void everyPartOfTheRailLooksLikeNoOther() {
        resizeTo({1280, 760});
        auto* list = child<PalettePanel>(window())->findChild<PaletteList*>();
        QTRY_VERIFY(list->isCompact() && list->viewport()->width() < 80);
        std::map<QByteArray, QString> looks;
        for (int i = 0; i < list->count(); ++i) {
            if (list->row(i)->isHeading())
                continue;
            const auto name = list->row(i)->name;
            list->scrollToItem(list->item(i));
            const auto rect = list->visualItemRect(list->item(i));
            QVERIFY(list->viewport()->rect().contains(rect));
            const auto picture = list->viewport()->grab(rect).toImage();
            const QByteArray look(reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes());
            const auto [same, isNew] = looks.emplace(look, name);
            QVERIFY2(isNew, qPrintable(name + QStringLiteral(" looks like ") + same->second));
            const auto tip = tipAt(list->viewport(), rect.center()).simplified();
            QVERIFY2(tip.contains(name.simplified()), qPrintable(name + QStringLiteral(": ") + tip));
        }
        QVERIFY(looks.size() > 150);
    }

    void theFirstWindowFitsItsScreen_data() {
        QTest::addColumn<QSize>("available");
        for (const auto& size : {QSize(1024, 700), QSize(1100, 740), QSize(1280, 690), QSize(1366, 728),
                                 QSize(1440, 860), QSize(1920, 1040), QSize(3840, 2120)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void theFirstWindowFitsItsScreen() {
        QFETCH(QSize, available);
        const QSize wanted(1440, 900);
        const QRect screen(QPoint(), available);
        const auto least = leastWindowSize(available), first = firstWindowSize(wanted, available);
        QVERIFY(screen.contains(QRect(QPoint(), least + kWindowFrame)));
        QVERIFY(screen.contains(QRect(QPoint(), first + kWindowFrame)));
        QCOMPARE(first.expandedTo(least), first);
        if (screen.contains(QRect(QPoint(), wanted + kWindowFrame)))
            QCOMPARE(first, wanted); // no smaller than it has to be
        for (const auto& size : {first, least}) {
            window()->setMinimumSize(least);
            window()->resize(size);
            QTRY_COMPARE(window()->size(), size);
            inspector()->finish();
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            const auto clipped = clippedTexts(*window());
            QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
            const QList<QWidget*> parts{
                child<TopBar>(window()),    child<ContextBar>(window()),   canvas(),
                window()->inspector(),      child<PalettePanel>(window()), window()->bottom(),
                child<StatusLine>(window())};
            for (const auto* part : parts)
                QVERIFY2(part->isVisible() &&
                             window()->rect().contains(QRect(part->mapTo(window(), QPoint()), part->size())),
                         part->metaObject()->className());
            QVERIFY(canvas()->height() > 200 && canvas()->width() > 400);
        }
    }

    /// Nor the first nor another one; the screen of the tests is 800 px high.
    void noWindowIsHigherThanItsScreen() {
        const auto room = window()->screen()->availableSize();
        WindowManager manager(shippedCatalog(), {m_test->file("s.sqlite"), m_test->file("s.ini"), nullptr});
        auto* first = manager.newWindow();
        QVERIFY(QTest::qWaitForWindowActive(first));
        QTest::keyClick(first, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(manager.windows().size(), std::size_t{2});
        for (const auto* one : manager.windows()) {
            QVERIFY(one->isVisible());
            QVERIFY(one->height() + kWindowFrame.height() <= room.height());
            QCOMPARE(one->width(), one->minimumWidth());
        }
    }

    void tabGoesDownThePageFromValueToValue_data() {
        QTest::addColumn<QStringList>("cards");
        QTest::newRow("a node with layouts to choose from") << QStringList{"fpga"};
        QTest::newRow("a node alone") << QStringList{"gpu"};
        QTest::newRow("two nodes") << QStringList{"fpga", "gpu"};
        QTest::newRow("a link") << QStringList();
    }
    void tabGoesDownThePageFromValueToValue() {
        QFETCH(QStringList, cards);
        settle();
        for (const auto& card : cards)
            clickCard({card.toStdString()}, card == cards.first() ? Qt::NoModifier : Qt::ShiftModifier);
        if (cards.isEmpty())
            Hand().click(canvas()->viewport(), onWire(scene().linkItem({"host-fpga"})));
        QCOMPARE(document().selection().nodes.size(), static_cast<std::size_t>(cards.size()));
        QVERIFY(!document().selection().empty());
        if (cards == QStringList{"fpga"})
            QTRY_VERIFY_WITH_TIMEOUT(LayoutFinder::of(document()).known({"fpga"}, engine::Metric::Throughput),
                                     60000);
        inspector()->finish();
        // From the highest number past all values below to what can be swept, or out of the page.
        const auto* page = inspector()->findChild<QScrollArea*>()->widget();
        const auto heightOf = [page](const QWidget* one) {
            return one->mapTo(page, one->rect().center()).y();
        };
        QWidget* first = nullptr;
        for (auto* field : page->findChildren<NumberEdit*>())
            if (field->isVisible() && (!first || heightOf(field) < heightOf(first)))
                first = field;
        QVERIFY(first);
        std::set<const QWidget*> values;
        for (const auto* one : page->findChildren<QWidget*>())
            if (one->isVisible() && one->isEnabled() && heightOf(one) >= heightOf(first) &&
                (qobject_cast<const NumberEdit*>(one) || qobject_cast<const ChoiceEdit*>(one)))
                values.insert(one);
        QVERIFY(values.size() >= 3);
        Hand().click(first, QPoint(6, first->height() / 2));
        std::set<const QWidget*> visited;
        int below = -1;
        for (auto* at = QApplication::focusWidget(); page->isAncestorOf(at);
             at = QApplication::focusWidget()) {
            if (at->objectName() == QuantityRow::kSweepName || !visited.insert(at).second)
                break;
            const int height = heightOf(at);
            // A slider stands beside its field.
            QVERIFY2(height + 8 > below && !at->visibleRegion().isEmpty(), qPrintable(at->accessibleName()));
            below = height;
            QTest::keyClick(at, Qt::Key_Tab);
        }
        for (const auto* one : values)
            QVERIFY2(visited.contains(one), qPrintable(one->accessibleName()));
    }

    void ctrlAInAFieldSelectsItsText() {
        settle();
        const auto typed = [this](const char* placeholder, const char* text) {
            for (auto* field : window()->findChildren<QLineEdit*>())
                if (field->isVisible() && field->placeholderText() == QLatin1String(placeholder)) {
                    Hand().click(field, QPoint(field->width() / 2, field->height() / 2));
                    QTest::keyClicks(field, text);
                    QCOMPARE(field->text(), QLatin1String(text));
                }
        };
        for (const auto workspace :
             {Workspace::Design, Workspace::Explore, Workspace::Roofline, Workspace::Compare}) {
            m_test->goTo(workspace);
            if (workspace == Workspace::Design)
                typed("Find a part", "u280");
            else if (workspace == Workspace::Roofline)
                typed("Find an operator", "ffn");
            int tried = 0;
            for (auto* field : window()->findChildren<QLineEdit*>()) {
                if (!field->isVisible() || !field->isEnabled() || field->text().isEmpty())
                    continue;
                Hand().click(field, QPoint(6, field->height() / 2));
                QVERIFY(field->hasFocus() || field->parentWidget()->hasFocus());
                field->deselect();
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
                QCOMPARE(field->selectedText(), field->text());
                QVERIFY(document().selection().empty());
                ++tried;
            }
            // Three of the context bar, and those of the workspace.
            QVERIFY2(tried >= (workspace == Workspace::Compare ? 3 : 4), qPrintable(QString::number(tried)));
        }
        m_test->goTo(Workspace::Design); // elsewhere it means the cards
        Hand().click(canvas()->viewport(), QPoint(12, 12));
        QTest::keyClick(canvas(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(document().selection().nodes.size(), m_test->scenario().nodes.size());
    }
};

WIDGET_TEST(WordsSeenTest)
#include "words_seen_test.moc"
