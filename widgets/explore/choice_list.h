// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QListWidget;
class QPushButton;

namespace heteroscape::widgets {

/// The choices of an axis to tick, each by its name. Every tick is told at once.
class ChoiceList : public QFrame {
    Q_OBJECT
public:
    struct Entry {
        QString id;
        QString name;
        bool checked = false;
    };

    explicit ChoiceList(QWidget* parent);

    void open(const std::vector<Entry>& entries, const QWidget* anchor);

signals:
    void picked(const QStringList& ids); ///< in the order of the list

private:
    QStringList ids() const;
    void setAll(bool checked);

    QListWidget* m_list;
    QPushButton* m_all;
    QPushButton* m_none;
};

} // namespace heteroscape::widgets
