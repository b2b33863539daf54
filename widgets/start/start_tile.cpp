// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_tile.h"

#include "engine/base/error.h"
#include "engine/scenario/scenario.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QString>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <map>

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

/// A small drawing of a design: its nodes where they stand, in the colours of their kinds, and its links. UI
/// thread.
class DesignPicture : public QWidget {
    Q_OBJECT
public:
    explicit DesignPicture(engine::Scenario scenario, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    engine::Scenario m_scenario;
};

namespace {

constexpr QSizeF kBox(76, 46);
constexpr int kMargin = 14;
constexpr double kStep = 190; ///< a canvas of cards this far apart fills the picture at scale 1
constexpr double kLargest = 0.62;

} // namespace

DesignPicture::DesignPicture(engine::Scenario scenario, QWidget* parent)
    : QWidget(parent), m_scenario(std::move(scenario)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize DesignPicture::sizeHint() const {
    return {300, 140};
}

void DesignPicture::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath ground; // round above, as the card that it heads
    ground.addRoundedRect(QRectF(rect()).adjusted(0, 0, 0, 12), 6, 6);
    painter.setClipRect(rect());
    painter.fillPath(ground, theme.color(ColorRole::Canvas));
    if (m_scenario.nodes.empty())
        return;
    QRectF bounds;
    for (const auto& node : m_scenario.nodes)
        bounds |= QRectF(node.position.x, node.position.y, 1, 1);
    const auto room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double scale =
        std::min({(room.width() - kBox.width()) / std::max(bounds.width(), kStep),
                  (room.height() - kBox.height()) / std::max(bounds.height(), kStep / 4), kLargest});
    std::map<engine::NodeId, QPointF> middles;
    for (const auto& node : m_scenario.nodes)
        middles[node.id] =
            room.center() + (QPointF(node.position.x, node.position.y) - bounds.center()) * scale;

    for (const auto& link : m_scenario.links) {
        painter.setPen(QPen(theme.color(ColorRole::Wire), 3));
        painter.drawLine(middles[link.from], middles[link.to]);
        painter.setPen(QPen(theme.color(ColorRole::Accent), 1.8, Qt::CustomDashLine, Qt::RoundCap));
        auto dots = painter.pen();
        dots.setDashPattern({0.03, 3.4});
        painter.setPen(dots);
        painter.drawLine(middles[link.from], middles[link.to]);
    }
    for (const auto& node : m_scenario.nodes) {
        const auto kind = node.device.kind;
        QRectF box({}, kBox);
        box.moveCenter(middles[node.id]);
        const bool several = node.count.value > 1.0;
        painter.setPen(QPen(several ? theme.kind(kind) : theme.color(ColorRole::BorderControl), 1));
        painter.setBrush(theme.color(ColorRole::Surface));
        for (const double behind : {6.0, 3.0})
            if (several)
                painter.drawRoundedRect(box.translated(behind, -behind), 5, 5);
        painter.drawRoundedRect(box, 5, 5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.kindTint(kind));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -19), 4, 4);
        const QPointF corner = box.topLeft() + QPointF(box.width() / 2 - (several ? 22 : 9), 5);
        painter.drawPixmap(corner,
                           theme.pixmap(Theme::kindIcon(kind), theme.kind(kind), 18, devicePixelRatioF()));
        if (several) {
            painter.setPen(theme.kind(kind));
            painter.setFont(theme.font(TextSize::Dense, QFont::DemiBold));
            painter.drawText(QRectF(corner + QPointF(20, 0), QSizeF(30, 18)),
                             Qt::AlignVCenter | Qt::AlignLeft,
                             QChar(0x00d7) + QString::fromStdString(engine::exactText(node.count.value)));
        }
        painter.setPen(theme.color(ColorRole::Text2));
        painter.setFont(theme.font(TextSize::Caption));
        const auto text = QRectF(box.left() + 3, box.bottom() - 18, box.width() - 6, 17);
        painter.drawText(text, Qt::AlignCenter,
                         QFontMetrics(painter.font())
                             .elidedText(QString::fromStdString(node.shownName()), Qt::ElideRight,
                                         static_cast<int>(text.width())));
    }
}

namespace {

constexpr int kPictureHeight = 132;

QString plain(const std::string& text) {
    return QString::fromStdString(text);
}

/// The name of a preset for a menu; its id when it cannot be read.
QString presetName(const engine::Catalog& catalog, const std::string& id) {
    try {
        return plain(engine::loadPreset(catalog, id, "preset").name);
    } catch (const engine::Error&) {
        return plain(id);
    }
}

} // namespace

PaperStartCard::PaperStartCard(const engine::Paper& paper, const engine::Catalog& catalog, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_id(paper.id),
      m_factor(new TextLabel(TextSize::Page, ColorRole::Text, this, QFont::DemiBold)),
      m_meaning(new TextLabel(TextSize::Caption, ColorRole::Text2, this)) {
    setCursor(Qt::PointingHandCursor);
    m_factor->setObjectName(QStringLiteral("gain"));
    const auto claim = headlineClaim(paper);
    m_preset = claim ? claim->scenario : paper.scenarios.empty() ? std::string() : paper.scenarios.front();
    auto* column = makeColumn(this, {1, 1, 1, 12});
    engine::Scenario scenario;
    try {
        scenario = engine::loadPreset(catalog, m_preset, "preset");
    } catch (const engine::Error&) { // opening it says why
    }
    auto* picture = new DesignPicture(scenario, this);
    picture->setFixedHeight(kPictureHeight);
    column->addWidget(picture);

    auto* body = new QVBoxLayout;
    body->setContentsMargins(16, 12, 16, 0);
    body->setSpacing(4);
    body->addWidget(
        new TextLabel(plain(paper.name), TextSize::Heading, ColorRole::Text, QFont::DemiBold, this));
    auto* about = new TextLabel(plain(paper.about), TextSize::Dense, ColorRole::Text2, this);
    about->setWordWrap(true);
    about->setMinimumHeight(3 * about->fontMetrics().lineSpacing());
    about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    body->addWidget(about);
    auto* gain = new QHBoxLayout;
    gain->setSpacing(10);
    gain->addWidget(m_factor);
    m_meaning->setWordWrap(true);
    if (claim)
        m_meaning->setText(tr("%1 (%2)").arg(plain(claim->quantity), plain(claim->condition)));
    gain->addWidget(m_meaning, 1);
    m_factor->setVisible(false);
    m_meaning->setVisible(false);
    body->addSpacing(4);
    body->addLayout(gain);
    body->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto* open = new QPushButton(tr("Open"), this);
    auto* more = new QPushButton(tr("More designs"), this);
    open->setObjectName(QStringLiteral("openPaper"));
    open->setProperty("primary", true);
    open->setAccessibleName(tr("Open %1: %2").arg(plain(paper.name), plain(scenario.name)));
    open->setToolTip(plainTip(plain(scenario.name)));
    more->setAccessibleName(tr("More designs of %1").arg(plain(paper.name)));
    auto* menu = new QMenu(more);
    for (const auto& id : paper.scenarios)
        if (id != m_preset)
            menu->addAction(presetName(catalog, id).replace(u'&', QStringLiteral("&&")), this,
                            [this, id] { emit openRequested(id); });
    more->setMenu(menu);
    more->setVisible(!menu->isEmpty());
    buttons->addWidget(open);
    buttons->addWidget(more);
    buttons->addStretch(1);
    body->addSpacing(8);
    body->addLayout(buttons);
    column->addLayout(body, 1);
    connect(open, &QPushButton::clicked, this, [this] { emit openRequested(m_preset); });
}

void PaperStartCard::showGain(double factor) {
    m_factor->setText(shortNumber(factor) + QChar(0x00d7));
    m_factor->setVisible(true);
    m_meaning->setVisible(true);
}

void PaperStartCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        emit openRequested(m_preset);
}

} // namespace heteroscape::widgets

#include "moc_start_tile.cpp"
#include "start_tile.moc"
