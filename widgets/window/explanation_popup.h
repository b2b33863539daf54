// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QFrame>

class QTreeWidget;

namespace heteroscape::widgets {

/// How a metric comes about, as a tree of terms down to constants with their sources; closes at a click
/// elsewhere or Esc. UI thread.
class ExplanationPopup : public QFrame {
    Q_OBJECT
public:
    /// Opens below `anchor`; `metricKey` must be a metric's.
    static void show(const engine::Scenario& scenario, const std::string& metricKey, QWidget* anchor);

    QTreeWidget* tree() const { return m_tree; }

private:
    ExplanationPopup(const engine::Scenario& scenario, const std::string& metricKey, QWidget* parent);

    QTreeWidget* m_tree;
};

} // namespace heteroscape::widgets
