// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/layout_moves.h"
#include "widgets/theme/seen_widget.h"

#include <functional>
#include <string>
#include <vector>

class QLineEdit;
class QToolButton;

namespace heteroscape::widgets {

class TextLabel;

/// The values that a degree may take, beside its stepper: the present one marked, what lies beyond them
/// struck through. A click takes one; keys belong to the stepper. UI thread.
class DegreeValues : public DrawnWidget {
    Q_OBJECT
public:
    explicit DegreeValues(QWidget* parent = nullptr);

    struct Value {
        double value = 1.0;
        bool allowed = true;
        QString tip;
        bool operator==(const Value&) const = default;
    };
    void setValues(std::vector<Value> values, double now);
    /// Those for which there is room, around the present one.
    std::vector<std::pair<QRect, Value>> shown() const;

    QSize sizeHint() const override { return {86, 24}; }
    QSize minimumSizeHint() const override { return {44, 24}; }

signals:
    void chosen(double value);

protected:
    bool event(QEvent* event) override;
    void point(QMouseEvent& event) override;
    void pointAway() override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Value> m_values;
    double m_now = 1.0;
    QPoint m_pointer{-1, -1};
};

/// One degree of a layout: its sign and word, a stepper, what it may be. What is typed and cannot be is told
/// below with the nearest that can. UI thread.
class DegreeRow : public QWidget {
    Q_OBJECT
public:
    /// `key`: "copies", "tp", ...
    DegreeRow(std::string key, const QString& sign, const QString& word, const QString& tip,
              QWidget* parent = nullptr);

    const std::string& key() const { return m_key; }
    QLineEdit* field() const { return m_field; }
    DegreeValues* values() const { return m_values; }
    QString message() const;
    /// Shows the node's degree and what it may be. Hidden where it may be one only, and is.
    void refresh(const engine::LayoutMoves& moves);

signals:
    void chosen(double value); ///< one that is allowed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void step(int by);
    void take(double value);

    std::string m_key;
    std::vector<double> m_allowed;
    double m_now = 1.0;
    QToolButton* m_less;
    QLineEdit* m_field;
    QToolButton* m_more;
    DegreeValues* m_values;
    TextLabel* m_message;
    std::function<engine::LayoutDegree::Answer(double)> m_ask;
};

} // namespace heteroscape::widgets
