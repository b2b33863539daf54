// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_tile.h"

#include "engine/evaluation/evaluate.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_source.h"
#include "widgets/timeline/timeline_view.h"

#include <QScrollArea>
#include <QToolButton>

namespace heteroscape::widgets {

StepPage::StepPage(QWidget* parent) : QStackedWidget(parent) {
    m_timeline = new TimelineView;
    auto* scroll = scrolled(m_timeline, this); // lanes keep their height in a low tile
    m_none = new TextLabel({}, TextSize::Body, ColorRole::Text2, this);
    m_none->setWordWrap(true);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setMargin(16);
    addWidget(scroll);
    addWidget(m_none);
    connect(&m_job, &Job::failed, this, &StepPage::tell);
}

void StepPage::tell(const QString& reason) {
    m_none->setText(reason);
    setCurrentIndex(reason.isEmpty() ? 0 : 1);
}

void StepPage::showStep(const LoadedStudy& study, std::optional<std::size_t> row,
                        const std::string& without) {
    if (!row)
        return tell(tr("Choose a point: its step is shown here."));
    TimelineChoice choice;
    if (!without.empty())
        choice.without = without;
    m_job.start([this, choice, scenario = study.scenarioOf(*row)](JobRun&) -> Job::Show {
        auto source =
            timelineSource(scenario, engine::evaluate(scenario), engine::validate(scenario), choice);
        return [this, source = std::move(source)] {
            tell(source.reason);
            m_timeline->setTracks(source.tracks, true);
        };
    });
}

PlotTile::PlotTile(QWidget* parent)
    : Surface(ColorRole::Surface, true, parent),
      m_title(new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)) {
    m_note->setElided(true);
}

QVBoxLayout* PlotTile::makeColumn(ExportButton* exports, std::initializer_list<QWidget*> own) {
    m_export = exports;
    m_maximise = makeButton(QStringLiteral("maximise"), tr("Maximise this plot"), "maximise");
    m_close = makeButton(QStringLiteral("close"), tr("Close this plot"), "closeTile");
    connect(m_maximise, &QToolButton::clicked, this, &PlotTile::maximiseRequested);
    connect(m_close, &QToolButton::clicked, this, &PlotTile::closeRequested);
    m_export->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_export->setToolTip(tr("Export this plot"));
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(m_title, 0);
    head->addWidget(m_note, 1);
    for (auto* button : own)
        head->addWidget(button);
    for (auto* button : std::initializer_list<QWidget*>{m_export, m_maximise, m_close})
        head->addWidget(button);
    auto* column = widgets::makeColumn(this, {12, 8, 8, 8}, 6);
    column->addLayout(head);
    return column;
}

QToolButton* PlotTile::makeButton(const QString& icon, const QString& name, const char* object) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(object));
    button->setToolTip(plainTip(name));
    button->setAccessibleName(name);
    Theme::instance().follow(button, [button, icon] { button->setIcon(Theme::instance().icon(icon)); });
    return button;
}

void PlotTile::setMaximised(bool maximised) {
    const auto name = maximised ? tr("Show all plots") : tr("Maximise this plot");
    m_maximise->setToolTip(plainTip(name));
    m_maximise->setAccessibleName(name);
}

void PlotTile::setClosable(bool closable) {
    m_close->setEnabled(closable);
}

} // namespace heteroscape::widgets

#include "moc_plot_tile.cpp"
