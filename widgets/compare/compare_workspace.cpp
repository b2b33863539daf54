// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_workspace.h"

#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/designs_page.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/validation/validation_page.h"

#include <QButtonGroup>
#include <QFrame>
#include <QPushButton>
#include <QStackedWidget>

namespace heteroscape::widgets {

CompareWorkspace::CompareWorkspace(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_stack(new QStackedWidget(this)), m_claims(new ClaimsPage(catalog, m_stack)),
      m_measured(new ValidationPage(QString::fromStdString(catalog->folder), m_stack)),
      m_designs(new DesignsPage(std::move(catalog), m_stack)) {
    auto* bar = new Surface(ColorRole::Surface, false, this);
    auto* head = makeRow(bar, {12, 8, 12, 8}, 6);
    auto* group = new QButtonGroup(this);
    const std::array names{tr("Paper against model"), tr("Measured"), tr("Designs")};
    for (std::size_t i = 0; i < m_switch.size(); ++i) {
        auto* button = new QPushButton(names[i], bar);
        button->setCheckable(true);
        button->setProperty("chip", true);
        button->setAccessibleName(tr("Compare: %1").arg(names[i]));
        group->addButton(button);
        connect(button, &QPushButton::clicked, this, [this, i] { setPage(static_cast<Page>(i)); });
        head->addWidget(button);
        m_switch[i] = button;
    }
    auto* rule = new QFrame(bar);
    rule->setFrameShape(QFrame::VLine);
    head->addSpacing(4);
    head->addWidget(rule);
    head->addSpacing(4);
    m_tools = new QStackedWidget(bar);
    m_tools->addWidget(m_claims->tools());
    m_tools->addWidget(m_measured->tools());
    m_tools->addWidget(m_designs->tools());
    head->addWidget(m_tools, 1);
    m_stack->addWidget(m_claims); // in the order of Page
    m_stack->addWidget(m_measured);
    m_stack->addWidget(m_designs);
    auto* column = makeColumn(this);
    column->addWidget(bar);
    column->addWidget(m_stack, 1);
    connect(m_claims, &ClaimsPage::openScenarioRequested, this, &CompareWorkspace::openScenarioRequested);
    connect(m_claims, &ClaimsPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
    connect(m_measured, &ValidationPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
    connect(m_measured, &ValidationPage::calibrateRequested, this, &CompareWorkspace::calibrate);
    connect(m_designs, &DesignsPage::openDesignRequested, this, &CompareWorkspace::openDesignRequested);
    setPage(Page::Claims);
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

void CompareWorkspace::showServedRun(std::size_t line) {
    setPage(Page::Measured);
    m_measured->showServedRun(line);
}

void CompareWorkspace::setPage(Page page) {
    m_stack->setCurrentIndex(static_cast<int>(page));
    m_tools->setCurrentIndex(static_cast<int>(page));
    m_switch[static_cast<std::size_t>(page)]->setChecked(true);
}

CompareWorkspace::Page CompareWorkspace::page() const {
    return static_cast<Page>(m_stack->currentIndex());
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

#include "moc_compare_workspace.cpp"
