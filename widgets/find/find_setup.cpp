// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/find_setup.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "widgets/document/document.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/find/found_search.h"
#include "widgets/find/seek_panel.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// What is asked for next, in this order.
constexpr const char* kUsualGoals[] = {"throughput_tok_s", "price_usd", "tpot_s", "ttft_s"};

/// What one wants of it, unless one says otherwise.
int usualWay(const QString& column) {
    const auto* spec = engine::findMetric(column.toStdString());
    return spec && spec->better > 0 ? 1 : -1;
}

} // namespace

ObjectiveList::ObjectiveList(QWidget* parent)
    : QWidget(parent), m_add(new QPushButton(tr("Add"), this)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_add->setProperty("flat", true);
    m_add->setObjectName(QStringLiteral("addObjective"));
    m_add->setAccessibleName(tr("Add an objective"));
    connect(m_add, &QPushButton::clicked, this, [this] {
        for (const auto* next : kUsualGoals)
            if (std::none_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
                    return row.what->currentData().toString() == QLatin1String(next);
                })) {
                addRow({next, usualWay(QLatin1String(next))});
                m_rows.back().what->setFocus();
                emit edited();
                return;
            }
    });
}

std::vector<engine::SearchGoal> ObjectiveList::goals() const {
    std::vector<engine::SearchGoal> goals;
    for (const auto& row : m_rows)
        goals.push_back({row.what->currentData().toString().toStdString(), row.way->currentData().toInt()});
    return goals;
}

void ObjectiveList::setGoals(const std::vector<engine::SearchGoal>& goals) {
    for (const auto& row : std::exchange(m_rows, {}))
        delete row.widget;
    for (const auto& goal : goals)
        addRow(goal);
    showAdd();
}

void ObjectiveList::setVariables(const std::vector<std::pair<QString, QString>>& variables) {
    if (std::exchange(m_variables, variables) == variables)
        return;
    for (const auto& row : m_rows) {
        const QSignalBlocker quiet(row.what);
        fill(row.what, row.what->currentData().toString());
    }
}

void ObjectiveList::fill(QComboBox* what, const QString& chosen) const {
    what->clear();
    for (const auto& spec : engine::metricSpecs())
        what->addItem(QString::fromUtf8(spec.label), QString::fromUtf8(spec.key));
    what->addItem(tr("Devices"), QStringLiteral("devices"));
    for (const auto& [path, name] : m_variables)
        what->addItem(name, path);
    if (what->findData(chosen) < 0)
        what->addItem(chosen, chosen); // a variable that is none any more, a metric of a node
    what->setCurrentIndex(what->findData(chosen));
}

void ObjectiveList::addRow(const engine::SearchGoal& goal) {
    auto* widget = new QWidget(this);
    Row row{widget, new QComboBox(widget), new QComboBox(widget)};
    row.way->addItem(tr("Most"), 1);
    row.way->addItem(tr("Least"), -1);
    row.way->setCurrentIndex(goal.better > 0 ? 0 : 1);
    row.way->setAccessibleName(tr("Most or least"));
    fill(row.what, QString::fromStdString(goal.column));
    row.what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.what->setMinimumContentsLength(8);
    row.what->setMaxVisibleItems(20);
    row.what->setAccessibleName(tr("Objective"));
    auto* gone = new QToolButton(widget);
    Theme::instance().follow(
        gone, [gone] { gone->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted)); });
    gone->setToolTip(tr("Remove this objective"));
    gone->setAccessibleName(tr("Remove this objective"));
    auto* line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(row.way);
    line->addWidget(row.what, 1);
    line->addWidget(gone);
    m_column->addWidget(widget);
    widget->show();
    m_rows.push_back(row);
    connect(row.way, &QComboBox::activated, this, &ObjectiveList::edited);
    connect(row.what, &QComboBox::activated, this, [this, way = row.way, what = row.what] {
        way->setCurrentIndex(usualWay(what->currentData().toString()) > 0 ? 0 : 1);
        emit edited();
    });
    connect(gone, &QToolButton::clicked, this, [this, widget] { remove(widget); });
    showAdd();
}

void ObjectiveList::remove(const QWidget* row) {
    const auto at =
        std::find_if(m_rows.begin(), m_rows.end(), [row](const Row& one) { return one.widget == row; });
    at->widget->hide();
    at->widget->deleteLater();
    m_rows.erase(at);
    showAdd();
    m_add->setFocus();
    emit edited();
}

void ObjectiveList::showAdd() {
    m_add->setEnabled(m_rows.size() < engine::kMaxGoals);
}

namespace {

const std::vector<engine::SearchGoal> kFirstGoals{{"throughput_tok_s", 1}, {"price_usd", -1}};

void addSection(QVBoxLayout* column, const QString& heading, QPushButton* add, QWidget* content) {
    auto* head = new QHBoxLayout;
    head->addWidget(new TextLabel(heading, TextSize::Body, ColorRole::Text, QFont::DemiBold, nullptr), 1);
    if (add)
        head->addWidget(add);
    column->addLayout(head);
    column->addWidget(content);
}

} // namespace

FindSetup::FindSetup(Document* document, QWidget* parent)
    : SeenWidget(parent), m_document(document), m_variables(new AxisList(document, this)),
      m_objectives(new ObjectiveList(this)), m_limits(new LimitList(this, true)),
      m_seek(new SeekPanel(document, this)),
      m_points(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_error(new TextLabel(TextSize::Caption, ColorRole::Error, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(6);
    addSection(column, tr("Variables"), m_variables->addButton(), m_variables);
    column->addWidget(m_points);
    column->addWidget(m_error);
    column->addSpacing(8);
    addSection(column, tr("Objectives"), m_objectives->addButton(), m_objectives);
    column->addSpacing(8);
    addSection(column, tr("Limits"), nullptr, m_limits);
    column->addSpacing(8);
    addSection(column, tr("Goal seek"), nullptr, m_seek);
    column->addStretch(1);
    setTerm(m_variables, "axis");
    setTerm(m_points, "point");
    setTerm(m_objectives, "front");
    setTerm(m_limits, "limit");
    setTerm(m_seek, "limit");
    for (auto* label : {m_points, m_error})
        label->setWordWrap(true);
    m_objectives->setGoals(kFirstGoals);
    connect(m_variables, &AxisList::edited, this, [this] {
        m_touched = true;
        check();
    });
    connect(m_objectives, &ObjectiveList::edited, this, &FindSetup::check);
    connect(m_limits, &LimitList::changed, this, &FindSetup::check);
    connect(document, &Document::reset, this, [this] { m_touched = false; });
    connect(document, &Document::changed, this, &FindSetup::follow);
    refreshNow();
}

bool FindSetup::refresh() {
    if (!m_touched) {
        // What a study begins with, and the batch.
        auto wanted = defaultAxes(m_document->scenario());
        const AxisText batch{"workload.batch", "1:64:*2"};
        if (std::none_of(wanted.begin(), wanted.end(),
                         [&](const AxisText& axis) { return axis.path == batch.path; }))
            wanted.push_back(batch);
        if (wanted != m_variables->axes())
            m_variables->setAxes(wanted);
    }
    check();
    return true;
}

void FindSetup::setProblem(const engine::SearchProblem& problem) {
    m_touched = true;
    std::vector<AxisText> texts;
    for (const auto& axis : problem.study.axes)
        texts.push_back(axisText(axis));
    m_variables->setAxes(texts);
    m_objectives->setGoals(problem.goals);
    m_limits->setLimits(problem.study.limits);
    check();
}

void FindSetup::check() {
    m_problem.reset();
    engine::SearchProblem problem;
    problem.study = {m_document->title().toStdString(), baseOfStudies(*m_document), {}, m_limits->limits()};
    QString error, points;
    const auto axes = m_variables->read();
    if (axes) {
        std::vector<std::pair<QString, QString>> numbers;
        QStringList lengths;
        for (const auto& axis : *axes) {
            lengths << countText(axis.values.size());
            if (!axis.isChoice())
                numbers.emplace_back(QString::fromStdString(axis.path),
                                     columnWords(problem.study.base, axis.path).label);
        }
        m_objectives->setVariables(numbers);
        problem.study.axes = *axes;
        problem.goals = m_objectives->goals();
        points = tr("%1 = %2 designs")
                     .arg(lengths.join(QStringLiteral(" × ")), countText(problem.study.pointCount()));
        try {
            engine::checkProblem(problem);
            m_problem = std::move(problem);
        } catch (const engine::Error& wrong) {
            error = QString::fromUtf8(wrong.what());
        }
    } else if (m_variables->axes().empty()) {
        points = tr("Add a variable: a parameter of the design and the values it may take.");
    }
    m_points->setText(points);
    m_points->setVisible(!points.isEmpty());
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_seek->setLimits(m_limits->limits());
    emit changed();
}

void FindSetup::showBroken(const engine::SearchTally* tally, const std::vector<engine::Limit>& limits) {
    std::vector<std::pair<engine::Limit, double>> shares;
    for (std::size_t i = 0; tally && i < limits.size(); ++i)
        if (tally->running() > 0)
            shares.emplace_back(limits[i], static_cast<double>(tally->broken(i)) /
                                               static_cast<double>(tally->running()));
    m_limits->showBinding(shares);
}

} // namespace heteroscape::widgets

#include "moc_find_setup.cpp"
