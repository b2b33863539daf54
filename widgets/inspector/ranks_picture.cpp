// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/ranks_picture.h"

#include "engine/units/number_text.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kLeft = 14, kLabels = 58, kCellWidth = 25, kCellHeight = 23, kCellGap = 2, kHeader = 17;
constexpr int kStageGap = 8, kLine = 16, kAcross = 8, kMostCells = 64;
constexpr int kAttentionSeries = 0, kExpertSeries = 2, kDenseSeries = 5, kOuterSeries = 7;

QString rankNumber(double value) {
    return QString::fromStdString(engine::plainText(value, 6));
}

/// "88 to 95", "7".
QString rankRange(double first, double last) {
    return last > first ? RanksPicture::tr("%1 to %2").arg(rankNumber(first), rankNumber(last))
                        : rankNumber(first);
}

} // namespace

RanksPicture::RanksPicture(QWidget* parent) : DrawnWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RanksPicture::show(const engine::Scenario& scenario, const engine::Node& node) {
    m_layout = engine::layoutOf(node);
    m_layers = scenario.model.layers.valueOr(1.0);
    m_heads = scenario.model.queryHeads();
    m_experts = scenario.model.isMixture() ? scenario.model.experts.value : 0.0;
    m_batch = scenario.workload.batch.valueOr(1.0);
    m_cells.clear();
    m_rows.clear();
    const bool drawn = m_layout.tp == std::floor(m_layout.tp) && m_layout.etp == std::floor(m_layout.etp) &&
                       m_layout.devices() <= 100'000.0;
    const auto* link = engine::collectiveLink(scenario, node);
    const double domain = link ? link->type.domain.valueOr(0.0) : 0.0;
    const int ranks = drawn ? static_cast<int>(m_layout.devices()) : 0;
    const int stages = drawn ? static_cast<int>(m_layout.pp) : 1;
    const int inStage = ranks / std::max(1, stages);
    const int server = domain >= 2.0 && domain <= kAcross ? static_cast<int>(domain) : kAcross;
    m_ranksInCell = ranks > kMostCells ? std::min(server, std::max(1, inStage)) : 1;
    const int across = m_ranksInCell > 1 ? kAcross : server;
    m_columns = std::clamp(inStage / m_ranksInCell, 1, across);
    const bool servers = stages == 1 && m_ranksInCell == 1 && domain >= 2.0 && ranks > domain;
    for (int stage = 0; stage < stages; ++stage)
        for (int first = 0, at = 0; first < inStage; first += m_ranksInCell, ++at) {
            const int column = at % m_columns;
            const int rank = stage * inStage + first;
            if (column == 0) {
                const int last = std::min(inStage, first + m_columns * m_ranksInCell) - 1 + stage * inStage;
                m_rows.push_back({servers ? tr("Server %1").arg(rank / server + 1) : rankRange(rank, last),
                                  stage, stages > 1 && first == 0});
            }
            m_cells.push_back({static_cast<int>(m_rows.size()) - 1, column, stage, rank});
        }
    m_marked = std::clamp(m_marked, 0, std::max(0, cells() - 1));
    setAccessibleName(tr("Ranks: %1. %2").arg(summary(), cellText(m_marked)));
    updateGeometry();
    update();
}

QString RanksPicture::summary() const {
    const auto layers = tr("%1 layers").arg(rankNumber(m_layers));
    return m_layout.pp > 1.0 ? tr("%1 stages, %2").arg(rankNumber(m_layout.pp), layers)
                             : tr("1 stage, %1").arg(layers);
}

QString RanksPicture::layersOf(int stage) const {
    const double each = std::ceil(m_layers / m_layout.pp);
    return rankRange(std::min(m_layers, stage * each + 1.0), std::min(m_layers, (stage + 1.0) * each));
}

QString RanksPicture::cellText(int cell) const {
    if (cell < 0 || cell >= cells())
        return {};
    const auto& at = m_cells[static_cast<std::size_t>(cell)];
    const double inStage = m_layout.stageDevices();
    const double first = std::fmod(at.firstRank, inStage);
    const double last = first + m_ranksInCell - 1.0;
    QStringList parts;
    if (m_layout.pp > 1.0)
        parts << tr("layers %1").arg(layersOf(at.stage));
    const bool attends = m_layout.side != engine::LayerSide::Ffn;
    const double requests = std::ceil(m_batch / m_layout.dp);
    if (attends)
        parts << (requests == 1.0 ? tr("1 request") : tr("%1 requests").arg(rankNumber(requests)));
    if (attends && m_layout.tp > 1.0 && m_ranksInCell == 1) {
        const double each = m_heads / m_layout.tp;
        const double group = std::fmod(first, m_layout.tp);
        parts
            << tr("heads %1").arg(rankRange(std::floor(group * each), std::ceil((group + 1.0) * each) - 1.0));
    }
    if (m_experts > 0.0 && m_layout.side != engine::LayerSide::Attention) {
        const double each = m_experts / m_layout.ep;
        const double from = std::floor(std::floor(first / m_layout.etp) * each);
        const double to = std::ceil((std::floor(last / m_layout.etp) + 1.0) * each) - 1.0;
        parts << (m_layout.etp > 1.0
                      ? tr("1/%1 of experts %2").arg(rankNumber(m_layout.etp), rankRange(from, to))
                      : tr("experts %1").arg(rankRange(from, to)));
    }
    if (parts.isEmpty())
        parts << tr("1/%1 of the FFN").arg(rankNumber(m_layout.stageDevices()));
    const auto name = m_ranksInCell > 1
                          ? tr("Ranks %1").arg(rankRange(at.firstRank, at.firstRank + m_ranksInCell - 1))
                          : tr("Rank %1").arg(at.firstRank);
    return tr("%1: %2").arg(name, parts.join(QStringLiteral(", ")));
}

QStringList RanksPicture::legend() const {
    QStringList lines;
    if (m_layout.side != engine::LayerSide::Ffn)
        lines << (m_layout.tp > 1.0
                      ? tr("attention, %1 of %2 heads")
                            .arg(rankNumber(std::ceil(m_heads / m_layout.tp)), rankNumber(m_heads))
                      : tr("attention, all heads"));
    if (m_layout.side == engine::LayerSide::Attention)
        return lines;
    if (m_experts > 0.0) {
        const auto each = rankNumber(std::ceil(m_experts / m_layout.ep));
        const auto share = rankNumber(m_layout.etp);
        lines << (m_layout.etp <= 1.0  ? tr("%1 of %2 experts").arg(each, rankNumber(m_experts))
                  : m_layout.ep <= 1.0 ? tr("1/%1 of experts").arg(share)
                                       : tr("1/%1 of %2 experts").arg(share, each));
    } else {
        const double cut = m_layout.side == engine::LayerSide::Ffn ? m_layout.stageDevices() : m_layout.tp;
        lines << (cut > 1.0 ? tr("1/%1 of the FFN").arg(rankNumber(cut)) : tr("the whole FFN"));
    }
    return lines;
}

int RanksPicture::top(int row) const {
    int y = kHeader;
    for (int i = 0; i <= row && i < static_cast<int>(m_rows.size()); ++i) {
        if (m_rows[static_cast<std::size_t>(i)].opensStage)
            y += kLine + (i > 0 ? kStageGap : 0);
        if (i < row)
            y += kCellHeight + kCellGap;
    }
    return y;
}

QRect RanksPicture::cellRect(int cell) const {
    const auto& at = m_cells[static_cast<std::size_t>(cell)];
    const int room = (width() - kLeft - kLabels - 10) / kAcross;
    const int across = std::min(kCellWidth + kCellGap, room);
    return {kLeft + kLabels + at.column * across, top(at.row), across, kCellHeight};
}

QSize RanksPicture::sizeHint() const {
    const int rows = static_cast<int>(m_rows.size());
    return {200, (rows > 0 ? top(rows - 1) + kCellHeight + 4 : kHeader) + 2 * kLine + 2};
}

bool RanksPicture::sharesAttention(int left, int right) const {
    if (m_ranksInCell > 1)
        return false;
    const auto group = [&](int cell) {
        return std::floor(m_cells[static_cast<std::size_t>(cell)].firstRank / m_layout.tp);
    };
    return group(left) == group(right);
}

bool RanksPicture::sharesExperts(int left, int right) const {
    if (m_ranksInCell > 1)
        return false;
    const double shared = m_experts > 0.0 ? m_layout.etp : m_layout.tp;
    const auto group = [&](int cell) {
        return std::floor(m_cells[static_cast<std::size_t>(cell)].firstRank / shared);
    };
    return group(left) == group(right);
}

void RanksPicture::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.font(TextSize::Caption));
    if (m_cells.empty())
        return;
    painter.setPen(theme.color(ColorRole::Muted));
    for (int column = 0; column < m_columns; ++column) {
        const auto rect = cellRect(column);
        painter.drawText(QRect(rect.left(), 0, rect.width(), kHeader - 2), Qt::AlignCenter,
                         QString::number(column * m_ranksInCell));
    }
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        const auto& said = m_rows[static_cast<std::size_t>(row)];
        if (said.opensStage) {
            painter.setPen(theme.color(ColorRole::Muted));
            painter.drawText(QRect(kLeft, top(row) - kLine, width() - 2 * kLeft, kLine),
                             Qt::AlignLeft | Qt::AlignVCenter,
                             tr("Stage %1, layers %2").arg(said.stage + 1).arg(layersOf(said.stage)));
        }
        painter.setPen(theme.color(ColorRole::Text2));
        painter.drawText(QRect(kLeft, top(row), kLabels - 4, kCellHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         said.label);
    }
    const auto lower = theme.series(m_experts > 0.0 ? kExpertSeries : kDenseSeries);
    const int lastStage = static_cast<int>(m_layout.pp) - 1;
    for (int cell = 0; cell < cells(); ++cell) {
        const auto& at = m_cells[static_cast<std::size_t>(cell)];
        const bool next = cell + 1 < cells() && m_cells[static_cast<std::size_t>(cell) + 1].row == at.row;
        auto rect = cellRect(cell);
        const int half = rect.height() / 2;
        auto upper = QRect(rect.left(), rect.top(), rect.width(), half);
        auto below = QRect(rect.left(), rect.top() + half + 1, rect.width(), rect.height() - half - 1);
        if (!(next && sharesAttention(cell, cell + 1)))
            upper.setWidth(upper.width() - kCellGap);
        if (!(next && sharesExperts(cell, cell + 1)))
            below.setWidth(below.width() - kCellGap);
        const auto empty = theme.color(ColorRole::Track); // the other side's
        const auto side = m_layout.side;
        painter.fillRect(upper, side == engine::LayerSide::Ffn ? empty : theme.series(kAttentionSeries));
        painter.fillRect(below, side == engine::LayerSide::Attention ? empty : lower);
        if (at.stage == 0) // the embedding above the first stage, the head below the last
            painter.fillRect(QRect(upper.left(), upper.top(), upper.width(), 2), theme.series(kOuterSeries));
        if (at.stage == lastStage)
            painter.fillRect(QRect(below.left(), below.bottom() - 1, below.width(), 2),
                             theme.series(kOuterSeries));
    }
    const auto marked = cellRect(m_marked).adjusted(-1, -1, 0, 1);
    painter.setPen(QPen(theme.color(hasFocus() ? ColorRole::Focus : ColorRole::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(marked);

    int y = top(static_cast<int>(m_rows.size()) - 1) + kCellHeight + 4;
    int x = kLeft;
    painter.setPen(theme.color(ColorRole::Text2));
    const auto words = legend();
    for (int i = 0; i < words.size(); ++i) {
        const bool attention = i == 0 && m_layout.side != engine::LayerSide::Ffn;
        painter.fillRect(QRect(x, y + kLine / 2 - 3, 7, 7),
                         attention ? theme.series(kAttentionSeries) : lower);
        painter.drawText(QRect(x + 11, y, width() - x - 11, kLine), Qt::AlignLeft | Qt::AlignVCenter,
                         words[i]);
        x += 11 + painter.fontMetrics().horizontalAdvance(words[i]) + 12;
    }
    y += kLine;
    painter.setFont(theme.font(TextSize::Caption, QFont::DemiBold));
    painter.setPen(theme.color(ColorRole::Text));
    const QRect line(kLeft, y, width() - 2 * kLeft, kLine);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(cellText(m_marked), Qt::ElideRight, line.width()));
}

void RanksPicture::mark(int cell) {
    if (cell < 0 || cell >= cells() || cell == m_marked)
        return;
    m_marked = cell;
    setAccessibleName(tr("Ranks: %1. %2").arg(summary(), cellText(m_marked)));
    update();
}

void RanksPicture::point(QMouseEvent& event) {
    if (event.type() != QEvent::MouseMove)
        return event.ignore();
    for (int cell = 0; cell < cells(); ++cell)
        if (cellRect(cell).contains(event.position().toPoint()))
            mark(cell);
}

void RanksPicture::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return mark(m_marked - 1);
    case Qt::Key_Right:
        return mark(m_marked + 1);
    case Qt::Key_Up:
        return mark(m_marked - m_columns);
    case Qt::Key_Down:
        return mark(m_marked + m_columns);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace heteroscape::widgets

#include "moc_ranks_picture.cpp"
