// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/claim_row.h"
#include "widgets/plots/surface.h"

#include <vector>

class QGridLayout;

namespace heteroscape::widgets {

/// One paper: its name, how well it is met, its largest misfits and headline claims; opens its designs.
class PaperCard : public Surface {
    Q_OBJECT
public:
    PaperCard(const engine::PaperComparison& comparison, QWidget* parent);

    const std::vector<ClaimRow*>& rows() const { return m_rows; }

signals:
    void claimChosen(const std::string& claim);
    void claimOpened(const std::string& claim);  ///< its design is wanted
    void openRequested(const QString& scenario); ///< a preset, as it is shipped

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeVerdict(const engine::PaperComparison& comparison);

    std::vector<ClaimRow*> m_rows;
    QGridLayout* m_grid;
    int m_columns = 0;
};

} // namespace heteroscape::widgets
