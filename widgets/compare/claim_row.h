// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/claim_text.h"

#include <QAbstractButton>

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

} // namespace heteroscape::widgets
