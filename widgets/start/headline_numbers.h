// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "widgets/jobs/job.h"

#include <QObject>

#include <memory>
#include <optional>

namespace heteroscape::widgets {

/// The claim that says in one number what a paper gains: a factor among its headlines. Nothing when it has
/// none.
std::optional<engine::Claim> headlineClaim(const engine::Paper& paper);

/// Works out this program's own numbers for the headline claims of papers, one after the other on a thread of
/// its own. A number that the engine cannot give is not told. UI thread.
class HeadlineNumbers : public QObject {
    Q_OBJECT
public:
    HeadlineNumbers(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    void start(const std::vector<engine::Paper>& papers); ///< once
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void found(const std::string& paper, double model);

private:
    std::shared_ptr<const engine::Catalog> m_catalog;
    Job m_job{Job::Order::Each};
};

} // namespace heteroscape::widgets
