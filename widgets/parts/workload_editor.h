// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/part_dialog.h"

namespace heteroscape::widgets {

class QuantityEntry;

/// Edits a workload: how many requests at once, how long they are. UI thread.
class WorkloadEditor : public PartDialog {
    Q_OBJECT
public:
    /// `start.part` holds a Workload; `start.use`: serve it at once.
    WorkloadEditor(Document& document, PartLibrary& library, const PartStart& start, QWidget* parent);

    OwnPart part() const override { return workload(); }
    engine::Workload workload() const;
    /// The entry of a quantity by its key; null when there is none.
    QuantityEntry* entry(std::string_view key) const;

protected:
    QString fieldProblem() const override;
    std::vector<engine::GraphEdit> useEdits() const override;
    void shown() override;

private:
    engine::Workload m_start;
    std::vector<QuantityEntry*> m_entries; ///< in the order of workloadFields()
    TextLabel* m_sentence;
};

} // namespace heteroscape::widgets
