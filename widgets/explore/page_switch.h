// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/plots/surface.h"

#include <QWidget>
#include <optional>
#include <vector>

class QFrame;
class QHBoxLayout;
class QPushButton;
class QStackedWidget;

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

/// Pages of one workspace below a control that shows one of them, and the tools of that page beside it. With
/// a single page there is no control. UI thread.
class PageSwitch : public QWidget {
    Q_OBJECT
public:
    explicit PageSwitch(QWidget* parent = nullptr);

    QWidget* room() const; ///< a page that is made in it is not moved there when it is full
    /// `tools` may be null; both belong to this from now on.
    void addPage(const QString& name, QWidget* page, QWidget* tools);
    void setPage(const QWidget* page);
    QWidget* page() const; ///< that is shown

signals:
    void pageChanged();

private:
    void showRule(); ///< only before tools
    QWidget* m_bar;
    QFrame* m_rule;
    QHBoxLayout* m_row;
    std::vector<QPushButton*> m_buttons; ///< in no group, where only one is reached by Tab
    QStackedWidget* m_tools;
    QStackedWidget* m_pages;
};

} // namespace heteroscape::widgets
