// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_setup.h"

#include "engine/base/error.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/document/serving_view.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/drop_slot.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

StudySetup::StudySetup(Document* document, QWidget* parent)
    : SourceForm(parent), m_document(document), m_axisColumn(new QVBoxLayout),
      m_listWords(new TextLabel({}, TextSize::Dense, ColorRole::Text, this)),
      m_listGone(new QPushButton(tr("Remove"), this)), m_picker(new AxisPicker(this)),
      m_add(new QPushButton(tr("Add axis"), this)), m_openPoints(new QPushButton(tr("Open points…"), this)),
      m_slot(new DropSlot(this)), m_design(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_points(new TextLabel({}, TextSize::Dense, ColorRole::Text2, this)),
      m_forecast(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)),
      m_idle(new TextLabel({}, TextSize::Caption, ColorRole::Warning, this)),
      m_leaveOut(new QPushButton(tr("Leave out those axes"), this)), m_arrivals(new QPushButton(this)),
      m_limits(new LimitList(this)), m_run(new RunRow(this)), m_forecaster(new StudyForecaster(this)) {
    auto* column = makeColumn(this, {}, 6);
    column->addWidget(new TextLabel(tr("Study"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this));
    column->addWidget(m_design);
    column->addSpacing(2);
    m_axisColumn->setSpacing(4);
    column->addLayout(m_axisColumn);
    column->addWidget(m_slot);
    auto* list = new QHBoxLayout;
    list->addWidget(m_listWords, 1);
    list->addWidget(m_listGone, 0, Qt::AlignTop);
    column->addLayout(list);
    auto* more = new QHBoxLayout;
    more->addWidget(m_add);
    more->addWidget(m_openPoints);
    more->addStretch(1);
    column->addLayout(more);
    column->addWidget(m_error);
    column->addWidget(m_leaveOut, 0, Qt::AlignLeft);
    column->addWidget(m_idle);
    column->addWidget(m_arrivals, 0, Qt::AlignLeft);
    column->addSpacing(4);
    column->addWidget(m_limits);
    column->addSpacing(4);
    auto* outcome = new QVBoxLayout;
    outcome->setSpacing(0);
    outcome->addWidget(m_points);
    outcome->addWidget(m_forecast);
    column->addLayout(outcome);
    column->addWidget(m_run);
    for (auto* label : {m_design, m_points, m_forecast, m_error, m_idle, m_listWords})
        label->setWordWrap(true);
    for (auto* button : {m_add, m_openPoints, m_listGone})
        button->setProperty("flat", true);
    m_openPoints->setObjectName(QStringLiteral("openPoints"));
    m_openPoints->setToolTip(tr("A CSV of points in the place of axes: a column for each parameter, by its "
                                "path, and a row for each point"));
    m_listWords->setObjectName(QStringLiteral("pointList"));
    m_listGone->setObjectName(QStringLiteral("removePoints"));
    m_listGone->setToolTip(tr("Takes the points away; axes can be added again"));
    m_forecast->setObjectName(QStringLiteral("forecast"));
    m_arrivals->setObjectName(QStringLiteral("arrivals"));
    m_error->hide();
    m_idle->hide();
    m_arrivals->hide();
    m_leaveOut->hide();
    m_leaveOut->setObjectName(QStringLiteral("leaveOut"));
    setAcceptDrops(true);
    setProperty("takesFiles", QStringLiteral("csv"));

    connect(m_openPoints, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Open points"), {}, tr("Points (*.csv)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &StudySetup::openPoints);
        dialog->open();
    });
    connect(m_listGone, &QPushButton::clicked, this, [this] {
        m_list.reset();
        check();
        m_add->setFocus();
    });
    connect(m_limits, &LimitList::changed, this, [this] {
        if (m_study)
            m_study->limits = m_limits->limits();
        emit limitsChanged();
    });
    connect(m_forecaster, &StudyForecaster::told, this, [this](const engine::StudyForecast& told) {
        const auto stored = (told.exact ? tr("%1 of them stored") : tr("about %1 of them stored"))
                                .arg(countText(told.stored));
        const auto time = timeWords(told.seconds);
        m_forecast->setText(told.stored == told.points ? tr("All of them stored already")
                            : told.stored == 0         ? time
                            : time.isEmpty()           ? stored
                                                       : QStringLiteral("%1, %2").arg(stored, time));
        m_forecast->setVisible(!m_forecast->text().isEmpty());
    });
    // Run says it better: there, the store or the study is what the user waits for.
    connect(m_forecaster, &StudyForecaster::failed, m_forecast, &QWidget::hide);
    connect(m_arrivals, &QPushButton::clicked, this, [this] {
        if (m_proposed)
            setArrivals(*m_document, m_proposed);
        else
            emit arrivalsRequested();
    });
    connect(m_leaveOut, &QPushButton::clicked, this, &StudySetup::leaveOutParts);
    connect(m_picker, &AxisPicker::picked, this, [this](const QString& path) {
        addAxis(path);
        auto* row = m_rows.back();
        if (!row->isChoice() || row->text().values.find(',') != std::string::npos)
            return;
        layout()->activate(); // the row is new: its list opens where it will stand
        row->openChoices();
    });
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<std::string> taken;
        for (const auto& axis : axes())
            taken.push_back(axis.path);
        m_picker->open(m_document->scenario(), m_document->catalog(), taken, m_add);
    });
    Theme::instance().follow(
        this, [this] { m_add->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent)); });
    connect(m_document, &Document::reset, this, [this] { followDocument(true); });
    connect(m_document, &Document::changed, this, [this] { followDocument(false); });
    connect(m_document, &Document::titleChanged, this, [this] { m_design->setText(m_document->title()); });
    followDocument(true);
}

void StudySetup::setStorePath(const QString& path) {
    m_forecaster->setStorePath(path);
    forecast();
}

void StudySetup::followDocument(bool fresh) {
    m_behind = true;
    m_fresh = m_fresh || fresh;
    if (isVisible())
        catchUp();
}

void StudySetup::catchUp() {
    if (m_behind)
        takeDocument(std::exchange(m_fresh, false));
}

void StudySetup::showEvent(QShowEvent* event) {
    SourceForm::showEvent(event);
    catchUp();
    forecast();
}

void StudySetup::hideEvent(QHideEvent* event) {
    SourceForm::hideEvent(event);
    m_forecaster->drop();
}

void StudySetup::takeDocument(bool fresh) {
    m_behind = false;
    m_design->setText(m_document->title());
    if (fresh)
        m_touched = false;
    if (m_touched) {
        check();
        return;
    }
    const auto wanted = defaultAxes(m_document->scenario());
    if (wanted != axes())
        setAxes(wanted);
    else
        check();
}

void StudySetup::takeStudy(const engine::Study& study) {
    if (engine::scenarioKey(study.base) != engine::scenarioKey(m_document->scenario()))
        m_document->replaceScenario(study.base, tr("Open the design of a study"));
    if (study.isList)
        takeList(QString::fromStdString(study.name), study.axes);
    else
        takeAxes(study.axes);
    m_limits->setLimits(study.limits);
    if (m_study)
        m_study->limits = study.limits;
    if (m_rows.empty())
        return;
    m_rows.front()->field()->setFocus();
    m_rows.front()->field()->deselect();
    m_rows.front()->field()->end(false);
}

void StudySetup::setAxes(const std::vector<AxisText>& axes) {
    catchUp();
    m_list.reset();
    for (auto* row : m_rows) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (const auto& axis : axes)
        addRow(axis);
    check();
}

void StudySetup::takeAxes(const std::vector<engine::Axis>& axes) {
    catchUp();
    m_touched = true;
    std::vector<AxisText> texts;
    for (const auto& axis : axes)
        texts.push_back(axisText(axis));
    setAxes(texts);
}

std::vector<AxisText> StudySetup::axes() {
    catchUp();
    std::vector<AxisText> texts;
    for (const auto* row : m_rows)
        texts.push_back(row->text());
    return texts;
}

std::vector<engine::Limit> StudySetup::limits() const {
    return m_limits->limits();
}

void StudySetup::setLimits(const std::vector<engine::Limit>& limits) {
    m_limits->setLimits(limits);
    if (m_study)
        m_study->limits = limits;
}

AxisRow* StudySetup::rowOf(const std::string& path) const {
    for (auto* row : m_rows)
        if (row->text().path == path)
            return row;
    return nullptr;
}

void StudySetup::addAxis(const QString& path) {
    catchUp();
    const auto wanted = path.toStdString();
    if (const auto* row = rowOf(wanted)) {
        row->field()->setFocus();
        row->field()->selectAll();
        return;
    }
    std::string values;
    try {
        values = startingValues(m_document->scenario(), m_document->catalog(), wanted);
    } catch (const engine::Error&) {
        values.clear(); // the row itself says what is wrong with the path
    }
    m_touched = true;
    m_list.reset();
    addRow({wanted, values});
    check();
    m_rows.back()->field()->setFocus();
    m_rows.back()->field()->selectAll();
}

void StudySetup::addChoice(const QString& path, const QString& id) {
    catchUp();
    const auto wanted = path.toStdString();
    if (!rowOf(wanted)) {
        std::string present; // stands beside what is added, where the catalogue has it
        try {
            const auto& scenario = m_document->scenario();
            const auto parameter = engine::findParameter(scenario, m_document->catalog(), wanted);
            present = engine::parameterText(scenario, parameter);
            const auto& choices = parameter.choices;
            if (std::find(choices.begin(), choices.end(), present) == choices.end())
                present.clear();
        } catch (const engine::Error&) {
            present.clear(); // the row itself says what is wrong with the path
        }
        m_touched = true;
        m_list.reset();
        addRow({wanted, present});
    }
    auto* row = rowOf(wanted);
    row->addChoice(id.toStdString());
    check();
    row->field()->setFocus();
}

void StudySetup::addRow(const AxisText& axis) {
    auto* row = new AxisRow(axis, this);
    m_rows.push_back(row);
    m_axisColumn->addWidget(row);
    row->show(); // at once: it may take the focus
    connect(row, &AxisRow::edited, this, [this] {
        m_touched = true;
        check();
    });
    connect(row, &AxisRow::removeRequested, this, [this, row] { removeRow(row); });
}

void StudySetup::removeRow(AxisRow* row) {
    m_touched = true;
    std::erase(m_rows, row);
    row->hide();
    row->deleteLater();
    check();
    m_add->setFocus();
}

void StudySetup::check() {
    const auto before = std::exchange(m_study, std::nullopt);
    engine::Study study{
        m_document->title().toStdString(), baseOfStudies(*m_document), {}, m_limits->limits()};
    bool whole = !m_rows.empty() || m_list;
    showList();
    QStringList lengths;
    for (auto* row : m_rows) {
        row->check(study.base, m_document->catalog());
        if (row->axis()) {
            study.axes.push_back(*row->axis());
            lengths << countText(row->axis()->values.size());
        } else
            whole = false;
    }
    QString error;
    if (whole)
        try {
            if (m_list)
                putList(study);
            else
                engine::checkStudy(study);
            m_points->setText(
                m_list ? tr("%1 points").arg(countText(study.pointCount()))
                       : tr("%1 points: %2")
                             .arg(countText(study.pointCount()), lengths.join(QStringLiteral(" × "))));
            m_study = std::move(study);
        } catch (const engine::Error& problem) {
            if (!markPartsOfSystems(study))
                error = QString::fromUtf8(problem.what());
        }
    m_leaveOut->setVisible(whole && !m_study && error.isEmpty());
    if (!m_study)
        m_points->setText(m_rows.empty() && !m_list
                              ? tr("Add an axis: a parameter of the design and the values it takes.")
                              : QString());
    m_points->setVisible(!m_points->text().isEmpty());
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_run->setRunnable(m_study.has_value());
    if (!m_study || !before || m_study->axes != before->axes ||
        engine::scenarioKey(m_study->base) != engine::scenarioKey(before->base))
        m_run->reset(); // what waits is another study
    forecast();
    checkArrivals();
    emit changed();
}

void StudySetup::forecast() {
    if (!m_study || m_run->isRunning()) {
        m_forecaster->drop();
        m_forecast->hide();
        return;
    }
    if (!isVisible())
        return;
    m_forecast->setText(tr("Looking how long it takes"));
    m_forecast->show();
    m_forecaster->ask(*m_study);
}

std::optional<engine::Study> StudySetup::study() {
    catchUp();
    return m_study;
}

void StudySetup::setRunning(bool running) {
    m_run->setRunning(running);
    forecast();
}

} // namespace heteroscape::widgets

#include "moc_study_setup.cpp"
