// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/limit.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLineEdit;

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

} // namespace heteroscape::widgets
