// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/recommend.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/surface.h"

#include <memory>

class QProgressBar;
class QVBoxLayout;

namespace heteroscape::widgets {

class BuyForm;
class FoundCard;
class TextLabel;

/// "What should I buy?": the question as a form, and below it the answer: whole systems, those that rest on
/// the same beside each other, the robust best and what to measure first, why the others fell out. What was
/// found stays until the next question. UI thread; the search has its own.
class WhatToBuy : public Surface {
    Q_OBJECT
public:
    explicit WhatToBuy(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    void setCatalog(std::shared_ptr<const engine::Catalog> catalog);
    BuyForm* form() const { return m_form; }
    const std::shared_ptr<const engine::Recommendation>& found() const { return m_found; } ///< null: none yet
    bool isBusy() const { return m_search.isBusy() || m_offer.isBusy() || m_study.isBusy(); }

    void find(); ///< asks as the form stands
    void cancel();

signals:
    void answered(QWidget* first); ///< what is to be seen of it
    void designRequested(const heteroscape::engine::Scenario& design, const QString& name);
    void compareRequested(const QString& name, const heteroscape::engine::Scenario& design);
    void studyRequested(const heteroscape::engine::Study& study); ///< the points that were simulated

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeProgress();
    void showProgress(std::size_t done, std::size_t all);
    void showFinding(bool finding);
    void forget(); ///< what is shown
    void show(const std::shared_ptr<const engine::Recommendation>& found);
    QWidget* addList(const engine::RecommendList& list, const engine::RecommendWords::List& words);
    void addRobust(const engine::RecommendWords& words);
    void addOthers(const engine::RecommendWords& words);
    FoundCard* cardOf(const engine::RecommendedSystem& system, const QString& letter, const QString& why,
                      bool chosen, QWidget* parent);
    void openStudy();

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::shared_ptr<const engine::Recommendation> m_found;
    BuyForm* m_form;
    QWidget* m_progress;
    QProgressBar* m_bar;
    TextLabel* m_place;
    QWidget* m_answer; ///< made anew for each
    QVBoxLayout* m_room;
    Job m_search;
    Job m_offer;
    Job m_study;
};

} // namespace heteroscape::widgets
