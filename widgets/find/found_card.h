// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"

#include <QWidget>

class QGridLayout;
class QHBoxLayout;
class QPushButton;

namespace heteroscape::widgets {

class Pill;
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

/// One design that was found: its letter, its variables, figures and how much of each limit it uses; opened,
/// compared, and where it is held against the open design (`pins`) pinned here. UI thread.
class FoundCard : public QWidget {
    Q_OBJECT
public:
    FoundCard(const QString& letter, QWidget* parent, bool pins = true);

    void show(const FoundFacts& facts, const QString& why, bool chosen);
    const FoundFacts& facts() const { return m_facts; }

signals:
    void chosen();
    void openRequested();
    void pinRequested();
    void compareRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    FoundFacts m_facts;
    bool m_chosen = false;
    QString m_letter;
    TextLabel* m_title;
    TextLabel* m_why;
    Pill* m_ideal;
    QHBoxLayout* m_chips;
    QGridLayout* m_figures;
    QGridLayout* m_limits;
    QPushButton* m_open;
};

} // namespace heteroscape::widgets
