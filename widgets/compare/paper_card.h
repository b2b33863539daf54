// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/claim_text.h"
#include "widgets/plots/surface.h"

#include <QAbstractButton>
#include <vector>

class QGridLayout;

namespace heteroscape::widgets {

/// A headline claim: what, the paper's and the model's value as bars, the error, how it stands.
class ClaimRow : public QAbstractButton {
    Q_OBJECT
public:
    ClaimRow(engine::ClaimResult result, QWidget* parent);

    const engine::ClaimResult& result() const { return m_result; }
    void setChosen(bool chosen);

    QSize sizeHint() const override { return {380, 48}; }
    QSize minimumSizeHint() const override { return {300, 48}; }

signals:
    void activated(); ///< double click or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    engine::ClaimResult m_result;
    bool m_chosen = false;
};

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
