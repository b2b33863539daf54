// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QSpinBox>

namespace heteroscape::widgets {

/// The count of one node, edited in place over its badge: Enter or leaving takes it, Esc does not. One undo
/// step.
class CountEditor : public QSpinBox {
    Q_OBJECT
public:
    CountEditor(Document& document, engine::NodeId id, QWidget* parent);

    const engine::NodeId& nodeId() const { return m_id; }

signals:
    void finished(); ///< once, whichever way it ends

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void finish(bool take);

    Document& m_document;
    engine::NodeId m_id;
    bool m_finished = false;
};

} // namespace heteroscape::widgets
