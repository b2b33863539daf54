// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

/// Pages one of which is shown, chosen by a switch at the left of a bar above them; the rest of the bar is
/// the page's. UI thread.
class PageSwitch : public QWidget {
    Q_OBJECT
public:
    explicit PageSwitch(QWidget* parent = nullptr);

    /// `spoken`: the accessible name of its button. `tools`: the page's part of the bar; may be null.
    void add(const QString& name, const QString& spoken, QWidget* page, QWidget* tools);
    void setPage(int page);
    int page() const;

signals:
    void pageChanged(int page);

private:
    QHBoxLayout* m_buttons;
    QStackedWidget* m_pages;
    QStackedWidget* m_tools;
    std::vector<QPushButton*> m_switch;
};

} // namespace heteroscape::widgets
