// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/decisive.h"

#include <QWidget>

#include <optional>

namespace heteroscape::widgets {

/// What a quantity hangs on: the bound that decides, and the operators that take most of the step, with their
/// shares as bars. Hidden where no step decides. UI thread.
class DecisiveList : public QWidget {
    Q_OBJECT
public:
    explicit DecisiveList(QWidget* parent);

    void setPart(std::optional<engine::DecisivePart> part);
    const std::optional<engine::DecisivePart>& part() const { return m_part; }

    QString heading() const; ///< "Decided by decode on Alveo U280: memory reads"
    QString text() const;    ///< heading and rows as lines

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<engine::DecisivePart> m_part;
};

} // namespace heteroscape::widgets
