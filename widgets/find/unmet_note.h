// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"

#include <QWidget>

class QPushButton;

namespace heteroscape::widgets {

class TextLabel;

/// That no design keeps the limits, which comes nearest, and a button that relaxes what it breaks. Hidden
/// where there is a design. UI thread.
class UnmetNote : public QWidget {
    Q_OBJECT
public:
    explicit UnmetNote(QWidget* parent = nullptr);

    void show(const FoundSearch* search); ///< null: nothing was found yet

signals:
    void relaxRequested(const std::vector<heteroscape::engine::Limit>& relaxed);

private:
    TextLabel* m_closest;
    TextLabel* m_why;
    QPushButton* m_relax;
    std::vector<engine::Limit> m_relaxed;
};

} // namespace heteroscape::widgets
