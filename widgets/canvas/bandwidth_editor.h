// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QDoubleSpinBox>

namespace heteroscape::widgets {

/// The bandwidth of one link in GB/s, edited in place over its label: Enter or leaving takes it, Esc does
/// not. One undo step.
class BandwidthEditor : public QDoubleSpinBox {
    Q_OBJECT
public:
    BandwidthEditor(Document& document, engine::LinkId id, QWidget* parent);

    const engine::LinkId& linkId() const { return m_id; }
    QString textFromValue(double value) const override;

signals:
    void finished(); ///< once, whichever way it ends

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void finish(bool take);

    Document& m_document;
    engine::LinkId m_id;
    double m_before = 0.0;
    bool m_finished = false;
};

} // namespace heteroscape::widgets
