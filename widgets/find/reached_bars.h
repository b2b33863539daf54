// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"

#include <QWidget>

namespace heteroscape::widgets {

/// The best of the first goal that each value of the group axis reaches within the limits, as bars; a value
/// that reaches none says so. UI thread.
class ReachedBars : public QWidget {
    Q_OBJECT
public:
    explicit ReachedBars(QWidget* parent = nullptr);

    void show(const FoundSearch& search);
    static QString heading(const FoundSearch& search); ///< "Best each device reaches"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Bar {
        QString name;
        double value = 0.0;
        QString text;
        std::size_t position = 0; ///< on the axis: as in the front's legend
    };
    std::vector<Bar> m_bars;
};

} // namespace heteroscape::widgets
