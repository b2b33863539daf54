// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_panel.h"

#include "widgets/document/document.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kNodeLetters = 10;

QPushButton* makeChip(const QString& text, const QString& tip, QWidget* parent) {
    auto* chip = new QPushButton(text, parent);
    chip->setCheckable(true);
    chip->setProperty("chip", true);
    chip->setToolTip(plainTip(tip));
    return chip;
}

QToolButton* makeButton(const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(plainTip(tip));
    button->setFont(Theme::instance().font(TextSize::Dense));
    button->setMinimumHeight(24);
    return button;
}

} // namespace

TimelinePanel::TimelinePanel(Document* document, QWidget* parent)
    : DockPage(parent), m_document(document),
      m_headline(new TextLabel(TextSize::Dense, ColorRole::Text, m_tools, QFont::DemiBold)),
      m_node(new QComboBox(m_tools)),
      m_prefill(makeChip(tr("Prefill"), tr("One prefill of the whole batch"), m_tools)),
      m_decode(makeChip(tr("Decode"), tr("One decode step at the mean context"), m_tools)),
      m_baseline(new QComboBox(m_tools)),
      m_layer(makeButton(tr("Layer"), tr("Show one layer (Home)"), m_tools)),
      m_step(makeButton(tr("Step"), tr("Show the whole step (End)"), m_tools)),
      m_reason(new TextLabel(TextSize::Body, ColorRole::Text2, m_pages)) {
    setExport(new ExportButton(ExportButton::Picture([this](const QString& path, const ImageSize& size) {
                                   exportTimeline(m_source.tracks,
                                                  m_export->extent() == Extent::Shown ? m_view->view()
                                                                                      : m_view->whole(),
                                                  path, size);
                               }),
                               {{tr("Segments of the step (CSV)\u2026"), QStringLiteral("csv"),
                                 [this] {
                                     return m_export->extent() == Extent::Shown
                                                ? timelineCsv(m_source.tracks, m_view->view())
                                                : timelineCsv(m_source.tracks);
                                 }},
                                {tr("Chrome trace of the step (JSON)\u2026"), QStringLiteral("json"),
                                 [this] { return timelineTrace(m_source.tracks); }}},
                               QStringLiteral("timeline"), m_tools),
              tr("Export the timeline"));
    m_view = new TimelineView(m_pages);
    setTerm(this, "timeline");
    setTerm(m_tools, "timeline");
    setTerm(m_prefill, "prefill");
    setTerm(m_decode, "decode");
    setTerm(m_layer, "layer_us");
    setTerm(m_step, "Step");
    makeBar();
    m_reason->setWordWrap(true);
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setMargin(16);
    auto* scroll = scrolled(m_view, m_pages); // lanes keep their height in a low dock
    auto* empty = new Surface(ColorRole::Surface, false, m_pages);
    auto* middle = new QVBoxLayout(empty);
    middle->addWidget(m_reason);
    m_pages->addWidget(scroll);
    m_pages->addWidget(empty);
    connect(document, &Document::reset, this, [this] { // another design opens on a layer of its decode
        m_wanted.node = {};
        m_wanted.phase = engine::Phase::Decode;
        if (m_wanted.without)
            m_wanted.without = "";
        m_other = true;
    });
    connect(document, &Document::changed, this, &TimelinePanel::follow);
    connect(document, &Document::evaluated, this, &TimelinePanel::follow);
    connect(document, &Document::selectionChanged, this, [this] {
        const auto& nodes = m_document->selection().nodes;
        const auto& all = m_source.accelerators;
        if (nodes.size() != 1 || nodes.front() == m_wanted.node ||
            std::none_of(all.begin(), all.end(), [&](const auto& a) { return a.id == nodes.front(); }))
            return;
        m_wanted.node = nodes.front();
        follow();
    });
}

void TimelinePanel::makeBar() {
    m_headline->setObjectName(QStringLiteral("headline"));
    m_headline->setElided(true);
    m_headline->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_node->setObjectName(QStringLiteral("node"));
    m_node->setAccessibleName(tr("Device"));
    m_node->setFont(Theme::instance().font(TextSize::Dense));
    m_node->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_node->setMinimumContentsLength(kNodeLetters);
    m_prefill->setObjectName(QStringLiteral("prefill"));
    m_decode->setObjectName(QStringLiteral("decode"));
    m_decode->setChecked(true);
    m_baseline->setObjectName(QStringLiteral("baseline"));
    m_baseline->setAccessibleName(tr("Compared with"));
    m_baseline->setFont(Theme::instance().font(TextSize::Dense));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* row = makeBarRow(4);
    row->addWidget(m_headline, 1);
    for (auto* widget :
         std::initializer_list<QWidget*>{m_node, m_prefill, m_decode, m_baseline, m_layer, m_step, m_export})
        row->addWidget(widget);
    connect(m_node, &QComboBox::activated, this, [this](int index) {
        m_wanted.node = m_source.accelerators.at(static_cast<std::size_t>(index)).id;
        refreshNow();
    });
    connect(m_prefill, &QPushButton::clicked, this, [this] { choosePhase(engine::Phase::Prefill); });
    connect(m_decode, &QPushButton::clicked, this, [this] { choosePhase(engine::Phase::Decode); });
    connect(m_baseline, &QComboBox::activated, this, [this](int index) {
        const auto chosen = m_baseline->itemData(index);
        if (chosen.isValid())
            m_wanted.without = chosen.toString().toStdString();
        else
            m_wanted.without.reset();
        refreshNow();
    });
    connect(m_layer, &QToolButton::clicked, m_view, &TimelineView::fitLayer);
    connect(m_step, &QToolButton::clicked, m_view, &TimelineView::fitStep);
}

QString TimelinePanel::reason() const {
    return m_source.reason;
}

void TimelinePanel::choosePhase(engine::Phase phase) {
    m_wanted.phase = phase;
    // A node that never runs it gives way to the first that does.
    const auto& all = m_source.accelerators;
    const auto runs = [&](const auto& a) { return a.runs(phase); };
    const auto now =
        std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.id == m_source.shown.node; });
    if (now != all.end() && !runs(*now))
        if (const auto other = std::find_if(all.begin(), all.end(), runs); other != all.end())
            m_wanted.node = other->id;
    refreshNow();
}

bool TimelinePanel::refresh() {
    const auto before = m_source.shown;
    const bool hadTracks = !m_source.tracks.empty();
    m_source = timelineSource(m_document->results().scenario, m_document->evaluation(),
                              m_document->diagnostics(), m_wanted);
    const auto& shown = m_source.shown;
    m_wanted.node = shown.node;
    m_wanted.phase = shown.phase;
    const bool other = std::exchange(m_other, false);
    const bool same = hadTracks && !other && before.node == shown.node && before.phase == shown.phase;
    const bool there = m_source.reason.isEmpty();
    m_pages->setCurrentIndex(there ? 0 : 1);
    m_reason->setText(m_source.reason);
    m_headline->setText(headline(m_source.tracks));
    m_headline->setToolTip(plainTip(m_headline->text())); // where there is no room for all of it
    showNodes();
    m_prefill->setChecked(shown.phase == engine::Phase::Prefill);
    m_decode->setChecked(shown.phase == engine::Phase::Decode);
    const auto anyRuns = [this](engine::Phase phase) {
        return std::any_of(m_source.accelerators.begin(), m_source.accelerators.end(),
                           [phase](const auto& a) { return a.runs(phase); });
    };
    m_prefill->setEnabled(there && anyRuns(engine::Phase::Prefill));
    m_decode->setEnabled(there && anyRuns(engine::Phase::Decode));
    showBaselines();
    for (auto* button : std::initializer_list<QWidget*>{m_layer, m_step, m_export})
        button->setEnabled(there);
    m_view->setTracks(m_source.tracks, same);
    return true;
}

void TimelinePanel::compareWithout(const std::string& technique) {
    m_wanted.without = technique;
    follow();
}

void TimelinePanel::showBaselines() {
    const auto& all = m_source.techniques;
    m_baseline->clear();
    for (const auto& technique : all)
        m_baseline->addItem(tr("Without %1").arg(techniqueText(technique)),
                            QString::fromStdString(technique));
    if (all.size() > 1)
        m_baseline->addItem(tr("Without any"), QString());
    m_baseline->addItem(tr("No comparison"));
    const auto& without = m_source.shown.without;
    m_baseline->setCurrentIndex(without ? m_baseline->findData(QString::fromStdString(*without))
                                        : m_baseline->count() - 1);
    m_baseline->setEnabled(m_source.reason.isEmpty() && !all.empty());
    m_baseline->setToolTip(plainTip(
        all.empty() ? tr("Nothing to compare with: no technique that is on acts here")
                    : tr("The same step on the same scale of time: %1").arg(m_baseline->currentText())));
}

void TimelinePanel::showNodes() {
    m_node->clear();
    for (const auto& accelerator : m_source.accelerators) {
        m_node->addItem(accelerator.name);
        if (accelerator.id == m_source.shown.node)
            m_node->setCurrentIndex(m_node->count() - 1);
    }
    m_node->setToolTip(plainTip(m_node->currentText()));
    m_node->setVisible(m_source.accelerators.size() > 1);
}

} // namespace heteroscape::widgets

#include "moc_timeline_panel.cpp"
