// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/layout_ranking.h"
#include "engine/scenario/scenario.h"

#include <QAbstractButton>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

/// What a node does of every layer, as one of three: all of it, attention, or the networks. UI thread.
class SideChoice : public QWidget {
    Q_OBJECT
public:
    explicit SideChoice(QWidget* parent = nullptr);

    void show(engine::Role role, bool mixture);
    QPushButton* button(engine::Role role) const; ///< both, attention or ffn; null for others

signals:
    void chosen(engine::Role role); ///< another one

private:
    std::array<QPushButton*, 3> m_buttons{};
    engine::Role m_now = engine::Role::Both;
};

class Document;
class TextLabel;

/// One layout to take: what it is and what it needs on the left, what it brings on the right. UI thread.
class LayoutOption : public QAbstractButton {
    Q_OBJECT
public:
    explicit LayoutOption(QWidget* parent = nullptr);

    void show(const engine::RankedLayout& ranked, bool inUse);
    const engine::CopiedLayout& laid() const { return m_laid; }

    QSize sizeHint() const override { return {200, 40}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    engine::CopiedLayout m_laid;
    QString m_needs;
    QString m_rate;
    QString m_time;
};

/// The best layouts of a node by a metric of choice, each to be taken by a click: one undoable edit. Where
/// none fits, what else would help. They are found off the UI thread. UI thread.
class LayoutProposals : public QWidget {
    Q_OBJECT
public:
    LayoutProposals(Document& document, engine::NodeId node, QWidget* parent = nullptr);

    void refresh();
    QString summary() const;                    ///< "3 of 23 that fit"; empty while nothing is known
    bool offersChoice() const;                  ///< the model can be laid out in more than one way here
    std::vector<LayoutOption*> options() const; ///< those that are shown

signals:
    void changed(); ///< other layouts or another summary

private:
    engine::Metric metric() const;
    void showRemedies(bool wanted);
    void take(const engine::CopiedLayout& laid);

    Document& m_document;
    engine::NodeId m_node;
    QComboBox* m_metric;
    std::vector<LayoutOption*> m_options;
    TextLabel* m_none;
    TextLabel* m_copies; ///< how many all of them have, where the node says it
    QVBoxLayout* m_remedies;
    QStringList m_remedyLabels;
    std::optional<engine::LayoutRanking> m_shown;
};

} // namespace heteroscape::widgets
