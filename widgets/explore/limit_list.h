// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace heteroscape::widgets {

class TextLabel;

/// One limit of what is kept of a study: a tick, a metric, at most or at least or from:to, a number with the
/// metric's unit. A whole limit typed into the number's field ("ttft_s<=1") sets the row. UI thread.
class LimitRow : public QWidget {
    Q_OBJECT
public:
    /// `devices`: the accelerators of the system can be limited, too.
    LimitRow(const engine::Limit& limit, bool devices, QWidget* parent);

    /// None while the tick is off or the number is missing or wrong.
    std::optional<engine::Limit> limit() const;
    void setLimit(const engine::Limit& limit); ///< tells nobody
    /// Something about this limit, beside its number, until it is another one; strong: it matters most.
    void setNote(const QString& note, bool strong);
    QString note() const;
    QLineEdit* field() const { return m_value; }
    QString error() const;

signals:
    void edited();
    void removeRequested();

private:
    enum class Sign { AtMost, AtLeast, Within };

    void read(); ///< what is typed, and what is wrong with it
    void showUnit();

    bool m_devices;
    QCheckBox* m_on;
    QComboBox* m_metric;
    QComboBox* m_sign;
    QLineEdit* m_value;
    TextLabel* m_unit;
    TextLabel* m_note;
    TextLabel* m_error;
    std::optional<engine::Limit> m_limit; ///< as the fields say, whatever the tick
};

/// What is kept of a study: points that fit and run, are timed by measured kernels, are within limits. Each
/// limit is a row; one is added by a button or typed as a whole. UI thread.
class LimitList : public QWidget {
    Q_OBJECT
public:
    explicit LimitList(QWidget* parent = nullptr, bool devices = false); ///< `devices`: as in LimitRow

    std::vector<engine::Limit> limits() const; ///< those that count: ticked and without an error
    void setLimits(const std::vector<engine::Limit>& limits); ///< tells nobody
    void add(const engine::Limit& limit);
    /// Puts a limit in the place of limits()[index]; `done`: changed() follows.
    void setLimit(std::size_t index, const engine::Limit& limit, bool done);
    /// How often each of these limits is in the way, as a share, beside its row where there is one.
    void showBinding(const std::vector<std::pair<engine::Limit, double>>& shares);
    const std::vector<LimitRow*>& rows() const { return m_rows; }

signals:
    void changed(); ///< limits() differs

private:
    LimitRow* addRow(const engine::Limit& limit);
    void put(const engine::Limit& limit); ///< ticked, or as a row
    void addTyped();
    void addNext(); ///< a row of a metric that has none yet, its number to be typed
    void tell();

    bool m_devices;
    std::vector<std::pair<engine::Limit, QCheckBox*>> m_flags; ///< limits without a number
    QVBoxLayout* m_column;
    QLineEdit* m_typed;
    TextLabel* m_error;
    std::vector<LimitRow*> m_rows;
    std::vector<engine::Limit> m_told;
};

} // namespace heteroscape::widgets
