// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/roofline_workspace.h"

#include "engine/base/error.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/roofline/operator_model.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <cstddef>

namespace heteroscape::widgets {

namespace {
constexpr int kListWidth = 352;
constexpr std::size_t kMostRooflines = 24; ///< that can be told apart
constexpr std::size_t kNodesAtOnce = 100;  ///< of a larger design they are found on another thread
} // namespace

RooflineWorkspace::RooflineWorkspace(Document* document, QWidget* parent)
    : SeenWidget(parent), m_document(document), m_chips(new QHBoxLayout),
      m_labels(new QPushButton(tr("Labels"), this)), m_pages(new QStackedWidget(this)),
      m_message(new TextLabel({}, TextSize::Body, ColorRole::Text2, this)), m_notice(new NoticeBar(this)),
      m_view(new PlotView(this)), m_list(new OperatorList(this)),
      m_export(new ExportButton(
          [this] {
              auto chart =
                  rooflineChart(m_found.rooflines, {m_hidden, m_labels->isChecked(), {}, m_found.ceilings});
              return m_export->extent() == Extent::Shown ? zoomedTo(std::move(chart), m_view->view()) : chart;
          },
          {{tr("Operators (CSV)…"), QStringLiteral("csv"), [this] { return csv(); }}},
          QStringLiteral("roofline"), this)) {
    auto* left = new Surface(ColorRole::Surface, false, this);
    m_labels->setCheckable(true);
    m_labels->setChecked(true);
    m_labels->setProperty("chip", true);
    auto* fit = new QPushButton(tr("Fit"), left);
    Theme::instance().follow(fit, [fit] { fit->setIcon(Theme::instance().icon(QStringLiteral("fit"))); });
    connect(fit, &QPushButton::clicked, m_view, &PlotView::fit);
    m_view->notes().keepIn(*document);
    m_view->notes().setPlot("Roofline");
    m_chips->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new TextLabel(tr("Roofline"), TextSize::Heading, ColorRole::Text, QFont::DemiBold, left));
    head->addSpacing(8);
    head->addLayout(m_chips);
    head->addStretch(1);
    head->addWidget(m_labels);
    head->addWidget(fit);
    head->addWidget(m_export);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setMargin(24);
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_message);
    auto* column = makeColumn(left, {12, 10, 12, 6}, 6);
    column->addLayout(head);
    floatOver(m_notice, left, Qt::BottomEdge);
    column->addWidget(m_pages, 1);

    auto* side = new Surface(ColorRole::Panel, false, this);
    side->setFixedWidth(kListWidth);
    auto* find = new QLineEdit(side);
    find->setPlaceholderText(tr("Find an operator"));
    find->setAccessibleName(tr("Find an operator"));
    find->setClearButtonEnabled(true);
    connect(find, &QLineEdit::textChanged, m_list, &OperatorList::setFilter);
    m_note = new TextLabel({}, TextSize::Caption, ColorRole::Text, side);
    m_note->setWordWrap(true);
    auto* legend =
        new TextLabel(tr("The area of a mark is its share of the step's time. The ringed mark is the whole "
                         "step. Circles: prefill; diamonds: decode, at the mean context."),
                      TextSize::Caption, ColorRole::Muted, side);
    legend->setWordWrap(true);
    auto* sideColumn = makeColumn(side, {12, 10, 12, 12}, 8);
    sideColumn->addWidget(find);
    sideColumn->addWidget(m_list, 1);
    sideColumn->addWidget(m_note);
    sideColumn->addWidget(legend);

    auto* row = makeRow(this);
    row->addWidget(left, 1);
    row->addWidget(side);

    connect(m_labels, &QPushButton::toggled, this, [this] { redraw(true); });
    connect(m_view, &PlotView::pointClicked, this, [this](ChartPoint point) {
        if (point.line < 0)
            selectPoint(pointOfMark(point.index));
    });
    connect(m_list, &OperatorList::pointSelected, this, [this](int point) {
        const int mark = markOfPoint(point);
        m_view->select(mark >= 0 ? std::optional(ChartPoint{-1, mark}) : std::nullopt);
    });
    m_export->offerExtents();
    m_notice->follow(*m_export);
    connect(&Theme::instance(), &Theme::changed, this, &RooflineWorkspace::remakeChips);
    connect(m_document, &Document::changed, this, &RooflineWorkspace::follow);
    connect(m_document, &Document::evaluated, this, &RooflineWorkspace::follow);
    refreshNow();
}

RooflineWorkspace::Found RooflineWorkspace::find(const engine::Scenario& scenario) {
    Found found{engine::rooflines(scenario)};
    auto& all = found.rooflines;
    if (all.size() > kMostRooflines) {
        found.leftOut = all.size() - kMostRooflines;
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.detail.seconds > b.detail.seconds; });
        all.erase(all.begin() + kMostRooflines, all.end());
    }
    found.ceilings = rooflineCeilings(scenario, all);
    return found;
}

bool RooflineWorkspace::refresh() {
    const auto scenario = m_document->results().scenario;
    if (scenario->nodes.size() <= kNodesAtOnce) {
        m_job.drop();
        present(find(scenario));
        return true;
    }
    m_job.start([this, scenario](JobRun&) -> Job::Show {
        return [this, found = std::make_shared<Found>(find(scenario))] { present(std::move(*found)); };
    });
    return true;
}

void RooflineWorkspace::present(Found found) {
    m_found = std::move(found);
    std::vector<QString> names;
    for (const auto& roofline : m_found.rooflines)
        names.push_back(rooflineName(roofline));
    const bool sameDevices = names == m_chipNames && !names.empty();
    if (!sameDevices) {
        m_hidden.clear();
        m_chipNames = names;
        remakeChips();
    }
    if (m_found.rooflines.empty()) {
        auto text = tr("Nothing here computes yet. Put a GPU, NPU or FPGA on the canvas.");
        for (const auto& finding : m_document->diagnostics())
            if (finding.severity == engine::Severity::Error && !m_document->scenario().nodes.empty()) {
                text = QString::fromStdString(finding.message + ". " + finding.remedy);
                break;
            }
        m_message->setText(text);
    }
    m_pages->setCurrentIndex(m_found.rooflines.empty() ? 1 : 0);
    m_export->setEnabled(!m_found.rooflines.empty());
    redraw(sameDevices);
}

void RooflineWorkspace::remakeChips() {
    while (auto* item = m_chips->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < m_found.rooflines.size(); ++i) {
        auto* chip = new QPushButton(m_chipNames[i], this);
        chip->setCheckable(true);
        chip->setChecked(!m_hidden.contains(i));
        chip->setProperty("chip", true);
        const auto& theme = Theme::instance();
        const auto kind = m_found.rooflines[i].kind;
        chip->setIcon(QIcon(theme.pixmap(Theme::kindIcon(kind), theme.kind(kind), 16, devicePixelRatioF())));
        chip->setToolTip(plainTip(tr("Show or hide %1").arg(m_chipNames[i])));
        connect(chip, &QPushButton::toggled, this, [this, i](bool on) {
            if (on)
                m_hidden.erase(i);
            else
                m_hidden.insert(i);
            redraw(true);
        });
        m_chips->addWidget(chip);
    }
}

void RooflineWorkspace::redraw(bool keepView) {
    m_list->setRooflines(m_found.rooflines, m_hidden);
    m_note->setText(note());
    m_note->setVisible(!m_note->text().isEmpty());
    m_view->setChart(
        rooflineChart(m_found.rooflines, {m_hidden, m_labels->isChecked(), {}, m_found.ceilings}), keepView);
}

QString RooflineWorkspace::csv() const {
    if (m_export->extent() == Extent::Whole)
        return rooflineCsv(m_found.rooflines);
    const auto view = m_view->view();
    return rooflineCsv(m_found.rooflines, [&](const RooflinePoint& point) {
        const auto at = rooflinePlace(point);
        const bool seen = at.x() >= view.x.lower && at.x() <= view.x.upper && at.y() >= view.y.lower &&
                          at.y() <= view.y.upper;
        return !m_hidden.contains(point.roofline) && (seen || !point.drawable());
    });
}

QString RooflineWorkspace::note() const {
    QStringList notes;
    if (m_found.leftOut > 0)
        notes << tr("The %1 slowest steps of %2 are drawn.")
                     .arg(m_found.rooflines.size())
                     .arg(m_found.rooflines.size() + m_found.leftOut);
    for (std::size_t i = 0; i < m_found.rooflines.size(); ++i)
        if (const auto why = engine::leftOfRidge(m_found.rooflines[i]); !why.empty() && !m_hidden.contains(i))
            notes << QString::fromStdString(why);
    return notes.join(u'\n');
}

void RooflineWorkspace::selectPoint(int point) {
    m_list->selectPoint(point);
    const int mark = markOfPoint(point);
    m_view->select(mark >= 0 ? std::optional(ChartPoint{-1, mark}) : std::nullopt);
}

int RooflineWorkspace::markOfPoint(int point) const {
    const auto points = rooflinePoints(m_found.rooflines);
    int mark = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].drawable() || m_hidden.contains(points[i].roofline))
            continue;
        if (static_cast<int>(i) == point)
            return mark;
        ++mark;
    }
    return -1;
}

int RooflineWorkspace::pointOfMark(int wanted) const {
    const auto points = rooflinePoints(m_found.rooflines);
    int mark = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].drawable() && !m_hidden.contains(points[i].roofline) && mark++ == wanted)
            return static_cast<int>(i);
    return -1;
}

} // namespace heteroscape::widgets

#include "moc_roofline_workspace.cpp"
