// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// The dark box beside a hairline or a mark, and the hairline itself; lies over a plot and takes no mouse.
class ReadOut : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString name;
        QString value;
        std::optional<QColor> color; ///< a dot before the name
    };

    explicit ReadOut(QWidget* plot);

    /// `dots` are the points that the values belong to; `hairline`: a vertical line through `at` within [top,
    /// bottom]; `frame`: drawn around the bar or cell that is meant.
    void present(const QString& heading, std::vector<Row> rows, QPointF at,
                 std::vector<std::pair<QPointF, QColor>> dots, bool hairline, double top, double bottom,
                 std::optional<QRectF> frame = {});
    void clear();

    bool isPresented() const { return m_presented; }
    const QString& heading() const { return m_heading; }
    const std::vector<Row>& rows() const { return m_rows; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF boxRect() const;

    bool m_presented = false;
    bool m_hairline = false;
    QString m_heading;
    std::vector<Row> m_rows;
    QPointF m_at;
    double m_top = 0, m_bottom = 0;
    std::optional<QRectF> m_frame;
    std::vector<std::pair<QPointF, QColor>> m_dots;
};

} // namespace heteroscape::widgets
