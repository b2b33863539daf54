// SPDX-License-Identifier: GPL-3.0-or-later
// A design that somebody sent names everything as Qt writes links: nothing of it is shown as one.
#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/run_study.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/test_window.h"
#include "widgets/theme/plain_text.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/file_flow.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGraphicsItem>
#include <QGraphicsView>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QTextDocument>
#include <QTimer>
#include <QToolTip>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

const QString kLink = QStringLiteral("<a href=\"x\">link</a>");
const std::string kName = kLink.toStdString();

/// Markup of somebody else's: the name of a file has no slash.
bool isForeign(const QString& text) {
    return Qt::mightBeRichText(text) &&
           (text.contains(QStringLiteral("<a href")) || text.contains(QStringLiteral("<u>")));
}

void rename(engine::Device& device) {
    device.name = device.vendor = device.about = kName;
    for (const auto& field : engine::deviceFields())
        if (auto& quantity = device.*field.member; quantity.isSet())
            quantity.source = kName;
}

/// The same design with every name, word and source that a file can hold replaced.
engine::Scenario renamed(engine::Scenario design) {
    design.name = design.about = kName;
    design.model.name = design.model.about = kName;
    design.workload.name = kName;
    for (auto& node : design.nodes) {
        node.name = kName;
        node.count.source = kName;
        rename(node.device);
        if (node.runtime)
            node.runtime->name = node.runtime->about = kName;
    }
    for (auto& link : design.links)
        link.type.name = kName;
    auto own = design.nodes.front().device;
    own.id = "own-device";
    design.own.devices.push_back(std::move(own));
    return design;
}

/// All that a program shows and Qt could take for markup; what was seen is told, too.
class Guessed {
public:
    QStringList found;
    int labels = 0; ///< with such a name
    int tips = 0;   ///< with such a name, escaped

    void look() {
        for (auto* widget : QApplication::allWidgets()) {
            tip(widget->toolTip(), widget);
            label(qobject_cast<QLabel*>(widget));
            if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model())
                model(*view->model(), {}, view);
            if (const auto* combo = qobject_cast<QComboBox*>(widget))
                model(*combo->model(), {}, combo);
            if (const auto* view = qobject_cast<QGraphicsView*>(widget); view && view->scene())
                for (const auto* item : view->scene()->items())
                    tip(item->toolTip(), view);
            if (const auto* menu = qobject_cast<QMenu*>(widget); menu && menu->toolTipsVisible())
                for (const auto* action : menu->actions())
                    tip(action->toolTip(), menu);
        }
    }

    void tip(const QString& text, const QObject* where) {
        tips += text.contains(kLink.toHtmlEscaped()) ? 1 : 0;
        if (isForeign(text))
            add(text, where);
    }

    void label(QLabel* label) {
        if (!label || label->inherits("QTipLabel"))
            return;
        label->ensurePolished(); // as it is before it is first shown
        labels += label->text().contains(kLink) ? 1 : 0;
        if (label->textFormat() != Qt::PlainText && isForeign(label->text()))
            add(label->text(), label);
    }

private:
    void model(const QAbstractItemModel& model, const QModelIndex& parent, const QObject* where) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            tip(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), where);
            for (int row = 0; row < std::min(model.rowCount(parent), 200); ++row) {
                const auto index = model.index(row, column, parent);
                tip(index.data(Qt::ToolTipRole).toString(), where);
                if (model.hasChildren(index) && column == 0)
                    this->model(model, index, where);
            }
        }
    }

    void add(const QString& text, const QObject* where) {
        found << QString::fromLatin1(where->metaObject()->className()) + QStringLiteral(": ") + text;
    }
};

/// Holds the pointer still over places all over a widget, and says what tips come.
QStringList tipsOver(QWidget* widget) {
    QStringList tips;
    for (int x = 2; x < widget->width(); x += 16)
        for (int y = 2; y < widget->height(); y += 16) {
            const QPoint at(x, y);
            QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
            QApplication::sendEvent(widget, &help);
            if (!QToolTip::text().isEmpty() && !tips.contains(QToolTip::text()))
                tips << QToolTip::text();
        }
    return tips;
}

/// What a box says.
QList<const QLabel*> labelsOf(const QMessageBox& box) {
    QList<const QLabel*> labels;
    for (const auto* label : box.findChildren<QLabel*>())
        if (!label->text().isEmpty())
            labels << label;
    return labels;
}

} // namespace

class PlainTextTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_path = m_folder.filePath(QStringLiteral("<u>sent<u>.hscape"));
        m_design = renamed(engine::loadPreset(*shippedCatalog(), "glitches/a100-7u280", "design"));
        engine::saveScenario(m_design, m_path.toStdString());
        const auto storePath = m_folder.filePath(QStringLiteral("studies.sqlite"));
        engine::Store store(storePath.toStdString());
        engine::Study study{kName, m_design, {}};
        study.axes.push_back(engine::parseAxis(m_design, *shippedCatalog(), "nodes.fpga.count=1:3"));
        engine::runStudy(study, store, {});
        m_window = std::make_unique<MainWindow>(
            shippedCatalog(),
            MainWindow::Options{storePath, m_folder.filePath(QStringLiteral("settings.ini"))});
        present(m_window.get());
        m_window->document()->openFile(m_path);
        m_window->files()->remember();
    }
    void cleanupTestCase() { m_window.reset(); }

    void plainTipsAreShownAsTheyStand() {
        QCOMPARE(plainTip(QStringLiteral("a < b & c")), QStringLiteral("a < b & c"));
        QVERIFY(Qt::mightBeRichText(kLink)); // or this test tells nothing
        for (const auto& text : {kLink, QStringLiteral("<b>x</b>\n<i>y"), QStringLiteral("&lt;"),
                                 QStringLiteral("<?xml?>"), QStringLiteral("a <img src=/dev/zero>")}) {
            const auto tip = plainTip(text);
            QTextDocument shown;
            Qt::mightBeRichText(tip) ? shown.setHtml(tip) : shown.setPlainText(tip);
            QCOMPARE(shown.toPlainText(), text);
        }
        QCOMPARE(plainTip({}), QString());
        QCOMPARE(wrappedTip({}), QString());
    }

    void theDesignWithEverySubject() {
        m_window->setWorkspace(Workspace::Design);
        Guessed guessed;
        for (const auto& node : m_design.nodes) {
            m_window->document()->select({{node.id}, {}});
            look(guessed);
        }
        m_window->document()->select({{}, {m_design.links.front().id}});
        look(guessed);
        m_window->document()->select({});
        for (int page = 0; page < 4; ++page) {
            m_window->bottom()->showPage(static_cast<BottomDock::Page>(page));
            look(guessed);
        }
        QVERIFY(guessed.labels > 0);
        QVERIFY(guessed.tips > 0);
    }

    void theOtherWorkspaces() {
        Guessed guessed;
        for (const auto workspace : {Workspace::Explore, Workspace::Roofline, Workspace::Compare}) {
            m_window->setWorkspace(workspace);
            QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
            look(guessed);
        }
        QVERIFY(guessed.tips > 0);
        m_window->setWorkspace(Workspace::Design);
    }

    void theStartPage() {
        m_window->showStartPage();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
        Guessed guessed;
        look(guessed);
        m_window->leaveStartPage();
    }

    void theRecentFiles() {
        for (auto* menu : m_window->findChildren<QMenu*>())
            if (menu->title().contains(QStringLiteral("recent"), Qt::CaseInsensitive)) {
                emit menu->aboutToShow();
                QVERIFY(!menu->isEmpty());
                QVERIFY(menu->actions().front()->toolTip().contains(QStringLiteral("&lt;u&gt;sent")));
                return;
            }
        QFAIL("there is no menu of recent files");
    }

    void theTipsThatComeUnderThePointer() {
        m_window->setWorkspace(Workspace::Design);
        m_window->document()->select({{m_design.nodes.front().id}, {}});
        int tips = 0;
        for (auto* widget : m_window->findChildren<QWidget*>()) {
            const auto* view = qobject_cast<QGraphicsView*>(widget->parentWidget());
            const bool isView = view && view->viewport() == widget;
            if (!widget->isVisible() || (!isView && !widget->inherits("heteroscape::widgets::StackBar")))
                continue;
            for (const auto& tip : tipsOver(widget)) {
                ++tips;
                QVERIFY2(!isForeign(tip), qPrintable(tip));
            }
        }
        QVERIFY(tips > 0);
        QToolTip::hideText();
    }

    void aKeyThatIsALink() {
        auto text = engine::scenarioText(m_design);
        text.insert(text.find('{') + 1, R"("<a href='x'>link</a>": 1, )");
        const auto path = m_folder.filePath(QStringLiteral("<u>broken<u>.hscape"));
        engine::writeFileAtomically(path.toStdString(), text);
        QString shown;
        QList<Qt::TextFormat> formats;
        QTimer::singleShot(0, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            shown = box->informativeText();
            for (const auto* label : labelsOf(*box))
                formats << label->textFormat();
            box->close();
        });
        QVERIFY(!m_window->files()->openPath(path));
        QVERIFY2(shown.contains(QStringLiteral("<a href='x'>link</a>")), qPrintable(shown));
        QVERIFY(formats.size() >= 2);
        QCOMPARE(formats.count(Qt::PlainText), formats.size());
    }

    void boxesThatNobodyThoughtOf() {
        QMessageBox box(QMessageBox::Warning, kLink, kLink, QMessageBox::Ok, m_window.get());
        box.setInformativeText(kLink);
        box.open();
        const auto labels = labelsOf(box);
        QVERIFY(labels.size() >= 2);
        for (const auto* label : labels)
            QCOMPARE(label->textFormat(), Qt::PlainText);
        box.close();
    }

    void whatSaysThatItIsMarkupStaysSo() {
        QLabel label(QStringLiteral("<b>own</b>"));
        label.setTextFormat(Qt::RichText);
        label.ensurePolished();
        QCOMPARE(label.textFormat(), Qt::RichText);
    }

private:
    static void look(Guessed& guessed) {
        QApplication::processEvents();
        guessed.look();
        QVERIFY2(guessed.found.isEmpty(), qPrintable(guessed.found.join(QLatin1Char('\n'))));
    }

    QTemporaryDir m_folder;
    QString m_path;
    engine::Scenario m_design;
    std::unique_ptr<MainWindow> m_window;
};

WIDGET_TEST(PlainTextTest)
#include "plain_text_test.moc"
