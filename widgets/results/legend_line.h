// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace heteroscape::widgets {

/// What colours stand for: swatches with names, side by side, in as many lines as the width asks for. UI
/// thread.
class LegendLine : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString name;
        QColor color;
    };
    explicit LegendLine(QWidget* parent = nullptr);

    void setEntries(std::vector<Entry> entries);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<QRect> places(int width) const; ///< of the entries, swatch and name

    std::vector<Entry> m_entries;
};

} // namespace heteroscape::widgets
