// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class TextLabel;

/// A titled group of rows that folds away at a click on its title. UI thread.
class Section : public QWidget {
    Q_OBJECT
public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    void addRow(QWidget* row);
    bool hasRows() const;
    /// Rows that came to a section in sight are seen now, not a turn later.
    void showRows();
    /// The parent to make rows with: one that changes its parent is styled anew, with all that is in it.
    QWidget* body() const { return m_body; }
    void setSummary(const QString& text); ///< small text at the right end of the title
    QString title() const;
    bool isOpen() const;
    void setOpen(bool open);

signals:
    void toggled(bool open);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void recolour();

    QToolButton* m_header;
    TextLabel* m_summary;
    QWidget* m_body;
    QVBoxLayout* m_rows;
    bool m_open = true;
};

} // namespace heteroscape::widgets
