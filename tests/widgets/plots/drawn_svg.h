// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QPolygonF>
#include <QString>
#include <QTransform>
#include <QXmlStreamReader>

#include <functional>
#include <vector>

namespace heteroscape::widgets {

/// What an SVG that the program wrote draws: its words with the ground that their ink takes, and its lines.
struct DrawnSvg {
    struct Text {
        QString words;
        QPolygonF ground; ///< as the other places, px of the picture
    };
    struct Line {
        QPolygonF points;
        QColor color;
    };
    std::vector<Text> texts;
    std::vector<Line> lines;
    QSizeF size;

    explicit DrawnSvg(const QByteArray& file) {
        QXmlStreamReader reader(file);
        std::vector<Group> groups(1);
        while (!reader.atEnd()) {
            const auto token = reader.readNext();
            if (token == QXmlStreamReader::EndElement && reader.name() == u"g")
                groups.pop_back();
            if (token != QXmlStreamReader::StartElement)
                continue;
            const auto attributes = reader.attributes();
            if (reader.name() == u"svg") {
                const auto box = attributes.value(QLatin1String("viewBox")).toString().split(u' ');
                size = QSizeF(box.value(2).toDouble(), box.value(3).toDouble());
            } else if (reader.name() == u"g") {
                groups.push_back(within(groups.back(), attributes));
            } else if (reader.name() == u"text") {
                const auto ground = groundOf(attributes);
                const auto words = reader.readElementText();
                texts.push_back({words, groups.back().place.map(QPolygonF(ground(words)))});
            } else if (reader.name() == u"polyline") {
                lines.push_back({groups.back().place.map(pointsOf(attributes)), groups.back().color});
            }
        }
        isWhole = !reader.hasError() && groups.size() == 1;
    }
    bool isWhole = false; ///< it was read to its end

    QStringList words() const {
        QStringList all;
        for (const auto& text : texts)
            all << text.words;
        return all;
    }
    /// Whether the ink of a text lies on a line.
    static bool meet(const Text& text, const Line& line) {
        for (qsizetype i = 0; i + 1 < line.points.size(); ++i) {
            const QLineF stretch(line.points[i], line.points[i + 1]);
            if (text.ground.containsPoint(stretch.p1(), Qt::OddEvenFill))
                return true;
            for (qsizetype side = 0; side + 1 < text.ground.size(); ++side)
                if (stretch.intersects(QLineF(text.ground[side], text.ground[side + 1]), nullptr) ==
                    QLineF::BoundedIntersection)
                    return true;
        }
        return false;
    }

private:
    struct Group {
        QTransform place;
        QColor color;
    };
    static Group within(Group group, const QXmlStreamAttributes& attributes) {
        if (const auto matrix = attributes.value(QLatin1String("transform")).toString(); !matrix.isEmpty()) {
            std::vector<double> m;
            for (const auto& part : matrix.section(u'(', 1).section(u')', 0, 0).split(u','))
                m.push_back(part.toDouble());
            if (m.size() == 6)
                group.place = QTransform(m[0], m[1], m[2], m[3], m[4], m[5]) * group.place;
        }
        if (attributes.hasAttribute(QLatin1String("stroke")))
            group.color = QColor(attributes.value(QLatin1String("stroke")).toString());
        return group;
    }
    static auto groundOf(const QXmlStreamAttributes& attributes) -> std::function<QRectF(const QString&)> {
        QFont font(attributes.value(QLatin1String("font-family")).toString());
        font.setPixelSize(attributes.value(QLatin1String("font-size")).toInt());
        font.setWeight(static_cast<QFont::Weight>(attributes.value(QLatin1String("font-weight")).toInt()));
        const QPointF at(attributes.value(QLatin1String("x")).toDouble(),
                         attributes.value(QLatin1String("y")).toDouble());
        return [font, at](const QString& words) {
            return QFontMetricsF(font).tightBoundingRect(words).translated(at);
        };
    }
    static QPolygonF pointsOf(const QXmlStreamAttributes& attributes) {
        QPolygonF points;
        for (const auto& pair :
             attributes.value(QLatin1String("points")).toString().split(u' ', Qt::SkipEmptyParts))
            points << QPointF(pair.section(u',', 0, 0).toDouble(), pair.section(u',', 1, 1).toDouble());
        return points;
    }
};

} // namespace heteroscape::widgets
