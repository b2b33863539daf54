// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/workload_editor.h"

#include "widgets/parts/part_words.h"
#include "widgets/parts/quantity_entry.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace heteroscape::widgets {

WorkloadEditor::WorkloadEditor(Document& document, PartLibrary& library, const PartStart& start,
                               QWidget* parent)
    : PartDialog(document, library, start, parent), m_start(std::get<engine::Workload>(start.part)),
      m_sentence(new TextLabel(TextSize::Dense, ColorRole::Text, this)) {
    setWindowTitle(start.isNew ? tr("New workload")
                               : tr("Edit %1").arg(QString::fromStdString(m_start.name)));
    QWidget* previous = name();
    for (const auto& field : engine::workloadFields()) {
        // Only a workload that is served needs a batch; a named one may leave it to the design.
        const bool required = field.member != &engine::Workload::batch;
        auto* entry = new QuantityEntry(field.spec, m_start.*field.member, required, this);
        connect(entry, &QuantityEntry::changed, this, &WorkloadEditor::refresh);
        if (!required)
            entry->value()->setPlaceholderText(tr("as it is"));
        body()->addWidget(entry);
        m_entries.push_back(entry);
        previous = entry->followInTabs(previous);
    }
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(0, 8, 0, 0);
    body()->addWidget(m_sentence);
    body()->addStretch(1);
    setUseText(tr("Serve it now"));
    refresh();
    resize(parent ? std::min(820, parent->width() - 40) : 820, 320);
    name()->setFocus();
    name()->selectAll();
}

QuantityEntry* WorkloadEditor::entry(std::string_view key) const {
    for (auto* entry : m_entries)
        if (entry->spec().key == key)
            return entry;
    return nullptr;
}

engine::Workload WorkloadEditor::workload() const {
    auto workload = m_start;
    workload.id = id();
    workload.name = name()->text().trimmed().toStdString();
    for (const auto& field : engine::workloadFields())
        workload.*field.member = entry(field.spec.key)->quantity();
    return workload;
}

QString WorkloadEditor::fieldProblem() const {
    for (const auto* entry : m_entries)
        if (!entry->problem().isEmpty())
            return tr("%1: %2").arg(entry->label(), entry->problem());
    return {};
}

std::vector<engine::GraphEdit> WorkloadEditor::useEdits() const {
    return {workloadEdit(document(), workload())};
}

void WorkloadEditor::shown() {
    m_sentence->setText(fieldProblem().isEmpty() ? workloadSentence(workload()) + QLatin1Char('.')
                                                 : QString());
}

} // namespace heteroscape::widgets
