// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <QWidget>

#include <array>
#include <memory>

class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

class ClaimsPage;
class DesignsPage;
class Document;
class ExportButton;

/// What is compared: the papers' claims with the model, or designs with each other; a switch at the top shows
/// one or the other. UI thread.
class CompareWorkspace : public QWidget {
    Q_OBJECT
public:
    enum class Page { Claims, Designs };

    explicit CompareWorkspace(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    /// The open design is the first of those that are compared, and follows the document.
    void setDocument(Document* document);

    void setPage(Page page);
    Page page() const;
    ClaimsPage* claimsPage() const { return m_claims; }
    DesignsPage* designsPage() const { return m_designs; }

    bool isEvaluated() const; ///< what is shown is all there
    const std::vector<engine::PaperComparison>& comparisons() const;
    ExportButton* exportButton() const; ///< of the page that is shown

signals:
    void openScenarioRequested(const QString& presetId); ///< a preset, as it is shipped
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    ClaimsPage* m_claims;
    DesignsPage* m_designs;
    QStackedWidget* m_stack;
    QStackedWidget* m_tools = nullptr;
    std::array<QPushButton*, 2> m_switch{};
};

} // namespace heteroscape::widgets
