// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/choice_edit.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"

#include <QWheelEvent>

namespace heteroscape::widgets {

namespace {

/// The node or link id within "nodes.<id>.role".
std::string middle(const std::string& path) {
    const auto first = path.find('.');
    return path.substr(first + 1, path.rfind('.') - first - 1);
}

template <class Entries, class Value>
bool differs(const Entries& entries, const Value& value) {
    for (const auto& entry : entries)
        if (entry.id == value.id)
            return !(entry == value);
    return false;
}

/// True when the design's value is no longer what the catalogue says of this id.
bool isEdited(const Document& document, const std::string& path) {
    const auto& scenario = document.scenario();
    const auto& catalog = document.catalog();
    if (path == "model")
        return differs(catalog.models, scenario.model);
    if (path == "draft_model")
        return scenario.draft && differs(catalog.models, *scenario.draft);
    if (path == "workload")
        return differs(catalog.workloads, scenario.workload);
    if (path.ends_with(".type")) {
        const auto* link = scenario.findLink(engine::LinkId{middle(path)});
        return link && differs(catalog.linkTypes, link->type);
    }
    const auto* node = scenario.findNode(engine::NodeId{middle(path)});
    if (!node)
        return false;
    if (path.ends_with(".device"))
        return differs(catalog.devices, node->device);
    if (path.ends_with(".server"))
        return node->server && differs(catalog.servers, *node->server);
    if (path.ends_with(".runtime") && node->runtime)
        for (const auto& entry : catalog.runtimes)
            if (entry.base.id == node->runtime->id)
                return !(entry.on(node->device) == *node->runtime);
    return false;
}

} // namespace

ChoiceEdit::ChoiceEdit(Document& document, std::string path, QWidget* parent)
    : QComboBox(parent), m_document(document), m_path(std::move(path)) {
    const auto parameter = engine::findParameter(document.scenario(), document.catalog(), m_path);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setPlaceholderText(tr("Custom")); // not of the catalogue
    setAccessibleName(QString::fromUtf8(parameter.spec.label));
    fill();
    connect(&m_document, &Document::catalogChanged, this, [this] {
        fill();
        refresh();
    });
    connect(this, &QComboBox::activated, this, &ChoiceEdit::choose);
    connect(&m_document, &Document::changed, this, &ChoiceEdit::refresh);
    refresh();
}

void ChoiceEdit::fill() {
    std::vector<std::string> choices;
    try {
        choices = engine::findParameter(m_document.scenario(), m_document.catalog(), m_path).choices;
    } catch (const engine::Error&) {
        return; // its node is gone, see refresh()
    }
    const QSignalBlocker blocker(this);
    clear();
    for (const auto& id : choices) {
        addItem(choiceName(m_document.catalog(), m_path, id), QString::fromStdString(id));
        if (m_tips)
            setItemData(count() - 1, plainTip(m_tips(id)), Qt::ToolTipRole);
    }
    m_catalogCount = count();
}

void ChoiceEdit::refresh() {
    std::string id;
    try {
        const auto parameter = engine::findParameter(m_document.scenario(), m_document.catalog(), m_path);
        id = engine::parameterText(m_document.scenario(), parameter);
    } catch (const engine::Error&) {
        return; // its node is gone; whoever owns this field removes it on the same signal
    }
    const bool mixed = m_read && !m_read();
    if (mixed)
        id.clear();
    if (m_read)
        setPlaceholderText(mixed ? tr("several values") : tr("Custom"));
    const QSignalBlocker blocker(this);
    const auto key = QString::fromStdString(id);
    // Entries beyond the catalogue's stand at the end and are made anew each time.
    while (count() > m_catalogCount)
        removeItem(count() - 1);
    int index = key.isEmpty() ? -1 : findData(key);
    if ((!m_read && isEdited(m_document, m_path)) || (index < 0 && !key.isEmpty())) {
        addItem(index < 0 ? currentLabel(id) : tr("%1, edited").arg(currentLabel(id)), key);
        index = count() - 1;
    }
    setCurrentIndex(index);
    setToolTip(plainTip(m_tips && !id.empty() ? QStringLiteral("%1: %2").arg(currentText(), m_tips(id))
                                              : currentText()));
}

void ChoiceEdit::setWriter(std::function<void(const std::string& id)> writer) {
    m_writer = std::move(writer);
}

void ChoiceEdit::setShared(std::vector<std::string> paths, std::function<std::optional<std::string>()> read) {
    m_paths = std::move(paths);
    m_read = std::move(read);
    setWriter([this](const std::string& id) {
        engine::EditList list;
        try {
            for (const auto& path : m_paths)
                list.edits.push_back(engine::setEdit(m_document.scenario(), m_document.catalog(), path, id));
        } catch (const engine::Error& error) {
            emit m_document.refused(QString::fromStdString(error.what()));
            return;
        }
        m_document.perform(list);
    });
    refresh();
}

void ChoiceEdit::setChoices(const std::vector<std::string>& ids) {
    const QSignalBlocker blocker(this);
    clear();
    for (const auto& id : ids)
        addItem(currentLabel(id), QString::fromStdString(id));
    m_catalogCount = count();
    refresh();
}

void ChoiceEdit::setTips(std::function<QString(const std::string& id)> tips) {
    m_tips = std::move(tips);
    for (int i = 0; i < m_catalogCount; ++i)
        setItemData(i, plainTip(m_tips(itemData(i).toString().toStdString())), Qt::ToolTipRole);
    refresh();
}

QString ChoiceEdit::currentLabel(const std::string& id) const {
    return choiceName(m_document.catalog(), m_path, id);
}

void ChoiceEdit::choose(int index) {
    const auto id = itemData(index).toString().toStdString();
    if (index < m_catalogCount && m_writer)
        m_writer(id);
    else if (index < m_catalogCount)
        m_document.set(m_path, id);
    refresh(); // when the engine refuses, the old choice stands again
}

} // namespace heteroscape::widgets

#include "moc_choice_edit.cpp"
