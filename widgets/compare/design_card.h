// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/plots/surface.h"

class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

class Pill;
class TextLabel;

/// The head of one compared design: its name, what limits it or why it cannot run, whether it is the
/// reference; made the reference, opened and taken out here. UI thread.
class DesignCard : public Surface {
    Q_OBJECT
public:
    DesignCard(const QString& name, bool isOpen, bool isReference, QWidget* parent);

    void setDesign(const ComparedDesign& design);

    QPushButton* referenceButton() const { return m_reference; }
    QToolButton* removeButton() const { return m_remove; } ///< null for the open design
    QToolButton* openButton() const { return m_open; }     ///< null for the open design
    QString status() const;
    Pill* idealPill() const { return m_ideal; } ///< seen where its rates are upper bounds

signals:
    void referenceChosen();
    void removed();
    void opened();

private:
    TextLabel* m_status;
    Pill* m_ideal;
    QPushButton* m_reference;
    QToolButton* m_open = nullptr;
    QToolButton* m_remove = nullptr;
};

} // namespace heteroscape::widgets
