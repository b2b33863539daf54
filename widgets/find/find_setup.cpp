// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/find_setup.h"

#include "engine/base/error.h"
#include "widgets/document/document.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_values.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_words.h"
#include "widgets/find/found_search.h"
#include "widgets/find/objective_list.h"
#include "widgets/find/seek_panel.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

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

void FindSetup::addVariable(const QString& path) {
    m_touched = true;
    m_variables->add(path);
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
