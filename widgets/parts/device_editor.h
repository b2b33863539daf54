// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/part_dialog.h"

#include <map>

class QComboBox;
class QListWidget;
class QPlainTextEdit;

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

/// Edits a device: what it is, its ports, every quantity that its kind uses, beside the card that it will
/// have on the canvas. UI thread.
class DeviceEditor : public PartDialog {
    Q_OBJECT
public:
    /// `start.part` holds a Device.
    DeviceEditor(Document& document, PartLibrary& library, const PartStart& start, QWidget* parent);

    OwnPart part() const override { return device(); }
    engine::Device device() const;

    /// The entry of a quantity by its key; null when there is none.
    QuantityEntry* entry(std::string_view key) const;

protected:
    QString fieldProblem() const override;
    std::vector<engine::GraphEdit> useEdits() const override;
    void shown() override;

private:
    void makeIdentity();
    void makeQuantities();
    void fillRuntimes();
    void showQuantities(); ///< those of the kind, and those that are set

    engine::Device m_start;
    std::vector<engine::NodeId> m_nodes;
    QComboBox* m_kind;
    QLineEdit* m_vendor;
    QLineEdit* m_about;
    QListWidget* m_ports;
    QComboBox* m_runtime;
    QWidget* m_card;
    std::map<std::string, QuantityEntry*, std::less<>> m_entries;
    std::vector<std::pair<QWidget*, std::vector<QuantityEntry*>>> m_groups; ///< headings and what is below
};

} // namespace heteroscape::widgets
