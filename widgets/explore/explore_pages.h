// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/page_switch.h"

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

class Document;
class FrontierPage;

/// The pages of Explore: studies, and frontiers, which are made when they are first asked for. UI thread.
class ExplorePages : public PageSwitch {
    Q_OBJECT
public:
    enum Page { Study, Frontier };

    ExplorePages(Document* document, QWidget* study, QWidget* parent);

    FrontierPage* frontier();
    bool isFrontierBusy() const; ///< it is shown and works

signals:
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    Document* m_document;
    QWidget* m_holder; ///< of the page of frontiers
    QWidget* m_tools;
    FrontierPage* m_frontier = nullptr;
};

} // namespace heteroscape::widgets
