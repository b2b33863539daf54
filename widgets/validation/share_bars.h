// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// Shares of a whole as bars with their names before and their per cent behind them. UI thread.
class ShareBars : public QWidget {
    Q_OBJECT
public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setShares(std::vector<std::pair<QString, double>> shares); ///< per cent; may be below 0
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::pair<QString, double>> m_shares;
};

} // namespace heteroscape::widgets
