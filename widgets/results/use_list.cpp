// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/use_list.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_style.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QColor>
#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QFontMetrics>
#include <QPainter>
#include <QString>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr float kOpacity = 0.55F;

} // namespace

Veil::Veil(QWidget* over) : QWidget(over) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    over->installEventFilter(this);
    hide();
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void Veil::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    setGeometry(parentWidget()->rect());
    raise();
}

void Veil::paintEvent(QPaintEvent*) {
    auto colour = Theme::instance().color(ColorRole::Surface);
    colour.setAlphaF(kOpacity);
    QPainter(this).fillRect(rect(), colour);
}

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

namespace {

constexpr int kSwatch = 8;
constexpr int kBeside = 5; ///< between a swatch and its name
constexpr int kBetween = 10;

QFontMetrics metrics() {
    return QFontMetrics(Theme::instance().font(TextSize::Caption));
}

} // namespace

LegendLine::LegendLine(QWidget* parent) : QWidget(parent) {
    auto policy = QSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendLine::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

std::vector<QRect> LegendLine::places(int width) const {
    const auto text = metrics();
    const int line = text.height() + 3;
    std::vector<QRect> places;
    int x = 0, y = 0;
    for (const auto& entry : m_entries) {
        const int wide = kSwatch + kBeside + text.horizontalAdvance(entry.name) + 1;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        places.emplace_back(x, y, wide, line);
        x += wide + kBetween;
    }
    return places;
}

int LegendLine::heightForWidth(int width) const {
    const auto all = places(width);
    return all.empty() ? 0 : all.back().bottom() + 1;
}

QSize LegendLine::sizeHint() const {
    return {180, heightForWidth(180)};
}

QSize LegendLine::minimumSizeHint() const {
    int widest = 0;
    for (const auto& place : places(0))
        widest = std::max(widest, place.width());
    return {widest, metrics().height()};
}

void LegendLine::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.font(TextSize::Caption));
    painter.setPen(theme.color(ColorRole::Text2));
    const auto all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& place = all[i];
        painter.fillRect(QRect(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch),
                         m_entries[i].color);
        painter.drawText(place.adjusted(kSwatch + kBeside, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         m_entries[i].name);
    }
}

namespace {

constexpr int kMargin = 14; // a bar brings as much of its own

QString nodeName(const engine::Scenario& scenario, const engine::NodeId& id) {
    const auto* node = scenario.findNode(id);
    return QString::fromStdString(node ? node->shownName() : id.value);
}

} // namespace

UseList::UseList(QWidget* parent)
    : QWidget(parent), m_column(new QVBoxLayout(this)), m_legend(new LegendLine(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    auto* legend = new QHBoxLayout;
    legend->setContentsMargins(kMargin, 0, kMargin, 0);
    legend->addWidget(m_legend);
    m_column->addLayout(legend);
    m_column->addStretch(1);
    Theme::instance().follow(this, [this] { refresh(); });
}

QString UseList::nameOf(int row) const {
    return m_rows[static_cast<std::size_t>(row)].name->text();
}

QString UseList::valueOf(int row) const {
    return m_rows[static_cast<std::size_t>(row)].value->text();
}

void UseList::setRun(std::shared_ptr<const SimulationRun> run) {
    m_run = std::move(run);
    refresh();
}

std::vector<UseList::Line> UseList::lines() const {
    const auto& theme = Theme::instance();
    std::vector<Line> lines;
    if (!m_run)
        return lines;
    const auto& scenario = m_run->scenario;
    const auto& serving = m_run->serving;
    for (std::size_t i = 0; i < scenario.nodes.size() && i < serving.nodes.size(); ++i) {
        const auto& use = serving.nodes[i];
        if (use.replicas == 0 && use.busy() <= 0.0) // carries data only
            continue;
        const double busy = std::min(use.busy(), 1.0);
        // A slot taken by a KV transfer may belong to a device that computes for another request meanwhile.
        const double transfer = std::min(use.transferBusy, 1.0 - busy);
        Line line{
            QString::fromStdString(scenario.nodes[i].shownName()), tr("%1 busy").arg(shareText(busy)), {}};
        const std::pair<double, std::pair<int, QString>> shares[] = {
            {use.prefillBusy, {kPrefillSeries, tr("Prefill")}},
            {transfer, {kTransferSeries, tr("KV transfer")}},
            {use.decodeBusy, {kDecodeSeries, tr("Decode")}}};
        for (const auto& [share, part] : shares)
            if (share > 0.0)
                line.parts.push_back({part.second, shareText(share), share, theme.series(part.first)});
        const double idle = std::max(0.0, 1.0 - busy - transfer);
        line.parts.push_back({tr("Idle"), shareText(idle), idle, theme.color(ColorRole::Track)});
        lines.push_back(std::move(line));
    }
    for (std::size_t l = 0; l < scenario.links.size() && l < serving.links.size(); ++l) {
        const auto& link = scenario.links[l];
        const auto& use = serving.links[l];
        const double share = std::min(use.utilisation(), 1.0);
        Line line{tr("%1 \u2013 %2").arg(nodeName(scenario, link.from), nodeName(scenario, link.to)),
                  tr("%1, %2").arg(rateText(use.bytesPerSecond), shareText(use.utilisation())),
                  {}};
        if (share > 0.0)
            line.parts.push_back(
                {tr("Used"), tr("%1 of %2").arg(rateText(use.bytesPerSecond), rateText(use.capacity)), share,
                 theme.color(share > 0.8 ? ColorRole::Hot : ColorRole::BorderControl)});
        const double left = std::isnan(share) ? 1.0 : 1.0 - share;
        line.parts.push_back({tr("Idle"), shareText(left), left, theme.color(ColorRole::Track)});
        lines.push_back(std::move(line));
    }
    return lines;
}

UseList::Row UseList::makeRow() {
    Row row{new QWidget(this), nullptr, nullptr, nullptr};
    row.name = new TextLabel(TextSize::Caption, ColorRole::Text, row.widget, QFont::Medium);
    row.value = new TextLabel(TextSize::Caption, ColorRole::Text2, row.widget);
    row.bar = new StackBar(false, row.widget);
    row.name->setElided(true);
    row.name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(kMargin, 2, kMargin, 0);
    line->setSpacing(8);
    line->addWidget(row.name, 1);
    line->addWidget(row.value);
    auto* column = makeColumn(row.widget);
    column->addLayout(line);
    column->addWidget(row.bar);
    m_column->insertWidget(m_column->count() - 1, row.widget); // before the stretch
    return row;
}

void UseList::refresh() {
    const auto& theme = Theme::instance();
    m_legend->setEntries({{tr("Prefill"), theme.series(kPrefillSeries)},
                          {tr("KV transfer"), theme.series(kTransferSeries)},
                          {tr("Decode"), theme.series(kDecodeSeries)}});
    const auto wanted = lines();
    while (m_rows.size() > wanted.size()) {
        m_rows.back().widget->hide();
        m_rows.back().widget->deleteLater();
        m_rows.pop_back();
    }
    while (m_rows.size() < wanted.size())
        m_rows.push_back(makeRow());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        m_rows[i].name->setText(wanted[i].name);
        m_rows[i].value->setText(wanted[i].value);
        m_rows[i].bar->setParts(wanted[i].parts);
    }
}

} // namespace heteroscape::widgets

#include "moc_use_list.cpp"
#include "use_list.moc"
