// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/tornado_chart.h"

#include "engine/base/csv.h"
#include "engine/base/file.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/note_look.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kScaleHeight = 34; // ticks and the quantity
constexpr double kMostRow = 30;
constexpr double kLeastRow = 15; // lower, names would lie over each other
constexpr double kPrintedRow = 24;
constexpr double kMark = 9;          // of a stated uncertainty
constexpr double kWords = kMark + 5; // where a name begins
/// Of the width, what names may take: in print nobody points at one to read it whole.
constexpr double kMostNames = 0.45, kMostPrintedNames = 0.6;

QString numberText(double value) {
    return QString::fromStdString(engine::shortText(value, 4));
}

/// "−10 %, +10 %": how far the input is moved.
QString movedText(const engine::UncertainInput& input) {
    const auto share = [&](double end) {
        return QString::fromStdString(engine::shortText((end / input.value - 1) * 100, 3));
    };
    return QStringLiteral("%1\u2009%, +%2\u2009%").arg(share(input.low), share(input.high));
}

QString valueText(const engine::UncertainInput& input, double value) {
    return withUnit(QString::fromStdString(engine::plainText(value, 4)), QString::fromStdString(input.unit));
}

/// A name as it is written: in print on two lines where one is too short.
QString nameText(const QString& name, double width, ChartStyle style) {
    const QFontMetricsF measure(style.font());
    if (!style.exported)
        return measure.elidedText(name, Qt::ElideMiddle, width);
    if (measure.horizontalAdvance(name) <= width)
        return name;
    const auto lines = noteLines(name, style.font(), width);
    const auto rest = lines.mid(1).join(u' ');
    return lines.front() + u'\n' + measure.elidedText(rest, Qt::ElideMiddle, width);
}

/// What the legend's two rows take, px.
double legendWidth(const QFontMetricsF& measure) {
    const auto row = [&](const QString& one, const QString& other) {
        return measure.horizontalAdvance(one) + measure.horizontalAdvance(other) + 2 * (kMark + 4) + 8;
    };
    return std::max(row(TornadoChart::tr("at high"), TornadoChart::tr("at low")),
                    row(TornadoChart::tr("stated"), TornadoChart::tr("assumed")));
}

/// Which colour is which end and what the marks say: in the corner under the names.
void paintLegend(QPainter& painter, const TornadoLayout& layout, ChartStyle style, double top) {
    const QFontMetricsF measure(style.font());
    const double line = measure.height() + 1;
    double x = layout.left - 6;
    painter.setPen(style.role(ColorRole::Text2));
    const auto place = [&](const QString& word, double y) { // from the right, its mark before it
        x -= measure.horizontalAdvance(word);
        painter.setPen(style.role(ColorRole::Text2));
        painter.drawText(QPointF(x, y + measure.ascent()), word);
        x -= kMark + 4;
        return QRectF(x, y + (line - kMark) / 2, kMark, kMark);
    };
    for (const int side : {0, 1}) {
        painter.fillRect(place(side == 0 ? TornadoChart::tr("at high") : TornadoChart::tr("at low"), top),
                         style.color(ChartColor::series(side)));
        x -= 8;
    }
    x = layout.left - 6;
    for (const bool stated : {false, true}) {
        const auto mark =
            place(stated ? TornadoChart::tr("stated") : TornadoChart::tr("assumed"), top + line);
        painter.setPen(QPen(style.role(ColorRole::BorderControl), 1.4, stated ? Qt::SolidLine : Qt::DotLine));
        painter.setBrush(stated ? QBrush(style.role(ColorRole::BorderControl)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(mark.adjusted(0.5, 0.5, -0.5, -0.5));
        x -= 8;
    }
}

} // namespace

QString TornadoPicture::label() const {
    return shownLabel(quantityLabel(metric, unit), shown);
}

TornadoLayout::TornadoLayout(const TornadoPicture& shown, QRectF whole, ChartStyle style)
    : picture(&shown), area(whole), count(shown.bars()), left(whole.left()), right(whole.right() - 12),
      top(whole.top() + 4), bottom(whole.bottom() - kScaleHeight), row(kMostRow), least(shown.tornado.base),
      most(shown.tornado.base) {
    const QFontMetricsF measure(style.font());
    double widest = 0;
    count = std::min(count, static_cast<std::size_t>(std::max(1.0, (bottom - top) / kLeastRow)));
    for (std::size_t i = 0; i < count; ++i) {
        const auto& swing = shown.tornado.swings[i];
        widest = std::max(widest, measure.horizontalAdvance(QString::fromStdString(swing.input.label)));
        for (const double end : {swing.atLow, swing.atHigh})
            if (std::isfinite(end)) {
                least = std::min(least, end);
                most = std::max(most, end);
            }
    }
    const double names = whole.width() * (style.exported ? kMostPrintedNames : kMostNames);
    left += std::max(std::min(widest + kMark + 14, names), legendWidth(measure) + 8);
    const double room = (most - least) * 0.04;
    least -= room;
    most += room;
    if (count > 0)
        row = std::min(kMostRow, (bottom - top) / static_cast<double>(count));
}

double TornadoLayout::x(double value) const {
    return most > least ? left + (value - least) / (most - least) * (right - left) : (left + right) / 2;
}

QRectF TornadoLayout::nameRect(std::size_t bar) const {
    return {area.left(), top + static_cast<double>(bar) * row, left - area.left() - 6, row};
}

QRectF TornadoLayout::barRect(std::size_t bar) const {
    const auto& swing = picture->tornado.swings[bar];
    const double base = picture->tornado.base;
    const auto end = [base](double value) { return std::isfinite(value) ? value : base; };
    const double low = std::min({end(swing.atLow), end(swing.atHigh), base}),
                 high = std::max({end(swing.atLow), end(swing.atHigh), base});
    const double height = std::max(3.0, row * 0.64);
    return {x(low), top + static_cast<double>(bar) * row + (row - height) / 2, x(high) - x(low), height};
}

std::optional<std::size_t> TornadoLayout::barAt(QPointF at) const {
    if (at.y() < top || at.x() < area.left() || at.x() > area.right())
        return {};
    const auto bar = static_cast<std::size_t>((at.y() - top) / row);
    return bar < count ? std::optional(bar) : std::nullopt;
}

void paintTornado(QPainter& painter, const TornadoPicture& picture, const TornadoLayout& layout,
                  ChartStyle style, std::optional<std::size_t> hovered) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(style.font());
    if (picture.bars() == 0) {
        painter.setPen(style.role(ColorRole::Text2));
        painter.drawText(layout.area.adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         picture.emptyText);
        painter.restore();
        return;
    }
    const QFontMetricsF measure(style.font());
    const double end = layout.top + static_cast<double>(layout.count) * layout.row;
    const auto wanted = std::max(2, static_cast<int>((layout.right - layout.left) / 80));
    for (const double tick : engine::linearTicks({layout.least, layout.most}, wanted)) {
        const double x = layout.x(tick);
        painter.setPen(QPen(style.role(ColorRole::Grid), style.lineWidth(1)));
        painter.drawLine(QPointF(x, layout.top), QPointF(x, end));
        painter.setPen(style.role(ColorRole::Text2));
        const auto text = QString::fromStdString(engine::tickText(tick * picture.shown.factor));
        const double width = measure.horizontalAdvance(text);
        painter.drawText(QPointF(std::clamp(x - width / 2, layout.left, layout.area.right() - width),
                                 end + measure.ascent() + 3),
                         text);
    }
    for (std::size_t i = 0; i < layout.count; ++i) {
        const auto& swing = picture.tornado.swings[i];
        const double base = layout.x(picture.tornado.base);
        const auto whole = layout.barRect(i);
        const std::pair<double, ChartColor> sides[] = {{swing.atLow, ChartColor::series(1)},
                                                       {swing.atHigh, ChartColor::series(0)}};
        for (std::size_t side = 0; side < 2; ++side) {
            const auto& [value, color] = sides[side];
            const QRectF place(0, whole.top() + (side ? whole.height() / 2 : 0), 0, whole.height() / 2);
            if (!std::isfinite(value)) { // it cannot run at this end
                painter.setPen(style.role(ColorRole::Error));
                painter.drawText(QPointF(base + 4, place.bottom()), QStringLiteral("×"));
                continue;
            }
            QRectF bar = place;
            bar.setLeft(std::min(base, layout.x(value)));
            bar.setRight(std::max(base, layout.x(value)));
            // Both ends on the same side lie above each other; else each has the whole height.
            const bool apart =
                (swing.atLow - picture.tornado.base) * (swing.atHigh - picture.tornado.base) > 0;
            if (!apart) {
                bar.setTop(whole.top());
                bar.setBottom(whole.bottom());
            }
            painter.fillRect(bar, style.color(color));
        }
        const auto name = layout.nameRect(i);
        const double mark = name.left() + kMark / 2;
        painter.setPen(QPen(style.role(ColorRole::BorderControl), 1.4,
                            swing.input.stated ? Qt::SolidLine : Qt::DotLine));
        painter.setBrush(swing.input.stated ? QBrush(style.role(ColorRole::BorderControl))
                                            : QBrush(Qt::NoBrush));
        painter.drawEllipse(QPointF(mark, name.center().y()), kMark / 2 - 1, kMark / 2 - 1);
        painter.setPen(style.role(hovered == i ? ColorRole::Accent : ColorRole::Text));
        const auto words = name.adjusted(kWords, 0, 0, 0);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         nameText(QString::fromStdString(swing.input.label), words.width(), style));
    }
    const double base = layout.x(picture.tornado.base);
    painter.setPen(QPen(style.role(ColorRole::Text), style.lineWidth(1.4)));
    painter.drawLine(QPointF(base, layout.top - 2), QPointF(base, end + 2));
    painter.setPen(style.role(ColorRole::Text));
    painter.drawText(
        QRectF(layout.left, end + measure.height() + 2, layout.right - layout.left, measure.height() + 2),
        Qt::AlignCenter | Qt::TextDontClip, picture.label());
    paintLegend(painter, layout, style, end + 3);
    painter.restore();
}

TornadoChart::TornadoChart(QWidget* parent) : DrawnWidget(parent), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Sensitivity"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TornadoChart::setPicture(TornadoPicture picture) {
    m_picture = std::move(picture);
    light({}, {});
    update();
}

TornadoLayout TornadoChart::tornadoLayout() const {
    return {m_picture, QRectF(rect()), ChartStyle{}};
}

void TornadoChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintTornado(painter, m_picture, tornadoLayout(), ChartStyle{}, m_lit);
    if (hasFocus() && m_lit) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().color(ColorRole::Focus), 2));
        painter.drawRoundedRect(tornadoLayout().nameRect(*m_lit).adjusted(1, 1, 4, -1), 4, 4);
    }
}

void TornadoChart::light(std::optional<std::size_t> bar, QPointF at) {
    m_lit = bar;
    update();
    m_readOut->setGeometry(rect());
    if (!bar || *bar >= tornadoLayout().count) {
        m_readOut->clear();
        setAccessibleDescription({});
        return;
    }
    const auto& swing = m_picture.tornado.swings[*bar];
    const auto& input = swing.input;
    const auto metric = [this](double value) {
        return std::isfinite(value)
                   ? withUnit(numberText(value * m_picture.shown.factor), unitOf(m_picture.label()))
                   : tr("cannot run");
    };
    const auto& theme = Theme::instance();
    std::vector<ReadOut::Row> rows{{valueText(input, input.low), metric(swing.atLow), theme.series(1)},
                                   {valueText(input, input.value), metric(m_picture.tornado.base), {}},
                                   {valueText(input, input.high), metric(swing.atHigh), theme.series(0)},
                                   {input.stated ? tr("stated") : tr("assumed"), movedText(input), {}}};
    const auto heading = QString::fromStdString(input.label);
    setAccessibleDescription(heading + QStringLiteral(": ") + rows[0].value + QStringLiteral(" – ") +
                             rows[2].value);
    m_readOut->present(heading, std::move(rows), at, {}, false, 0, 0, tornadoLayout().barRect(*bar));
}

void TornadoChart::point(QMouseEvent& event) {
    const auto layout = tornadoLayout();
    const auto bar = layout.barAt(event.position());
    const bool onName = bar && layout.nameRect(*bar).contains(event.position());
    if (event.type() == QEvent::MouseMove) {
        setCursor(onName ? Qt::PointingHandCursor : Qt::ArrowCursor);
        light(bar, event.position());
    } else if (event.type() != QEvent::MouseButtonRelease) {
        event.ignore();
    } else if (event.button() == Qt::LeftButton && onName) {
        emit nameClicked(QString::fromStdString(m_picture.tornado.swings[*bar].input.path));
    }
}

void TornadoChart::keyPressEvent(QKeyEvent* event) {
    const auto bars = tornadoLayout().count;
    const bool choose =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (bars > 0 && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)) {
        const auto next = !m_lit                         ? 0
                          : event->key() == Qt::Key_Down ? std::min(*m_lit + 1, bars - 1)
                                                         : (*m_lit > 0 ? *m_lit - 1 : 0);
        light(next, tornadoLayout().barRect(next).center());
    } else if (choose && m_lit) {
        emit nameClicked(QString::fromStdString(m_picture.tornado.swings[*m_lit].input.path));
    } else if (event->key() == Qt::Key_Escape && m_lit) {
        light({}, {});
    } else {
        QWidget::keyPressEvent(event);
    }
}

void TornadoChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    light({}, {});
}

QByteArray TornadoChart::render(ImageFormat format, const ImageSize& size) const {
    const double width = pictureWidth(size.widthMm);
    const ChartStyle style{.exported = true};
    const auto layoutOf = [&](double row) {
        const auto rows = static_cast<double>(std::max<std::size_t>(m_picture.bars(), 4));
        return TornadoLayout(m_picture, QRectF(4, 0, width - 8, row * rows + kScaleHeight + 12), style);
    };
    auto layout = layoutOf(kPrintedRow);
    const double words = layout.nameRect(0).width() - kWords;
    const bool breaks = std::any_of(
        m_picture.tornado.swings.begin(),
        m_picture.tornado.swings.begin() + static_cast<std::ptrdiff_t>(m_picture.bars()),
        [&](const auto& swing) {
            return nameText(QString::fromStdString(swing.input.label), words, style).contains(u'\n');
        });
    if (breaks)
        layout = layoutOf(kMostRow); // two lines of a name
    const QSize logical(static_cast<int>(width), static_cast<int>(layout.area.height()));
    return renderPicture(format, size, accessibleName(), logical,
                         [&](QPainter& painter) { paintTornado(painter, m_picture, layout, style, {}); });
}

void TornadoChart::exportTo(const QString& path, const ImageSize& size) const {
    const auto bytes = render(imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString TornadoChart::csv() const {
    const auto metric = quantityLabel(m_picture.metric, m_picture.unit).toStdString();
    std::string out = "path,input,unit,value,low,high,stated," + engine::csvField(metric + " at low") + ',' +
                      engine::csvField(metric + " at value") + ',' + engine::csvField(metric + " at high") +
                      '\n';
    const auto number = [](double value) { return std::isfinite(value) ? engine::exactText(value) : ""; };
    for (const auto& swing : m_picture.tornado.swings) {
        const auto& input = swing.input;
        out += engine::csvField(input.path) + ',' + engine::csvField(input.label) + ',' +
               engine::csvField(input.unit) + ',' + number(input.value) + ',' + number(input.low) + ',' +
               number(input.high) + ',' + (input.stated ? "yes" : "no") + ',' + number(swing.atLow) + ',' +
               number(m_picture.tornado.base) + ',' + number(swing.atHigh) + '\n';
    }
    return QString::fromStdString(out);
}

} // namespace heteroscape::widgets

#include "moc_tornado_chart.cpp"
