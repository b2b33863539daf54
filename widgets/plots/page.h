// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/notice_bar.h"
#include "widgets/theme/seen_widget.h"

#include <QWidget>

#include <utility>

class QHBoxLayout;
class QStackedWidget;

namespace heteroscape::widgets {

class ExportButton;

/// What every page has: its part of the bar above it, its notices, and what exports it. UI thread.
template <class Base>
class PageOf : public Base {
public:
    QWidget* tools() const { return m_tools; } ///< the page's part of the bar above it
    ExportButton* exportButton() const { return m_export; }

protected:
    explicit PageOf(QWidget* parent)
        : Base(parent), m_tools(new QWidget(this)), m_notice(new NoticeBar(this)) {}

    /// What it wrote, or could not, is told by the notices.
    void setExport(ExportButton* button) {
        m_export = button;
        m_notice->follow(*button);
    }

    QWidget* m_tools;
    NoticeBar* m_notice;
    ExportButton* m_export = nullptr;
};

/// A page that begins its work when it is first shown, or earlier where it is asked to.
class LatePage : public PageOf<QWidget> {
public:
    void load() { ///< begins once
        if (!std::exchange(m_begun, true))
            begin();
    }

protected:
    using PageOf::PageOf;
    virtual void begin() = 0;
    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        load();
    }

    bool m_begun = false;
};

/// A page of a dock: a row of controls, which the dock may take into its own head, notices, and below them
/// what is shown, or what stands in place of it.
class DockPage : public PageOf<SeenWidget> {
public:
    QWidget* bar() const { return m_tools; } ///< the row of controls

protected:
    explicit DockPage(QWidget* parent);
    QHBoxLayout* makeBarRow(int gap);
    /// An icon with this tool tip, which exports what is seen or the whole as asked.
    void setExport(ExportButton* button, const QString& tip);

    QStackedWidget* m_pages;
};

} // namespace heteroscape::widgets
