// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/design_set.h"

#include "engine/scenario/edit.h"
#include "engine/scenario/runtime_choice.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <array>

namespace heteroscape::widgets {

DesignCard::DesignCard(const QString& name, bool isOpen, bool isReference, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent),
      m_status(new TextLabel(tr("Evaluating"), TextSize::Caption, ColorRole::Muted, this)),
      m_ideal(upperBoundPill(this)), m_reference(new QPushButton(tr("Reference"), this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* title = new TextLabel(name, TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
    title->setElided(true);
    m_status->setObjectName(QStringLiteral("status"));
    m_status->setElided(true);
    m_ideal->setObjectName(QStringLiteral("ideal"));
    m_reference->setObjectName(QStringLiteral("reference"));
    m_reference->setCheckable(true);
    m_reference->setChecked(isReference);
    m_reference->setProperty("chip", true);
    m_reference->setToolTip(tr("Ratios are told against this design"));
    m_reference->setAccessibleName(tr("%1 is the reference").arg(name));
    connect(m_reference, &QPushButton::clicked, this, [this] {
        m_reference->setChecked(true); // there is always one
        emit referenceChosen();
    });
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(title);
    words->addWidget(m_status);
    auto* row = makeRow(this, {12, 8, 8, 8}, 6);
    row->addLayout(words, 1);
    row->addWidget(m_ideal);
    row->addWidget(m_reference);
    if (isOpen) {
        setToolTip(tr("The open design"));
        return;
    }
    const auto button = [&](const QString& child, const QString& icon, const QString& what, auto then) {
        auto* made = new QToolButton(this);
        made->setObjectName(child);
        made->setAutoRaise(true);
        made->setToolTip(plainTip(what));
        made->setAccessibleName(tr("%1: %2").arg(what, name));
        Theme::instance().follow(made, [made, icon] { made->setIcon(Theme::instance().icon(icon)); });
        connect(made, &QToolButton::clicked, this, then);
        row->addWidget(made);
    };
    button(QStringLiteral("open"), QStringLiteral("canvas"), tr("Open on the canvas"), &DesignCard::opened);
    button(QStringLiteral("remove"), QStringLiteral("close"), tr("Take out of the comparison"),
           &DesignCard::removed);
}

void DesignCard::setDesign(const ComparedDesign& design) {
    m_ideal->setVisible(design.runs() && engine::truthOf(design.input.scenario) == engine::Truth::Ideal);
    m_status->setRole(design.runs() ? ColorRole::Muted : ColorRole::Error);
    m_status->setText(design.runs() ? tr("Limited by %1")
                                          .arg(QString::fromStdString(
                                              engine::boundLabel(design.input.scenario, design.evaluation)))
                                    : tr("Cannot run: %1").arg(design.reason));
}

DesignSet::DesignSet(QObject* parent) : QObject(parent) {
    connect(&m_job, &Job::failed, this, &DesignSet::failed);
}

void DesignSet::setOpen(DesignInput open) {
    if (m_inputs.front() == open && (isBusy() || !m_designs.empty()))
        return;
    m_inputs.front() = std::move(open);
    emit inputsChanged();
    run();
}

QString DesignSet::freeName(const QString& stem) const {
    auto name = stem;
    const auto isTaken = [this, &name] {
        return std::any_of(m_inputs.begin(), m_inputs.end(),
                           [&name](const DesignInput& input) { return input.name == name; });
    };
    for (int i = 2; isTaken(); ++i)
        name = QStringLiteral("%1 (%2)").arg(stem).arg(i);
    return name;
}

void DesignSet::add(DesignInput design) {
    const auto first = std::find_if(m_inputs.begin(), m_inputs.end(), [&design](const DesignInput& input) {
        return input.name == design.name;
    });
    if (first != m_inputs.end()) // what tells it from the one that has the name, as pins are named
        if (const auto told = differenceNames(std::array{first->scenario, design.scenario})[1];
            !told.isEmpty())
            design.name = tr("%1, %2").arg(design.name, told);
    design.name = freeName(design.name);
    m_inputs.push_back(std::move(design));
    m_own.emplace_back();
    emit inputsChanged();
    run();
}

void DesignSet::remove(std::size_t index) {
    if (index == 0 || index >= m_inputs.size())
        return;
    m_inputs.erase(m_inputs.begin() + static_cast<std::ptrdiff_t>(index));
    m_own.erase(m_own.begin() + static_cast<std::ptrdiff_t>(index));
    if (m_reference == index)
        m_reference = 0;
    else if (m_reference > index)
        --m_reference;
    emit inputsChanged();
    run();
}

void DesignSet::serveAlike() {
    const auto& open = m_inputs.front().scenario;
    for (std::size_t i = 1; i < m_inputs.size(); ++i) {
        auto served = m_inputs[i].scenario;
        served.model = open.model;
        served.workload = open.workload;
        served.serving = open.serving;
        exchange(i, std::move(served), tr("%1, same workload"));
    }
    emit inputsChanged();
    run();
}

void DesignSet::exchange(std::size_t i, engine::Scenario design, const QString& name) {
    auto& input = m_inputs[i];
    if (design == input.scenario)
        return;
    if (!m_own[i]) {
        m_own[i] = input;
        input.name = freeName(name.arg(input.name));
    }
    input.scenario = std::move(design);
}

void DesignSet::timeAlike(const std::vector<engine::EditList>& edits) {
    for (std::size_t i = 1; i < std::min(m_inputs.size(), edits.size()); ++i) {
        auto design = m_inputs[i].scenario;
        engine::applyEdit(design, edits[i]);
        exchange(i, std::move(design), tr("%1, like for like"));
    }
    m_timedAlike = true;
    emit inputsChanged();
    run();
}

void DesignSet::serveOwn() {
    for (std::size_t i = 1; i < m_inputs.size(); ++i) {
        if (!m_own[i])
            continue;
        m_inputs[i].scenario = m_own[i]->scenario;
        m_inputs[i].name = freeName(m_own[i]->name); // another may have come by that name since
        m_own[i].reset();
    }
    m_timedAlike = false;
    emit inputsChanged();
    run();
}

bool DesignSet::anyServesAlike() const {
    return std::any_of(m_own.begin(), m_own.end(), [](const auto& own) { return own.has_value(); });
}

void DesignSet::setReference(std::size_t index) {
    if (index >= m_inputs.size() || index == m_reference)
        return;
    m_reference = index;
    emit inputsChanged();
    if (!isBusy())
        emit evaluated();
}

void DesignSet::run() {
    m_job.start([this, inputs = m_inputs, known = m_designs](JobRun& run) -> Job::Show {
        ComparedDesigns designs;
        std::vector<engine::Scenario> scenarios;
        for (const auto& input : inputs) {
            if (run.isStopped())
                return {};
            const auto same = std::find_if(known.begin(), known.end(),
                                           [&](const auto& design) { return design->input == input; });
            designs.push_back(same != known.end() ? *same : compareDesign(input, run.stop()));
            scenarios.push_back(input.scenario);
        }
        return [this, designs, properties = engine::compareProperties(scenarios)] {
            m_designs = designs;
            m_properties = properties;
            emit evaluated();
        };
    });
}

} // namespace heteroscape::widgets

#include "moc_design_set.cpp"
