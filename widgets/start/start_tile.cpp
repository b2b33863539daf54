// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_tile.h"

#include "engine/base/error.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QString>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Of these papers the number that their readers know them by.
constexpr const char* kKnown[] = {"a100-7u280-over-8a100-cost", "fig6-ratio", "fig10-30b"};

} // namespace

std::optional<engine::Claim> headlineClaim(const engine::Paper& paper) {
    const engine::Claim* first = nullptr;
    for (const auto& claim : paper.claims) {
        if (!claim.headline || claim.unit != "\u00d7" || claim.scenario.empty())
            continue;
        if (std::find(std::begin(kKnown), std::end(kKnown), claim.id) != std::end(kKnown))
            return claim;
        if (!first)
            first = &claim;
    }
    return first ? std::optional(*first) : std::nullopt;
}

HeadlineNumbers::HeadlineNumbers(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)) {}

void HeadlineNumbers::start(const std::vector<engine::Paper>& papers) {
    for (auto paper : papers) {
        const auto claim = headlineClaim(paper);
        if (!claim)
            continue;
        paper.claims = {*claim};
        m_job.start([this, paper = std::move(paper), catalog = m_catalog](JobRun&) -> Job::Show {
            // What throws is Job's to catch: then there is no number to show.
            const double model = engine::compare(*catalog, paper).results.at(0).model;
            if (!std::isfinite(model))
                return {};
            return [this, id = paper.id, model] { emit found(id, model); };
        });
    }
}

namespace {

constexpr int kRowHeight = 46, kTileHeight = 64, kLeastWidth = 120, kTile = 30, kIcon = 18, kTileMargin = 10;

} // namespace

StartTile::StartTile(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
                     const QString& about, bool framed, QWidget* parent)
    : QAbstractButton(parent), m_icon(icon), m_kind(kind), m_about(about), m_framed(framed) {
    setText(name);
    setAccessibleName(name);
    setAccessibleDescription(about);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize StartTile::sizeHint() const {
    return {240, m_framed ? kTileHeight : kRowHeight};
}

QSize StartTile::minimumSizeHint() const {
    return {kLeastWidth, sizeHint().height()};
}

void StartTile::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto box = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool marked = hasFocus();
    painter.setPen(marked     ? QPen(theme.color(ColorRole::Focus), 2)
                   : m_framed ? QPen(theme.color(ColorRole::Border), 1)
                              : QPen(Qt::NoPen));
    if (underMouse())
        painter.setBrush(theme.color(ColorRole::Sunken));
    else if (m_framed)
        painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawRoundedRect(box, 6, 6);

    const QRectF tile(kTileMargin, (height() - kTile) / 2.0, kTile, kTile);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_kind ? theme.kindTint(*m_kind) : theme.color(ColorRole::Track));
    painter.drawRoundedRect(tile, 5, 5);
    painter.drawPixmap(tile.center() - QPointF(kIcon / 2.0, kIcon / 2.0),
                       theme.pixmap(m_icon, m_kind ? theme.kind(*m_kind) : theme.color(ColorRole::Text2),
                                    kIcon, devicePixelRatioF()));
    const int left = kTileMargin + kTile + 10;
    const int room = width() - left - kTileMargin;
    const auto line = [&](const QFont& font, ColorRole role, const QString& text, int top, int lineHeight) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        painter.drawText(QRect(left, top, room, lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, room));
    };
    const int top = (height() - 34) / 2;
    line(theme.font(TextSize::Dense, m_framed ? QFont::DemiBold : QFont::Medium), ColorRole::Text, text(),
         top, 18);
    line(theme.font(TextSize::Caption), ColorRole::Muted, m_about, top + 18, 16);
}

void StartTile::enterEvent(QEnterEvent*) {
    update();
}

void StartTile::leaveEvent(QEvent*) {
    update();
}

} // namespace heteroscape::widgets

#include "moc_start_tile.cpp"
