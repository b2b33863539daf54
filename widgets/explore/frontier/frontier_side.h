// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/frontier/frontier_view.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QDoubleSpinBox;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class Pill;
class TextLabel;

/// What stands beside a frontier: the chosen point, the systems, the limits, what is drawn. UI thread.
class FrontierSide : public QWidget {
    Q_OBJECT
public:
    explicit FrontierSide(QWidget* parent = nullptr);

    /// Systems from `own` on were added by the user, and can be taken away.
    void setView(std::shared_ptr<const FrontierView> view, std::size_t own);
    void showPoint(std::optional<std::size_t> point); ///< of the view's run
    /// Fills in limits and goal without telling anybody; of 0 the field keeps its number and is off.
    void setLimits(const engine::FrontierShown& shown);
    void putLimits(engine::FrontierShown& shown) const; ///< as the fields say
    FrontierDrawn drawn() const;

    QPushButton* addButton() const { return m_add; }

signals:
    void openRequested();
    void pinRequested();
    void systemToggled(const QString& name, bool on);
    void systemRemoved(const QString& name);
    void likeForLikeRequested();
    void limitsChanged(const QString& which); ///< the name of its field
    void drawnChanged();

private:
    struct Limit {
        QCheckBox* on = nullptr;
        QDoubleSpinBox* value = nullptr;
        double get() const; ///< 0: off
        void set(double limit) const;
    };
    Limit addLimit(QVBoxLayout* column, const char* id, const QString& words, const QString& unit,
                   int decimals, double usual);
    void addChosen(QVBoxLayout* column);
    void addShown(QVBoxLayout* column);
    void remakeSystems(std::size_t own);

    std::shared_ptr<const FrontierView> m_view;
    TextLabel* m_heading = nullptr;
    TextLabel* m_words = nullptr;
    Pill* m_ideal = nullptr;
    QPushButton* m_alike = nullptr; ///< puts ideal systems away
    TextLabel* m_rate = nullptr;
    TextLabel* m_speed = nullptr;
    TextLabel* m_first = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_pin = nullptr;
    QPushButton* m_add = nullptr;
    QVBoxLayout* m_systems = nullptr;
    std::vector<QString> m_names; ///< of the systems that have a row
    std::vector<std::pair<QCheckBox*, TextLabel*>> m_rows;
    Limit m_token, m_firstToken, m_price, m_goal;
    QCheckBox* m_fronts = nullptr;
    QCheckBox* m_others = nullptr;
    QCheckBox* m_errors = nullptr;
    QCheckBox* m_measured = nullptr;
};

} // namespace heteroscape::widgets
