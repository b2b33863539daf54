// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/surface.h"

#include <QWidget>
#include <vector>

class QFrame;
class QHBoxLayout;
class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

class TextLabel;

class SourceForm;

/// What stands in the place of the plots before there is a study.
class EmptyStudyPage : public Surface {
    Q_OBJECT
public:
    explicit EmptyStudyPage(QWidget* parent = nullptr);
    void showForm(SourceForm& form, bool running); ///< what it makes, or that it makes nothing yet

signals:
    void runRequested();

private:
    TextLabel* m_heading;
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
    /// `tools` may be null; both belong to this from now on. A page may stand under several names. Returns
    /// its number.
    int addPage(const QString& name, QWidget* page, QWidget* tools);
    void setPage(const QWidget* page); ///< under its first name, unless it is shown
    void setPage(int number);
    QWidget* page() const; ///< that is shown
    int number() const { return m_number; }

signals:
    void pageChanged();

private:
    void showRule(); ///< only before tools
    QWidget* m_bar;
    QFrame* m_rule;
    QHBoxLayout* m_row;
    struct Entry {
        QPushButton* button; ///< in no group, where only one is reached by Tab
        QWidget* page;
    };
    std::vector<Entry> m_entries;
    int m_number = 0;
    QStackedWidget* m_tools;
    QStackedWidget* m_pages;
};

} // namespace heteroscape::widgets
