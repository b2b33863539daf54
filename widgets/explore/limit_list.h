// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/limit.h"

#include <QWidget>

#include <utility>
#include <vector>

class QCheckBox;
class QLineEdit;
class QVBoxLayout;

namespace heteroscape::widgets {

class LimitRow;
class TextLabel;

/// What is kept of a study: points that fit and run, and those within limits. Each limit is a row; one is
/// added by a button or typed as a whole. UI thread.
class LimitList : public QWidget {
    Q_OBJECT
public:
    explicit LimitList(QWidget* parent = nullptr, bool devices = false); ///< `devices`: as in LimitRow

    std::vector<engine::Limit> limits() const; ///< those that count: ticked and without an error
    void setLimits(const std::vector<engine::Limit>& limits); ///< tells nobody
    /// Puts a limit in the place of limits()[index]; `done`: changed() follows.
    void setLimit(std::size_t index, const engine::Limit& limit, bool done);
    /// How often each of these limits is in the way, as a share, beside its row where there is one.
    void showBinding(const std::vector<std::pair<engine::Limit, double>>& shares);
    const std::vector<LimitRow*>& rows() const { return m_rows; }

signals:
    void changed(); ///< limits() differs

private:
    LimitRow* addRow(const engine::Limit& limit);
    void addTyped();
    void addNext(); ///< a row of a metric that has none yet, its number to be typed
    void tell();

    bool m_devices;
    QCheckBox* m_feasible;
    QVBoxLayout* m_column;
    QLineEdit* m_typed;
    TextLabel* m_error;
    std::vector<LimitRow*> m_rows;
    std::vector<engine::Limit> m_told;
};

} // namespace heteroscape::widgets
