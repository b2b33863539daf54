// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/count_editor.h"

#include "engine/scenario/node_fields.h"

#include <QKeyEvent>

namespace heteroscape::widgets {

CountEditor::CountEditor(Document& document, engine::NodeId id, QWidget* parent)
    : QSpinBox(parent), m_document(document), m_id(std::move(id)) {
    const auto& spec = engine::findField(engine::nodeFields(), "count")->spec;
    setRange(static_cast<int>(spec.minimum), static_cast<int>(spec.maximum));
    setAlignment(Qt::AlignRight);
    if (const auto* node = document.scenario().findNode(m_id)) {
        setValue(static_cast<int>(node->count.valueOr(1.0)));
        setAccessibleName(tr("Count of %1").arg(QString::fromStdString(node->shownName())));
    }
    selectAll();
}

void CountEditor::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        finish(false);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        finish(true);
        return;
    default:
        QSpinBox::keyPressEvent(event);
    }
}

void CountEditor::focusOutEvent(QFocusEvent* event) {
    QSpinBox::focusOutEvent(event);
    finish(true);
}

void CountEditor::finish(bool take) {
    if (m_finished)
        return;
    m_finished = true;
    interpretText();
    const auto* node = m_document.scenario().findNode(m_id);
    if (take && node && value() != static_cast<int>(node->count.valueOr(1.0)))
        m_document.set("nodes." + m_id.value + ".count", std::to_string(value()));
    emit finished();
}

} // namespace heteroscape::widgets
