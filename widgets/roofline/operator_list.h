// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/roofline/operator_model.h"

#include <QTreeView>

namespace heteroscape::widgets {

/// The operators of every device and phase: name, share of the step's time as a bar, ms, part of the roof
/// reached.
class OperatorList : public QTreeView {
    Q_OBJECT
public:
    explicit OperatorList(QWidget* parent = nullptr);

    void setRooflines(const std::vector<engine::Roofline>& rooflines, const std::set<std::size_t>& hidden);
    void setFilter(const QString& text); ///< shows operators whose name holds it
    void selectPoint(int point);         ///< index into rooflinePoints(); -1: none

signals:
    void pointSelected(int point);

private:
    void spanHeadings();

    OperatorModel* m_model;
};

} // namespace heteroscape::widgets
