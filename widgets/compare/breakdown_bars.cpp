// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/breakdown_bars.h"

#include "engine/base/file.h"
#include "engine/plotting/ticks.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_style.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr ChartStyle kStyle{.exported = true};
constexpr double kHeading = 24.0;
constexpr double kPictureMargin = 12.0;

struct DesignsPictureText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::DesignsPage)
};

} // namespace

QByteArray renderDesigns(const ComparedDesigns& designs, TimeSpan view, ImageFormat format,
                         const ImageSize& size) {
    const double width = pictureWidth(size.widthMm);
    const auto bars = layOutBreakdown(designs, width, kStyle);
    TimelineTracks tracks;
    for (const auto& design : designs)
        if (design->track)
            tracks.push_back(*design->track);
    TimelineLayoutOptions options;
    options.width = width;
    options.overview = false;
    options.style = kStyle;
    const auto lanes = tracks.empty() ? TimelineLayout{} : layOut(tracks, options);
    const double timelineTop = kHeading + bars.height + 8.0;
    const double height = tracks.empty() ? timelineTop : timelineTop + kHeading + lanes.height;
    const auto heading = [&](QPainter& painter, double top, const QString& text) {
        painter.setFont(kStyle.font(QFont::DemiBold));
        painter.setPen(kStyle.role(ColorRole::Text));
        painter.drawText(QRectF(kPictureMargin, top, width - 2 * kPictureMargin, kHeading),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    return renderPicture(format, size, DesignsPictureText::tr("Designs side by side"),
                         QSize(static_cast<int>(width), static_cast<int>(std::ceil(height)) + 2),
                         [&](QPainter& painter) {
                             heading(painter, 0.0, DesignsPictureText::tr("Time of one batch"));
                             painter.save();
                             painter.translate(0.0, kHeading);
                             paintBreakdown(painter, designs, bars, kStyle);
                             painter.restore();
                             if (tracks.empty())
                                 return;
                             heading(painter, timelineTop, DesignsPictureText::tr("One decode step"));
                             painter.translate(0.0, timelineTop + kHeading);
                             TimelinePainter(painter, tracks, lanes, view, kStyle).paint();
                         });
}

void exportDesigns(const ComparedDesigns& designs, TimeSpan view, const QString& path,
                   const ImageSize& size) {
    const auto bytes = renderDesigns(designs, view, imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

namespace {

constexpr double kMargin = 12.0, kRow = 28.0, kBar = 18.0, kSwatch = 14.0, kTickEvery = 110.0;
constexpr double kLabelShare = 0.26; ///< of the width that names may take

struct BreakdownBarsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::BreakdownBars)
};

void fillPart(QPainter& painter, const QRectF& rect, const engine::BatchPart& part, const ChartStyle& style) {
    const auto color = style.color(partColor(part));
    painter.fillRect(rect, color);
    if (!isHatched(part) || rect.width() < 3.0)
        return;
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    auto ink = inkOn(color);
    ink.setAlphaF(0.45F);
    painter.setPen(QPen(ink, 1.0));
    const double from = rect.left() - std::fmod(rect.left(), 6.0) - rect.height();
    for (double x = from; x < rect.right(); x += 6.0)
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    painter.restore();
}

double secondsOf(const ComparedDesign& design) {
    double sum = 0.0;
    for (const auto& part : design.parts)
        sum += part.seconds;
    return sum;
}

QString labelOf(const engine::BatchPart& part) {
    return QString::fromStdString(part.label);
}

} // namespace

BreakdownLayout layOutBreakdown(const ComparedDesigns& designs, double width, const ChartStyle& style,
                                bool shares) {
    const QFontMetricsF metrics(style.font());
    BreakdownLayout layout;
    layout.shares = shares;
    double labels = 60.0, totals = 40.0;
    for (const auto& design : designs) {
        labels = std::max(labels, metrics.horizontalAdvance(design->input.name) + 8.0);
        const double sum = secondsOf(*design);
        layout.seconds = shares ? 1.0 : std::max(layout.seconds, sum);
        totals = std::max(totals, metrics.horizontalAdvance(timeText(sum)) + 12.0);
    }
    if (!(layout.seconds > 0.0))
        layout.seconds = 1.0;
    labels = std::min(labels, kLabelShare * width);
    const double left = kMargin + labels, right = std::max(left + 40.0, width - kMargin - totals);
    layout.plot = QRectF(left, 4.0, right - left, kRow * static_cast<double>(designs.size()));
    for (std::size_t i = 0; i < designs.size(); ++i) {
        const double top = layout.plot.top() + kRow * static_cast<double>(i);
        layout.rows.emplace_back(kMargin, top, width - 2 * kMargin, kRow);
        double at = 0.0;
        for (std::size_t p = 0; p < designs[i]->parts.size(); ++p) {
            const auto& part = designs[i]->parts[p];
            const double x = layout.xOf(at);
            at += shares ? part.seconds / secondsOf(*designs[i]) : part.seconds;
            layout.parts.push_back({i, p, QRectF(x, top + (kRow - kBar) / 2.0, layout.xOf(at) - x, kBar)});
            if (std::none_of(layout.legend.begin(), layout.legend.end(),
                             [&](const auto& entry) { return entry.sample.key == part.key; }))
                layout.legend.push_back({part, {}});
        }
    }
    double y = layout.plot.bottom() + 2.0;
    layout.axis = QRectF(left, y, layout.plot.width(), metrics.height() + 4.0);
    y = layout.axis.bottom() + 4.0;
    double x = kMargin;
    const double line = metrics.height() + 4.0;
    for (auto& entry : layout.legend) {
        const double wide = kSwatch + 5.0 + metrics.horizontalAdvance(labelOf(entry.sample));
        if (x > kMargin && x + wide > width - kMargin) {
            x = kMargin;
            y += line;
        }
        entry.rect = QRectF(x, y, wide, line);
        x += wide + 16.0;
    }
    layout.height = y + (layout.legend.empty() ? 0.0 : line) + 4.0;
    return layout;
}

void paintBreakdown(QPainter& painter, const ComparedDesigns& designs, const BreakdownLayout& layout,
                    const ChartStyle& style) {
    painter.setFont(style.font());
    const QFontMetricsF metrics(style.font());
    const auto unit = layout.shares ? TimeUnit{0.01, QStringLiteral("%")}
                                    : unitFor(layout.seconds); // of a design's own time
    const int wanted = std::max(2, static_cast<int>(layout.plot.width() / kTickEvery));
    for (const double tick : engine::linearTicks({0.0, layout.seconds / unit.seconds}, wanted)) {
        const double x = layout.xOf(tick * unit.seconds);
        painter.setPen(QPen(style.role(ColorRole::Grid), style.lineWidth(1.0)));
        painter.drawLine(QPointF(x, layout.plot.top()), QPointF(x, layout.plot.bottom() + 3.0));
        auto text = QString::fromStdString(engine::tickText(tick));
        if (tick == 0.0)
            text += QChar(0x202f) + unit.name;
        QRectF box(0, layout.axis.top(), metrics.horizontalAdvance(text) + 2.0, layout.axis.height());
        box.moveCenter(QPointF(x, box.center().y()));
        if (box.left() < layout.plot.left())
            box.moveLeft(layout.plot.left());
        painter.setPen(style.role(ColorRole::Muted));
        painter.drawText(box, Qt::AlignCenter, text);
    }
    std::vector<double> ends(designs.size(), layout.plot.left());
    for (const auto& place : layout.parts) {
        const auto& part = designs[place.design]->parts[place.part];
        const auto rect = place.rect.width() > 3.0 ? place.rect.adjusted(0, 0, -1, 0) : place.rect;
        fillPart(painter, rect, part, style);
        ends[place.design] = place.rect.right();
        const auto value = layout.shares ? shareText(part.seconds / secondsOf(*designs[place.design]))
                                         : timeText(part.seconds);
        if (isHatched(part) || metrics.horizontalAdvance(value) + 8.0 > rect.width())
            continue;
        painter.setPen(inkOn(style.color(partColor(part))));
        painter.drawText(rect, Qt::AlignCenter, value);
    }
    for (std::size_t i = 0; i < designs.size(); ++i) {
        const auto& row = layout.rows[i];
        painter.setPen(style.role(ColorRole::Text));
        painter.drawText(QRectF(row.left(), row.top(), layout.plot.left() - row.left() - 8.0, row.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(designs[i]->input.name, Qt::ElideRight,
                                            layout.plot.left() - row.left() - 8.0));
        if (designs[i]->parts.empty()) {
            painter.setPen(style.role(ColorRole::Error));
            painter.drawText(
                QRectF(layout.plot.left(), row.top(), row.right() - layout.plot.left(), row.height()),
                Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(designs[i]->reason, Qt::ElideRight, row.right() - layout.plot.left()));
            continue;
        }
        painter.setPen(style.role(ColorRole::Text));
        painter.drawText(QRectF(ends[i] + 6.0, row.top(), row.right() - ends[i], row.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, timeText(secondsOf(*designs[i])));
    }
    for (const auto& entry : layout.legend) {
        fillPart(painter, QRectF(entry.rect.left(), entry.rect.center().y() - 5.0, kSwatch, 10.0),
                 entry.sample, style);
        painter.setPen(style.role(ColorRole::Text2));
        painter.drawText(entry.rect.adjusted(kSwatch + 5.0, 0, 4.0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         labelOf(entry.sample));
    }
}

BreakdownBars::BreakdownBars(QWidget* parent) : DrawnWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time of one batch"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        relayOut();
        update();
    });
}

void BreakdownBars::setDesigns(ComparedDesigns designs) {
    m_designs = std::move(designs);
    m_walked.reset();
    QStringList texts;
    for (const auto& design : m_designs)
        texts << (design->parts.empty()
                      ? tr("%1 cannot run").arg(design->input.name)
                      : tr("%1: %2").arg(design->input.name,
                                         timeText(design->evaluation.metric(engine::Metric::Latency))));
    setAccessibleDescription(texts.join(QStringLiteral("; ")));
    relayOut();
    updateGeometry();
    update();
}

void BreakdownBars::setShares(bool shares) {
    m_shares = shares;
    relayOut();
    update();
}

void BreakdownBars::relayOut() {
    m_layout = layOutBreakdown(m_designs, width(), {}, m_shares);
}

QSize BreakdownBars::sizeHint() const {
    return {800, static_cast<int>(
                     std::ceil(layOutBreakdown(m_designs, std::max(width(), 300), {}, m_shares).height))};
}

void BreakdownBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayOut();
    if (std::abs(sizeHint().height() - height()) > 1)
        updateGeometry(); // the legend takes other lines now
}

void BreakdownBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBreakdown(painter, m_designs, m_layout, {});
    if (!hasFocus())
        return;
    painter.setPen(QPen(Theme::instance().color(ColorRole::Focus), 2));
    painter.setBrush(Qt::NoBrush);
    if (m_walked)
        painter.drawRect(m_layout.parts[*m_walked].rect.adjusted(-1, -2, 1, 2));
    else
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

std::optional<std::size_t> BreakdownBars::partAt(QPointF point) const {
    for (std::size_t i = 0; i < m_layout.parts.size(); ++i)
        if (m_layout.parts[i].rect.adjusted(0, -4, 0, 4).contains(point))
            return i;
    return {};
}

QString BreakdownBars::partText(std::size_t index) const {
    const auto& place = m_layout.parts[index];
    const auto& design = *m_designs[place.design];
    const auto& part = design.parts[place.part];
    return tr("%1, %2: %3, %4 of %5")
        .arg(design.input.name, labelOf(part), timeText(part.seconds),
             shareText(part.seconds / design.evaluation.metric(engine::Metric::Latency)),
             timeText(design.evaluation.metric(engine::Metric::Latency)));
}

bool BreakdownBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto part = partAt(help->pos())) {
        QToolTip::showText(help->globalPos(), plainTip(partText(*part)), this);
    } else {
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i)
            if (m_layout.rows[i].contains(help->pos())) {
                const auto& design = *m_designs[i];
                QToolTip::showText(help->globalPos(),
                                   plainTip(design.runs() ? design.input.name : design.reason), this);
                return true;
            }
        QToolTip::hideText();
    }
    return true;
}

void BreakdownBars::explain(std::size_t index, QPoint globalPoint) {
    const auto& place = m_layout.parts[index];
    const auto& part = m_designs[place.design]->parts[place.part];
    emit explainRequested(place.design, std::string(engine::metricSpec(part.metric).key), globalPoint);
}

void BreakdownBars::point(QMouseEvent& event) {
    const bool pressed =
        event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseButtonDblClick;
    const auto part = partAt(event.position());
    if (!pressed || !part || event.button() != Qt::LeftButton)
        return event.ignore();
    walkTo(*part);
    explain(*part, mapToGlobal(m_layout.parts[*part].rect.bottomLeft().toPoint()));
}

void BreakdownBars::contextMenuEvent(QContextMenuEvent* event) {
    const auto part = event->reason() == QContextMenuEvent::Mouse ? partAt(event->pos()) : m_walked;
    if (!part)
        return;
    const auto at = mapToGlobal(m_layout.parts[*part].rect.bottomLeft().toPoint());
    QMenu menu(this);
    menu.addAction(tr("How it comes about"), this, [this, part, at] {
        if (*part < m_layout.parts.size()) // other designs may have come while the menu stood open
            explain(*part, at);
    });
    menu.exec(event->globalPos());
}

void BreakdownBars::walkTo(std::size_t index) {
    m_walked = index;
    setAccessibleDescription(partText(index));
    update();
}

void BreakdownBars::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_walked && !m_layout.parts.empty() && event->reason() != Qt::MouseFocusReason)
        walkTo(0);
}

void BreakdownBars::keyPressEvent(QKeyEvent* event) {
    const auto& parts = m_layout.parts;
    if (parts.empty())
        return QWidget::keyPressEvent(event);
    const auto at = m_walked.value_or(0);
    const auto toDesign = [&](int step) { // the nearest design above or below that runs
        for (auto design = static_cast<std::ptrdiff_t>(parts[at].design) + step;
             design >= 0 && design < static_cast<std::ptrdiff_t>(m_designs.size()); design += step)
            for (std::size_t i = 0; i < parts.size(); ++i)
                if (parts[i].design == static_cast<std::size_t>(design))
                    return walkTo(i);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return walkTo(at > 0 ? at - 1 : 0);
    case Qt::Key_Right:
        return walkTo(std::min(at + 1, parts.size() - 1));
    case Qt::Key_Up:
        return toDesign(-1);
    case Qt::Key_Down:
        return toDesign(1);
    case Qt::Key_E:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return explain(at, mapToGlobal(parts[at].rect.bottomLeft().toPoint()));
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace heteroscape::widgets

#include "moc_breakdown_bars.cpp"
