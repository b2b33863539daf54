// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "widgets/compare/claim_text.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <vector>

class QHBoxLayout;
class QMenu;
class QPushButton;
class QTableView;

namespace heteroscape::widgets {

class ClaimTableModel;
class PaperCard;
class TextLabel;

/// What the papers state against what the model gives. Evaluates every claim on a thread of its own when it
/// is first shown. A click on a claim tells why it differs; a double click, Enter or "Open its design" opens
/// the very design behind its number, with all that the claim sets in it; of several they offer a choice. E
/// tells how the metric comes about. UI thread.
class ClaimsPage : public LatePage {
    Q_OBJECT
public:
    explicit ClaimsPage(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    bool isEvaluated() const { return m_evaluated; }

signals:
    void openScenarioRequested(const QString& presetId); ///< as it is shipped
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    void begin() override; ///< evaluates; shown when done
    QWidget* makeTableTile();
    void present(std::vector<engine::PaperComparison> comparisons);
    void choose(const std::string& paperId, const std::string& claim);
    void showChosen();
    void openChosen();
    /// Finds the designs of a claim on a thread of its own, then calls `then` here.
    void findDesigns(const engine::Claim& claim,
                     std::function<void(const std::vector<engine::ClaimDesign>&)> then);
    void offer(const engine::Claim& claim, const QString& paper,
               const std::vector<engine::ClaimDesign>& designs);
    void explainChosen(QPoint globalPoint);
    bool eventFilter(QObject* watched, QEvent* event) override; ///< keys and menus of the table

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::vector<engine::PaperComparison> m_comparisons;
    bool m_evaluated = false;
    std::set<ClaimStatus> m_hidden;
    std::array<QPushButton*, kClaimStatusCount> m_chips{};
    TextLabel* m_mean;
    QHBoxLayout* m_cardRow;
    std::vector<PaperCard*> m_cards;
    ClaimTableModel* m_model;
    QTableView* m_table = nullptr;
    TextLabel* m_tableNote = nullptr;
    TextLabel* m_why = nullptr;
    QPushButton* m_open = nullptr;
    TextLabel* m_summary;
    QMenu* m_menu = nullptr;
    Job m_evaluation;
    Job m_search; ///< for the designs of a claim
};

} // namespace heteroscape::widgets
