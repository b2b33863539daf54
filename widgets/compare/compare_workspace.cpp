// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_workspace.h"

#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/designs_page.h"
#include "widgets/plots/page_switch.h"
#include "widgets/validation/validation_page.h"

#include <QVBoxLayout>

namespace heteroscape::widgets {

CompareWorkspace::CompareWorkspace(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_claims(new ClaimsPage(catalog, this)),
      m_measured(new ValidationPage(QString::fromStdString(catalog->folder), this)),
      m_designs(new DesignsPage(std::move(catalog), this)), m_switch(new PageSwitch(this)) {
    // In the order of Page.
    m_switch->add(tr("Paper against model"), tr("Compare: %1").arg(tr("Paper against model")), m_claims,
                  m_claims->tools());
    m_switch->add(tr("Measured"), tr("Compare: %1").arg(tr("Measured")), m_measured, m_measured->tools());
    m_switch->add(tr("Designs"), tr("Compare: %1").arg(tr("Designs")), m_designs, m_designs->tools());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_switch);
    connect(m_claims, &ClaimsPage::openScenarioRequested, this, &CompareWorkspace::openScenarioRequested);
    connect(m_claims, &ClaimsPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
    connect(m_measured, &ValidationPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
    connect(m_measured, &ValidationPage::calibrateRequested, this, &CompareWorkspace::calibrate);
    connect(m_designs, &DesignsPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
}

void CompareWorkspace::setDocument(Document* document) {
    m_document = document;
    m_designs->setDocument(document);
}

CalibrateDialog* CompareWorkspace::calibrate(const QString& path) {
    auto* dialog = new CalibrateDialog(m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    if (!path.isEmpty())
        dialog->openFile(path);
    return dialog;
}

void CompareWorkspace::setPage(Page page) {
    m_switch->setPage(static_cast<int>(page));
}

CompareWorkspace::Page CompareWorkspace::page() const {
    return static_cast<Page>(m_switch->page());
}

bool CompareWorkspace::isEvaluated() const {
    switch (page()) {
    case Page::Claims:
        return m_claims->isEvaluated();
    case Page::Measured:
        return !m_measured->isBusy();
    case Page::Designs:
        return !m_designs->isBusy();
    }
    return true;
}

const std::vector<engine::PaperComparison>& CompareWorkspace::comparisons() const {
    return m_claims->comparisons();
}

ExportButton* CompareWorkspace::exportButton() const {
    switch (page()) {
    case Page::Claims:
        return m_claims->exportButton();
    case Page::Measured:
        return m_measured->exportButton();
    case Page::Designs:
        return m_designs->exportButton();
    }
    return nullptr;
}

} // namespace heteroscape::widgets
