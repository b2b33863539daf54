// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/tornado_tile.h"

#include "widgets/explore/axis_row.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/theme/plain_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

enum Inputs { kAll, kCalibrated, kTicked };

engine::Scenario shownDesign(const StudyMarks& marks) {
    return marks.selected() ? marks.study()->scenarioOf(*marks.selected()) : *marks.study()->definition.base;
}

} // namespace

TornadoTile::TornadoTile(StudyMarks* marks, QWidget* parent)
    : PlotTile(parent), m_marks(marks), m_metric(new QComboBox(this)), m_inputs(new QComboBox(this)),
      m_share(new QDoubleSpinBox(this)), m_list(new ChoiceList(this)), m_chart(new TornadoChart(this)) {
    for (const auto& spec : engine::metricSpecs())
        m_metric->addItem(QString::fromUtf8(spec.label), QString::fromUtf8(spec.key));
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setObjectName(QStringLiteral("tornadoMetric"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(8);
    m_metric->view()->setMinimumWidth(m_metric->view()->sizeHintForColumn(0) + 24);
    m_inputs->addItems({tr("All inputs"), tr("Calibrated constants"), tr("Ticked inputs")});
    m_inputs->setAccessibleName(tr("Inputs"));
    m_inputs->setObjectName(QStringLiteral("tornadoInputs"));
    m_inputs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_inputs->setMinimumContentsLength(8);
    m_inputs->view()->setMinimumWidth(m_inputs->view()->sizeHintForColumn(0) + 24);
    m_share->setRange(1, 50);
    m_share->setDecimals(0);
    m_share->setValue(engine::kAssumedUncertainty * 100);
    m_share->setPrefix(QStringLiteral("±"));
    m_share->setSuffix(QStringLiteral("\u2009%"));
    m_share->setAccessibleName(tr("Moved by, where nothing is stated"));
    m_share->setToolTip(plainTip(m_share->accessibleName()));
    m_share->setObjectName(QStringLiteral("tornadoShare"));
    m_title->setText(tr("Sensitivity"));
    auto* exports = new ExportButton(
        ExportButton::Picture(
            [this](const QString& path, const ImageSize& size) { m_chart->exportTo(path, size); }),
        {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"), [this] { return m_chart->csv(); }}},
        QStringLiteral("sensitivity"), this);
    m_choose = makeButton(QStringLiteral("check"), tr("Tick inputs…"), "tickInputs");
    auto* choices = new QHBoxLayout;
    choices->setSpacing(6);
    choices->addWidget(m_metric, 3);
    choices->addWidget(m_inputs, 3);
    choices->addWidget(m_choose);
    choices->addWidget(m_share);
    auto* key = new TextLabel(
        tr("● stated uncertainty, ◌ the share above. Orange: at the low end, blue: at the high end. Click a "
           "name to sweep it."),
        TextSize::Caption, ColorRole::Muted, this);
    key->setElided(true);
    auto* column = makeColumn(exports);
    column->addLayout(choices);
    column->addWidget(m_chart, 1);
    column->addWidget(key);

    connect(m_metric, &QComboBox::currentIndexChanged, this, &TornadoTile::evaluate);
    connect(m_inputs, &QComboBox::currentIndexChanged, this, &TornadoTile::evaluate);
    connect(m_share, &QDoubleSpinBox::valueChanged, this, &TornadoTile::evaluate);
    connect(m_choose, &QToolButton::clicked, this, &TornadoTile::openInputs);
    connect(m_list, &ChoiceList::picked, this, [this](const QStringList& paths) {
        m_ticked = paths;
        m_inputs->setCurrentIndex(kTicked);
        evaluate();
    });
    connect(m_chart, &TornadoChart::nameClicked, this, &TornadoTile::sweepRequested);
    connect(marks, &StudyMarks::selectedChanged, this, &TornadoTile::evaluate);
    connect(marks, &StudyMarks::baselineChanged, this, &TornadoTile::evaluate);
    connect(marks, &StudyMarks::scrubbedChanged, this, &TornadoTile::showNote);
    connect(&m_job, &Job::failed, this, [this](const QString& message) {
        TornadoPicture picture;
        picture.emptyText = message;
        m_chart->setPicture(std::move(picture));
    });
}

void TornadoTile::showMetric(const std::string& metric) {
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(QString::fromStdString(metric))));
}

void TornadoTile::follow() {
    evaluate();
}

void TornadoTile::openInputs() {
    if (!m_marks->study())
        return;
    std::vector<ChoiceList::Entry> entries;
    for (const auto& input : engine::allInputs(shownDesign(*m_marks))) {
        const auto path = QString::fromStdString(input.path);
        entries.push_back({path, QString::fromStdString(input.label), m_ticked.contains(path)});
    }
    m_list->open(entries, m_choose);
}

void TornadoTile::showNote() {
    const auto row = m_marks->study() ? m_marks->selected() : std::nullopt;
    const auto of = row ? m_marks->study()->nameOf(*row) : tr("of the study's base");
    m_note->setText(m_marks->isScrubbed() ? tr("the sliders do not move it: %1, as stored").arg(of) : of);
}

void TornadoTile::evaluate() {
    if (!m_marks->study()) {
        m_job.drop();
        m_chart->setPicture({});
        return;
    }
    showNote();
    m_job.start([this, scenario = shownDesign(*m_marks),
                 key = m_metric->currentData().toString().toStdString(), which = m_inputs->currentIndex(),
                 baseline = m_marks->baseline(), ticked = m_ticked,
                 share = m_share->value() / 100](JobRun& run) -> Job::Show {
        auto inputs = which == kCalibrated ? engine::calibratedInputs(scenario, share)
                                           : engine::allInputs(scenario, share);
        if (which == kTicked)
            std::erase_if(inputs, [&](const auto& input) {
                return !ticked.contains(QString::fromStdString(input.path));
            });
        TornadoPicture picture;
        picture.tornado = engine::tornado(scenario, inputs, key, run.stop());
        const auto& spec = *engine::findMetric(key);
        picture.metric = QString::fromUtf8(spec.label);
        picture.unit = QString::fromUtf8(spec.unit);
        if (baseline && baseline->metrics.contains(key)) {
            picture.unit = QStringLiteral("×");
            picture.tornado.base = baseline->ratio(key, picture.tornado.base);
            for (auto& swing : picture.tornado.swings)
                for (auto* end : {&swing.atLow, &swing.atHigh})
                    *end = baseline->ratio(key, *end);
        } else {
            picture.shown = engine::shownUnit(spec.unit, picture.tornado.base);
        }
        picture.emptyText = inputs.empty() ? which == kTicked ? tr("No input is ticked.")
                                                              : tr("No input of this design is calibrated.")
                                           : tr("None of these inputs moves this metric here.");
        return [this, picture] { m_chart->setPicture(picture); };
    });
}

} // namespace heteroscape::widgets

#include "moc_tornado_tile.cpp"
