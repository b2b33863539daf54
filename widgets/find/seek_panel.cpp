// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/seek_panel.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/explore/axis_list.h"
#include "widgets/find/found_search.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace heteroscape::widgets {

namespace {

const std::string kBatch = "workload.batch";

/// Paths that seeking has no use for: choices, switches, layouts.
std::vector<std::string> notNumbers(const engine::Scenario& design, const engine::Catalog& catalog) {
    std::vector<std::string> paths;
    for (const auto& parameter : engine::listParameters(design, catalog))
        if (parameter.kind != engine::ParameterKind::Number)
            paths.push_back(parameter.path);
    return paths;
}

} // namespace

SeekPanel::SeekPanel(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_picker(new AxisPicker(this)), m_of(new QComboBox(this)),
      m_batch(new QPushButton(tr("Largest batch within the limits"), this)),
      m_parameter(new QPushButton(this)), m_metric(new QComboBox(this)), m_target(new QLineEdit(this)),
      m_seek(new QPushButton(tr("Seek"), this)),
      m_answer(new TextLabel(TextSize::Heading, ColorRole::Text, this, QFont::DemiBold)),
      m_why(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_set(new QPushButton(tr("Set"), this)) {
    m_batch->setObjectName(QStringLiteral("largestBatch"));
    m_parameter->setObjectName(QStringLiteral("soughtParameter"));
    m_metric->setObjectName(QStringLiteral("soughtMetric"));
    m_target->setObjectName(QStringLiteral("soughtTarget"));
    m_seek->setObjectName(QStringLiteral("seek"));
    m_set->setObjectName(QStringLiteral("setSought"));
    m_of->setObjectName(QStringLiteral("soughtOf"));
    m_of->setAccessibleName(tr("Design in which it is sought"));
    m_of->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_of->setMinimumContentsLength(8);
    m_parameter->setAccessibleName(tr("Parameter whose value is sought"));
    for (const auto& spec : engine::metricSpecs())
        m_metric->addItem(quantityLabel(QString::fromUtf8(spec.label), QString::fromUtf8(spec.unit)),
                          QString::fromUtf8(spec.key));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(8);
    m_metric->setMaxVisibleItems(20);
    m_metric->setAccessibleName(tr("What it is to give"));
    m_metric->setCurrentIndex(m_metric->findData(QStringLiteral("throughput_tok_s")));
    m_target->setPlaceholderText(tr("number"));
    m_target->setAccessibleName(tr("How much it is to give"));
    m_target->setMaxLength(40);
    m_why->setWordWrap(true);
    m_answer->setWordWrap(true);
    m_answer->hide();
    m_why->hide();
    m_set->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* on = new QHBoxLayout;
    on->setSpacing(4);
    on->addWidget(new TextLabel(tr("On"), TextSize::Dense, ColorRole::Text2, this));
    on->addWidget(m_of, 1);
    column->addLayout(on);
    column->addWidget(m_batch);
    auto* which = new QHBoxLayout;
    which->setSpacing(4);
    which->addWidget(new TextLabel(tr("Which"), TextSize::Dense, ColorRole::Text2, this));
    which->addWidget(m_parameter, 1);
    column->addLayout(which);
    auto* gives = new QHBoxLayout;
    gives->setSpacing(4);
    gives->addWidget(new TextLabel(tr("gives"), TextSize::Dense, ColorRole::Text2, this));
    gives->addWidget(m_metric, 2);
    gives->addWidget(m_target, 1);
    gives->addWidget(m_seek);
    column->addLayout(gives);
    auto* answer = new QHBoxLayout;
    answer->addWidget(m_answer, 1);
    answer->addWidget(m_set);
    column->addLayout(answer);
    column->addWidget(m_why);
    connect(m_batch, &QPushButton::clicked, this, &SeekPanel::seekBatch);
    connect(m_seek, &QPushButton::clicked, this, &SeekPanel::seekValue);
    connect(m_target, &QLineEdit::returnPressed, this, &SeekPanel::seekValue);
    connect(m_set, &QPushButton::clicked, this, &SeekPanel::take);
    connect(m_parameter, &QPushButton::clicked, this, [this] {
        m_picker->open(design(), m_document->catalog(), notNumbers(design(), m_document->catalog()),
                       m_parameter);
    });
    connect(m_picker, &AxisPicker::picked, this, [this](const QString& path) {
        m_path = path.toStdString();
        m_picked = true;
        follow();
        m_target->setFocus();
    });
    connect(&m_job, &Job::failed, this, [this](const QString& problem) {
        m_answer->setText(tr("No answer"));
        m_answer->show();
        m_why->setText(problem);
        m_why->show();
    });
    connect(m_of, &QComboBox::activated, this, [this](int index) {
        m_ofOpen = index == static_cast<int>(m_designs.size());
        follow();
    });
    connect(m_document, &Document::changed, this, &SeekPanel::follow);
    setFound({});
}

const engine::Scenario& SeekPanel::design() const {
    const auto at = static_cast<std::size_t>(std::max(0, m_of->currentIndex()));
    return at < m_designs.size() ? m_designs[at].second : m_document->scenario();
}

void SeekPanel::setFound(std::vector<std::pair<QString, engine::Scenario>> found) {
    const int before = m_of->currentIndex();
    m_designs = std::move(found);
    const int open = static_cast<int>(m_designs.size());
    m_of->clear();
    for (const auto& [name, design] : m_designs)
        m_of->addItem(name);
    m_of->addItem(tr("the open design"));
    m_of->setCurrentIndex(m_ofOpen || open == 0 ? open : std::clamp(before, 0, open - 1));
    follow();
}

QString SeekPanel::answer() const {
    return m_answer->isHidden() ? QString() : m_answer->text() + u' ' + m_why->text();
}

void SeekPanel::setLimits(std::vector<engine::Limit> limits) {
    std::erase_if(limits, [](const engine::Limit& limit) { return !engine::findMetric(limit.column); });
    m_limits = std::move(limits);
    m_batch->setEnabled(!m_limits.empty());
    m_batch->setToolTip(plainTip(m_limits.empty() ? tr("Add a limit on a metric first")
                                                  : tr("Of this design, as it is beside the batch")));
}

/// What was chosen, else the memory bandwidth of its first accelerator.
void SeekPanel::follow() {
    const auto& design = this->design();
    const auto isThere = [&] {
        try {
            engine::resolveQuantity(design, m_path);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    if (!m_picked || !isThere()) {
        m_picked = false;
        m_path = kBatch;
        for (const auto& node : design.nodes)
            if (engine::isAccelerator(node.device.kind)) {
                m_path = "nodes." + node.id.value + ".device.memory_bandwidth_gbps";
                break;
            }
    }
    const auto label = columnWords(design, m_path).label;
    m_parameter->setText(m_parameter->fontMetrics().elidedText(label, Qt::ElideRight, 170));
    m_parameter->setToolTip(plainTip(label));
}

void SeekPanel::seekBatch() {
    engine::GoalSeek wanted;
    wanted.path = kBatch;
    wanted.limits = m_limits;
    wanted.largest = true;
    seek(std::move(wanted), tr("Batch"));
}

void SeekPanel::seekValue() {
    const auto* spec = engine::findMetric(m_metric->currentData().toString().toStdString());
    const auto asked = tr("Type a number: how much %1 is to be.").arg(m_metric->currentText());
    double number = 0.0;
    try {
        if (!spec || m_target->text().trimmed().isEmpty())
            throw engine::Error(engine::ErrorCode::InvalidInput, {}, asked.toStdString());
        number = engine::parseQuantity(m_target->text().toStdString(), spec->unit, {}, decimalsHere());
    } catch (const engine::Error& error) {
        m_target->setFocus();
        m_answer->hide();
        m_set->hide();
        m_why->setText(problemText(error));
        m_why->show();
        return;
    }
    engine::Limit limit{std::string(spec->key)};
    (spec->better < 0 ? limit.most : limit.least) = number;
    engine::GoalSeek wanted;
    wanted.path = m_path;
    wanted.limits = {limit};
    seek(std::move(wanted), columnWords(design(), m_path).label);
}

void SeekPanel::seek(engine::GoalSeek wanted, const QString& what) {
    m_asked = wanted;
    m_askedOf = design();
    m_askedName = m_of->currentText();
    m_askedOpen = m_of->currentIndex() >= static_cast<int>(m_designs.size());
    m_what = what;
    m_found.reset();
    m_set->hide();
    m_answer->setText(tr("Seeking"));
    m_answer->show();
    m_why->hide();
    m_job.start([this, design = m_askedOf, wanted = std::move(wanted)](JobRun& job) -> Job::Show {
        auto sought = std::make_shared<engine::Sought>(engine::seekValue(design, wanted, job.stop()));
        return [this, sought] { show(*sought); };
    });
}

void SeekPanel::show(const engine::Sought& sought) {
    const auto value = [&](double number) { return columnValue(m_askedOf, m_asked.path, number); };
    if (sought.found) {
        m_found = sought.value;
        const auto quantity = engine::resolveQuantity(m_askedOf, m_asked.path);
        const double has = engine::toEdge(quantity.in(m_askedOf).value, quantity.spec.scale);
        m_answer->setText(has > 0.0 && has != sought.value
                              ? tr("%1 %2, %3 × its %4")
                                    .arg(m_what, value(sought.value),
                                         QString::fromStdString(engine::shortText(sought.value / has, 3)),
                                         QString::fromStdString(engine::shortText(has, 4)))
                              : tr("%1 %2").arg(m_what, value(sought.value)));
        m_why->setText(std::isnan(sought.next)
                           ? tr("The end of its range.")
                           : tr("One step on, %1.").arg(QString::fromStdString(sought.broken)));
        m_set->setToolTip(plainTip(
            tr("Sets it in this design: %1").arg(QString::fromStdString(engine::exactText(sought.value)))));
    } else {
        m_answer->setText(tr("No value does"));
        m_why->setText(
            tr("Closest at %1: %2.").arg(value(sought.value), QString::fromStdString(sought.broken)));
    }
    m_set->setVisible(sought.found);
    m_why->show();
}

void SeekPanel::take() {
    if (!m_found)
        return;
    const auto value = engine::exactText(*m_found);
    if (m_askedOpen) {
        if (m_document->set(m_asked.path, value))
            m_set->hide();
        return;
    }
    auto design = m_askedOf;
    engine::applyEdit(design, engine::setEdit(design, m_document->catalog(), m_asked.path, value));
    m_set->hide();
    emit setRequested(
        tr("%1 with %2 %3").arg(m_askedName, m_what, columnValue(design, m_asked.path, *m_found)), design);
}

} // namespace heteroscape::widgets

#include "moc_seek_panel.cpp"
