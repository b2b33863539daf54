// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/plots/surface.h"

#include <optional>

class QPushButton;

namespace heteroscape::widgets {

class TextLabel;

/// What stands in the place of the plots before there is a study.
class EmptyStudyPage : public Surface {
    Q_OBJECT
public:
    explicit EmptyStudyPage(QWidget* parent = nullptr);
    void showStudy(const std::optional<engine::Study>& study,
                   bool running); ///< as set up; none: it does not hold

signals:
    void runRequested();

private:
    TextLabel* m_text;
    QPushButton* m_run;
};

} // namespace heteroscape::widgets
