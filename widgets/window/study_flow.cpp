// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/study_flow.h"

#include "engine/units/number_text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/document/document.h"
#include "widgets/explain/hint_card.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/source_forms.h"
#include "widgets/explore/study_setup.h"
#include "widgets/find/find_page.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/start/buy_form.h"
#include "widgets/start/start_page.h"
#include "widgets/start/what_to_buy.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/validation/validation_page.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_pieces.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

namespace heteroscape::widgets {

namespace {

const std::string kBatchPath = "workload.batch";

/// What people who serve chats ask for, until they ask for something else.
const std::vector<engine::Limit> kUsualLimits{{.column = "tpot_s", .most = 0.05},
                                              {.column = "ttft_s", .most = 2.0}};

} // namespace

LargestBatchDialog::LargestBatchDialog(Document* document, QWidget* parent)
    : QDialog(parent), m_document(document), m_limits(new LimitList(this)),
      m_answer(new TextLabel(TextSize::Heading, ColorRole::Text, this)),
      m_stop(new TextLabel(TextSize::Body, ColorRole::Text2, this)) {
    setWindowTitle(tr("Largest batch within limits"));
    m_limits->setLimits(kUsualLimits);
    m_stop->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_set = buttons->addButton(tr("Set the batch"), QDialogButtonBox::AcceptRole);
    m_set->setObjectName(QStringLiteral("setBatch"));
    m_set->setProperty("primary", true);
    m_set->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &LargestBatchDialog::setBatch);
    connect(m_limits, &LimitList::changed, this, &LargestBatchDialog::seek);
    connect(&m_job, &Job::failed, this, &LargestBatchDialog::showProblem);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(m_limits);
    m_answer->setObjectName(QStringLiteral("answer"));
    column->addWidget(m_answer);
    column->addWidget(m_stop);
    column->addStretch(1);
    column->addWidget(buttons);
    resize(460, 280);
    seek();
}

void LargestBatchDialog::seek() {
    m_found.reset();
    m_set->setEnabled(false);
    m_job.start([this, design = m_document->scenario(), limits = m_limits->limits()](JobRun&) -> Job::Show {
        auto found = engine::largestWithin(design, kBatchPath, limits);
        return [this, found = std::move(found)] { showFound(found); };
    });
}

void LargestBatchDialog::showFound(const engine::LargestWithin& found) {
    m_found = found.value;
    const auto batch = QString::fromStdString(engine::exactText(found.value));
    m_answer->setText(tr("Batch %1").arg(batch));
    m_stop->setRole(ColorRole::Text2);
    m_stop->setText(found.stop.empty() ? tr("No limit stops it before the largest batch that there is.")
                                       : tr("One more, and %1.").arg(QString::fromStdString(found.stop)));
    m_set->setText(tr("Set the batch to %1").arg(batch));
    m_set->setEnabled(true);
    m_set->setDefault(true); // a button that has the focus takes it
    if (!m_limits->isAncestorOf(focusWidget()))
        m_set->setFocus();
}

void LargestBatchDialog::showProblem(const QString& problem) {
    m_answer->setText(tr("No batch"));
    m_stop->setRole(ColorRole::Error);
    m_stop->setText(problem);
    m_set->setText(tr("Set the batch"));
}

void LargestBatchDialog::setBatch() {
    if (m_found && m_document->set(kBatchPath, engine::exactText(*m_found)))
        accept();
}

class CommandRegistry;
class CompareWorkspace;

/// "Study": measured times against predicted ones, and calibration to measurements. `show` brings the
/// workspace to the front.
void addMeasuredCommands(CommandRegistry& commands, CompareWorkspace* compare,
                         const std::function<void()>& show);

namespace {

class MeasuredCommands {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::MainWindow)
};

} // namespace

void addMeasuredCommands(CommandRegistry& commands, CompareWorkspace* compare,
                         const std::function<void()>& show) {
    const auto add = commands.in(MeasuredCommands::tr("Study"));
    add("study.measured", MeasuredCommands::tr("&Validation: measured against predicted"), {}, "compare",
        [compare, show] {
            compare->setPage(CompareWorkspace::Page::Measured); // first: a page works as soon as it is seen
            show();
        });
    add("study.calibrate", MeasuredCommands::tr("&Calibrate to measurements\u2026"), {}, "target",
        [compare, show] {
            compare->setPage(CompareWorkspace::Page::Measured); // first: a page works as soon as it is seen
            show();
            compare->calibrate(compare->validationPage()->ownFile());
        });
}

StudyFlow::StudyFlow(const WindowPieces& window) : QObject(window.widget), m_window(window) {}

void StudyFlow::addCommands() {
    const auto add = m_window.commands->in(tr("Study"));
    add("study.setUp", tr("Set &up"), {}, "explore", [this] {
        m_window.workspaces->show(Workspace::Explore);
        m_window.explore->forms()->show(m_window.explore->sweeps());
    });
    add("study.sweep", tr("S&weep the focused quantity"), Qt::CTRL | Qt::SHIFT | Qt::Key_R, "sweep", [this] {
        if (const auto* field = qobject_cast<NumberEdit*>(QApplication::focusWidget()))
            sweep(field->path());
        else
            m_window.status->showMessage(tr("Click into a quantity first, then sweep it: Ctrl+Shift+R."),
                                         6000);
    });
    add("study.run", tr("&Run the study"), Qt::CTRL | Qt::Key_R, "play", [this] {
        m_window.workspaces->show(Workspace::Explore);
        m_window.explore->forms()->show(m_window.explore->sweeps());
        m_window.explore->run();
    });
    add("study.cancel", tr("&Cancel the study"), {}, "stop", [this] { m_window.explore->cancel(); });
    add("study.frontier", tr("Frontier: &throughput against speed"), {}, "explore", [this] {
        m_window.workspaces->show(Workspace::Explore);
        m_window.explore->forms()->show(m_window.explore->frontiers());
    });
    const auto showFind = [this] {
        m_window.workspaces->show(Workspace::Explore);
        m_window.explore->pages()->setPage(m_window.find);
    };
    add("study.find", tr("&Find the best designs within limits"), {}, "target", showFind);
    add("study.search", tr("Sea&rch for the best designs"), {}, "play", [this, showFind] {
        showFind();
        m_window.find->search();
    });
    add("study.buy", tr("What should I &buy?"), {}, "target", [this] {
        m_window.start->show();
        m_window.start->page()->buying()->form()->model()->setFocus(Qt::OtherFocusReason);
    });
    add("study.largestBatch", tr("&Largest batch within limits\u2026"), {}, "", [this] {
        auto* dialog = new LargestBatchDialog(m_window.document, m_window.widget);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    addMeasuredCommands(*m_window.commands, m_window.compare,
                        [this] { m_window.workspaces->show(Workspace::Compare); });
    makeHints();
    for (const auto& figure : m_window.explore->figures()) {
        auto* action = m_window.commands->add(
            QStringLiteral("figure.") + QString::fromStdString(figure.id),
            QString::fromStdString(figure.paper),
            QString::fromStdString(figure.name).replace(u'&', QStringLiteral("&&")), {},
            [this, id = figure.id] { open(id); }, QStringLiteral("explore"));
        action->setToolTip(plainTip(QString::fromStdString(figure.about)));
    }
}

void StudyFlow::makeHints() {
    auto* card = new HintCard(m_window.document, m_window.canvas);
    card->hide();
    auto* show = m_window.commands->add(QStringLiteral("study.hints"), tr("Study"),
                                        tr("&Hints: what decides, what would help"), Qt::CTRL | Qt::Key_I, {},
                                        QStringLiteral("bulb"));
    show->setCheckable(true);
    const auto keepClear = [this, card] { // where it is, is worked out only for a card that is seen
        const auto& nodes = m_window.document->selection().nodes;
        const auto place = m_window.canvas->canvasScene().contentRect(nodes);
        card->selectionMoved(nodes.empty() ? QRect() : m_window.canvas->mapFromScene(place).boundingRect());
    };
    connect(show, &QAction::toggled, card, [card, keepClear](bool on) {
        if (on)
            keepClear();
        card->setVisible(on);
    });
    connect(show, &QAction::triggered, this, [this](bool on) {
        if (on)
            m_window.workspaces->show(Workspace::Design);
    });
    connect(m_window.document, &Document::selectionChanged, card, [card, keepClear] {
        if (card->isVisible())
            keepClear();
    });
    connect(card, &HintCard::closed, show, [this, show] {
        show->setChecked(false);
        m_window.canvas->setFocus();
    });
    connect(card, &HintCard::compareRequested, this, &StudyFlow::compareWith);
    connect(card, &HintCard::sweepRequested, this, &StudyFlow::sweep);
}

void StudyFlow::compareWith(const QString& name, const engine::Scenario& design) {
    m_window.compare->setPage(CompareWorkspace::Page::Designs);
    m_window.workspaces->show(Workspace::Compare);
    m_window.compare->designsPage()->addDesign(name, design);
}

bool StudyFlow::open(const std::string& id) {
    const auto& figures = m_window.explore->figures();
    const auto figure =
        std::find_if(figures.begin(), figures.end(), [&id](const auto& one) { return one.id == id; });
    if (figure == figures.end())
        return false;
    const auto name = QString::fromStdString(figure->name);
    // Nothing is lost when nothing was changed; and saving must not write the figure's design over a user's
    // file.
    const bool replaces = m_window.document->isModified() && m_window.document->path().isEmpty();
    if (!replaces && !m_window.files->openPreset(figure->preset))
        return false;
    m_window.document->replaceScenario(figure->study.base, tr("Open %1").arg(name));
    m_window.canvas->camera().fitAll(); // and again when the window finds its size
    if (figure->study.axes.empty()) {
        m_window.workspaces->show(Workspace::Design);
        for (const auto& plot : figure->plots)
            if (plotForm(plot.kind).isTimeline() && plot.requests) {
                m_window.bottom->showPage(BottomDock::Page::Requests);
            } else if (plotForm(plot.kind).isTimeline()) {
                auto* timeline = m_window.bottom->timeline();
                timeline->compareWithout(plot.without);
                m_window.bottom->showPage(BottomDock::Page::Timeline);
                // Both steps as far as the canvas keeps half of the window.
                const int more = timeline->view()->sizeHint().height() - timeline->height();
                if (more > 0)
                    m_window.widget->resizeDocks(
                        {m_window.bottom},
                        {std::min(m_window.bottom->height() + more, m_window.widget->height() / 2)},
                        Qt::Vertical);
            }
        return true;
    }
    m_window.workspaces->show(Workspace::Explore);
    m_window.explore->openFigure(*figure);
    if (replaces)
        m_window.explore->notice()->showDone(
            tr("The design of “%1” is open now. Undo brings yours back.").arg(name));
    return true;
}

void StudyFlow::sweep(const std::string& path) {
    m_window.workspaces->show(Workspace::Explore);
    m_window.explore->addAxis(QString::fromStdString(path));
}

} // namespace heteroscape::widgets

#include "moc_study_flow.cpp"
