// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <QWidget>

#include <array>
#include <memory>

class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

class CalibrateDialog;
class ClaimsPage;
class DesignsPage;
class Document;
class ExportButton;
class ValidationPage;

/// What is compared: the papers' claims with the model, measured times with predicted ones, or designs with
/// each other; a switch at the top shows one of them. UI thread.
class CompareWorkspace : public QWidget {
    Q_OBJECT
public:
    enum class Page { Claims, Measured, Designs };

    explicit CompareWorkspace(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    /// The open design is the first of those that are compared, and follows the document.
    void setDocument(Document* document);

    void setPage(Page page);
    void showServedRun(std::size_t line); ///< of the shipped table of servers, among the measured
    Page page() const;
    ValidationPage* validationPage() const { return m_measured; }
    DesignsPage* designsPage() const { return m_designs; }

    /// Opens the dialog that fits constants to a file of the user's own; empty: it is chosen there.
    CalibrateDialog* calibrate(const QString& path);

    bool isEvaluated() const;           ///< what is shown is all there
    ExportButton* exportButton() const; ///< of the page that is shown

signals:
    void calibrateRequested(const QString& path);        ///< to a file of the user's own, or to be asked for
    void openScenarioRequested(const QString& presetId); ///< a preset, as it is shipped
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    Document* m_document = nullptr;
    QStackedWidget* m_stack;
    ClaimsPage* m_claims;
    ValidationPage* m_measured;
    DesignsPage* m_designs;
    QStackedWidget* m_tools = nullptr;
    std::array<QPushButton*, 3> m_switch{};
};

} // namespace heteroscape::widgets
