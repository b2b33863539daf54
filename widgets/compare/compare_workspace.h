// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "widgets/compare/claim_text.h"

#include <QWidget>

#include <array>
#include <memory>
#include <set>
#include <thread>
#include <vector>

class QHBoxLayout;
class QPushButton;
class QTableView;

namespace heteroscape::widgets {

class ClaimTableModel;
class ExportButton;
class NoticeBar;
class PaperCard;
class TextLabel;

/// What the papers state against what the model gives. Evaluates every claim on a thread of its own when it
/// is first shown. UI thread.
class CompareWorkspace : public QWidget {
    Q_OBJECT
public:
    explicit CompareWorkspace(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);
    ~CompareWorkspace() override;

    void evaluate(); ///< begins once; shown when done
    bool isEvaluated() const { return m_evaluated; }
    const std::vector<engine::PaperComparison>& comparisons() const { return m_comparisons; }
    ExportButton* exportButton() const { return m_export; }

signals:
    void openScenarioRequested(const QString& presetId);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTableTile();
    void present(std::vector<engine::PaperComparison> comparisons);
    void choose(const std::string& paperId, const std::string& claim);
    void showChosen();

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::vector<engine::PaperComparison> m_comparisons;
    bool m_started = false;
    bool m_evaluated = false;
    std::set<ClaimStatus> m_hidden;
    std::array<QPushButton*, kClaimStatusCount> m_chips{};
    TextLabel* m_mean;
    NoticeBar* m_notice;
    QHBoxLayout* m_cardRow;
    std::vector<PaperCard*> m_cards;
    ClaimTableModel* m_model;
    QTableView* m_table = nullptr;
    TextLabel* m_tableNote = nullptr;
    TextLabel* m_why = nullptr;
    QPushButton* m_open = nullptr;
    ExportButton* m_export;
    std::jthread m_thread;
};

} // namespace heteroscape::widgets
