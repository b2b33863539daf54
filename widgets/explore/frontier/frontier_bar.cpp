// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_bar.h"

#include "engine/base/error.h"
#include "widgets/explore/default_axes.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

namespace heteroscape::widgets {

namespace {

constexpr int kMostTokens = 1 << 22;
constexpr int kUsersWidth = 110;
constexpr const char* kUsersPath = "workload.batch"; // numbers of users are written as those of a batch are

QSpinBox* tokenBox(const char* id, const QString& name, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(QString::fromLatin1(id));
    box->setRange(1, kMostTokens);
    box->setSuffix(QStringLiteral("\u2009") + FrontierBar::tr("tok"));
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setAccessibleName(name);
    return box;
}

} // namespace

std::vector<double> usersFrom(const QString& text) {
    const auto axis =
        engine::parseAxis(engine::Scenario(), engine::Catalog(), kUsersPath + ("=" + text.toStdString()));
    if (axis.values.size() > engine::kMostFrontierValues)
        throw engine::Error(engine::ErrorCode::InvalidInput, kUsersPath, "more than 1,000 numbers of users",
                            "Give fewer, such as 1:1024:*2");
    for (const double users : axis.values)
        if (users > engine::kMostFrontierUsers)
            throw engine::Error(engine::ErrorCode::InvalidInput, kUsersPath, "more than 100,000 users",
                                "Give fewer");
    return axis.values;
}

QString usersText(const std::vector<double>& users) {
    engine::Axis axis;
    axis.path = kUsersPath;
    axis.values = users;
    return QString::fromStdString(axisText(axis).values);
}

FrontierBar::FrontierBar(const engine::Catalog& catalog, QWidget* parent)
    : Surface(ColorRole::Panel, false, parent) {
    auto* row = makeRow(this, {12, 6, 12, 6}, 8);
    m_model = new QComboBox(this);
    m_model->setObjectName(QStringLiteral("frontierModel"));
    m_model->setAccessibleName(tr("Model"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(14);
    for (const auto& model : catalog.models)
        m_model->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    m_prompt = tokenBox("frontierPrompt", tr("Prompt"), this);
    m_output = tokenBox("frontierOutput", tr("Output"), this);
    m_load = new QComboBox(this);
    m_load->setObjectName(QStringLiteral("frontierLoad"));
    m_load->setAccessibleName(tr("What users are for designs"));
    m_load->addItems({tr("Batch"), tr("Users")}); // in the order of FrontierLoad
    m_load->setToolTip(tr("Designs: one batch of so many in steady state, or so many users in a closed loop, "
                          "who are simulated. GPUs under servers are always simulated"));
    m_users = new QLineEdit(this);
    m_users->setObjectName(QStringLiteral("frontierUsers"));
    m_users->setAccessibleName(tr("Numbers of users"));
    m_users->setToolTip(tr("Such as 1, 8, 64 or 1:1024:*2, which doubles from 1 to 1,024"));
    m_users->setFixedWidth(kUsersWidth);
    m_count = new TextLabel(TextSize::Dense, ColorRole::Text2, this);
    m_count->setElided(true);
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (auto* combo : {m_model, m_load})
        connect(combo, &QComboBox::activated, this, [this, combo] { emit changed(combo->objectName()); });
    for (auto* box : {m_prompt, m_output})
        connect(box, &QSpinBox::valueChanged, this, [this, box] { emit changed(box->objectName()); });
    connect(m_users, &QLineEdit::editingFinished, this, &FrontierBar::takeUsers);
    const auto add = [&](const QString& name, QWidget* field) {
        row->addWidget(new TextLabel(name, TextSize::Dense, ColorRole::Text2, this));
        row->addWidget(field);
    };
    add(tr("Model"), m_model);
    add(tr("Prompt"), m_prompt);
    add(tr("Output"), m_output);
    row->addWidget(m_load);
    row->addWidget(m_users);
    row->addWidget(m_count, 1);
}

void FrontierBar::takeUsers() {
    try {
        auto users = usersFrom(m_users->text());
        if (users == m_numbers)
            return;
        m_numbers = std::move(users);
        emit changed(m_users->objectName());
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
    m_users->setText(usersText(m_numbers));
}

void FrontierBar::setDefinition(const engine::FrontierDefinition& definition) {
    const QSignalBlocker calm(m_prompt), hushed(m_output); // the others tell of what the user does alone
    m_model->setCurrentIndex(m_model->findData(QString::fromStdString(definition.model)));
    m_prompt->setValue(static_cast<int>(definition.prompt));
    m_output->setValue(static_cast<int>(definition.output));
    m_load->setCurrentIndex(static_cast<int>(definition.load));
    m_numbers = definition.users;
    m_users->setText(usersText(m_numbers));
}

void FrontierBar::put(engine::FrontierDefinition& definition) const {
    if (m_model->currentIndex() >= 0)
        definition.model = m_model->currentData().toString().toStdString();
    definition.prompt = m_prompt->value();
    definition.output = m_output->value();
    definition.load = static_cast<engine::FrontierLoad>(m_load->currentIndex());
    definition.users = m_numbers;
}

void FrontierBar::setCount(const QString& words) {
    m_count->setText(words);
}

} // namespace heteroscape::widgets

#include "moc_frontier_bar.cpp"
