// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector.h"

#include "engine/catalog/device.h"
#include "widgets/document/document.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/design_page.h"
#include "widgets/inspector/multi_page.h"
#include "widgets/inspector/node_page.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/trace_row.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QDropEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QWidget>
#include <optional>
#include <utility>

namespace heteroscape::widgets {

class TextLabel;

/// The head of the inspector: a tile with the subject's icon, its name and what it is. UI thread.
class InspectorHeader : public QWidget {
    Q_OBJECT
public:
    explicit InspectorHeader(QWidget* parent = nullptr);

    /// `kind`: tints the tile; without, the icon stands in the accent colour.
    void show(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
              const QString& about);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_name;
    TextLabel* m_about;
    QString m_icon;
    std::optional<engine::DeviceKind> m_kind;
};

namespace {

constexpr QRectF kTile(14, 12, 30, 30);
constexpr int kTileIcon = 20;

} // namespace

InspectorHeader::InspectorHeader(QWidget* parent)
    : QWidget(parent), m_name(new TextLabel(TextSize::Heading, ColorRole::Text, this, QFont::DemiBold)),
      m_about(new TextLabel(TextSize::Caption, ColorRole::Muted, this)) {
    m_name->setElided(true);
    m_about->setElided(true);
    auto* column = makeColumn(this, {56, 8, 12, 8});
    column->addWidget(m_name);
    column->addWidget(m_about);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void InspectorHeader::show(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
                           const QString& about) {
    m_icon = icon;
    m_kind = kind;
    m_name->setText(name);
    m_about->setText(about);
    update();
}

void InspectorHeader::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_kind ? theme.kindTint(*m_kind) : theme.color(ColorRole::AccentSoft));
    painter.drawRoundedRect(kTile, 5, 5);
    const auto ink = m_kind ? theme.kind(*m_kind) : theme.color(ColorRole::Accent);
    const auto corner = kTile.center() - QPointF(kTileIcon / 2.0, kTileIcon / 2.0);
    painter.drawPixmap(corner, theme.pixmap(m_icon, ink, kTileIcon, devicePixelRatioF()));
}

namespace {

constexpr int kAround = 60; ///< px above and below a field that is led to

QString nameOf(const engine::Scenario& scenario, const engine::NodeId& id) {
    const auto* node = scenario.findNode(id);
    return QString::fromStdString(node ? node->shownName() : id.value);
}

/// "FPGA, runs decode"
QString nodeAbout(const engine::Scenario& scenario, const engine::Node& node) {
    auto kind = QString::fromStdString(std::string(engine::deviceKindLabel(node.device.kind)));
    if (engine::splitsLayers(node))
        return node.role == engine::Role::Ffn
                   ? Inspector::tr("%1, runs the FFN of every layer").arg(kind)
                   : Inspector::tr("%1, runs the attention of every layer").arg(kind);
    switch (engine::effectiveRole(scenario, node)) {
    case engine::Role::Both:
        return Inspector::tr("%1, runs prefill and decode").arg(kind);
    case engine::Role::Prefill:
        return Inspector::tr("%1, runs prefill").arg(kind);
    case engine::Role::Decode:
        return Inspector::tr("%1, runs decode").arg(kind);
    case engine::Role::Fabric:
    case engine::Role::Attention:
    case engine::Role::Storage:
    case engine::Role::Ffn:
        break;
    }
    switch (node.device.kind) {
    case engine::DeviceKind::Cpu:
        return Inspector::tr("Host");
    case engine::DeviceKind::Ssd:
    case engine::DeviceKind::Csd:
        return Inspector::tr("%1, storage").arg(kind);
    case engine::DeviceKind::Switch:
        return kind;
    default:
        return Inspector::tr("%1, carries data").arg(kind);
    }
}

/// What edits a property of a node that has no row of its own: a layout lies in its degrees, and so do they;
/// workers are so many devices.
QWidget* otherField(const InspectorPage& page, const engine::NodeId& node, const std::string& path) {
    const auto prefix = "nodes." + node.value + '.';
    if (!path.starts_with(prefix))
        return nullptr;
    const auto key = path.substr(prefix.size());
    for (const auto* row : page.findChildren<DegreeRow*>())
        if (!row->isHidden() && (key == "layout" || key == row->key()))
            return row->field();
    return key == "workers" ? page.fieldFor(prefix + "count") : nullptr;
}

} // namespace

Inspector::Inspector(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_header(new InspectorHeader(this)),
      m_scroll(new QScrollArea(this)) {
    setAcceptDrops(true);
    auto* pages = new QWidget(m_scroll->viewport());
    makeColumn(pages);
    m_scroll->setWidget(pages);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto* column = makeColumn(this);
    column->addWidget(m_header);
    column->addWidget(m_scroll, 1);
    column->addWidget(new ProvenanceLegend(this));
    connect(document, &Document::changed, this, &Inspector::sync);
    connect(document, &Document::evaluated, this, &Inspector::sync);
    connect(document, &Document::selectionChanged, this, &Inspector::sync);
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_page->refresh(); });
    // The page gets its height in a later turn, and what is worked out meanwhile comes in above the field
    // that was led to.
    const auto* bar = m_scroll->verticalScrollBar();
    const auto follow = [this] {
        if (m_led && m_led == focusWidget())
            m_scroll->ensureWidgetVisible(m_led, 0, kAround);
    };
    connect(bar, &QScrollBar::rangeChanged, this, follow,
            Qt::QueuedConnection); // once rows have their places
    connect(bar, &QScrollBar::actionTriggered, this, [this] { m_led.clear(); });
    rebuild();
}

void Inspector::sync() {
    if (m_rebuilding)
        return;
    if (m_document->selection() == m_subject && !m_shape.empty() && m_page->shape() == m_shape) {
        m_page->refresh();
        showHeader();
    } else {
        rebuild();
    }
}

void Inspector::rebuild() {
    const QScopedValueRollback<bool> guard(m_rebuilding, true);
    const auto focused = focusedPath();
    const bool sameSubject = m_page && m_subject == m_document->selection();
    const int scrolled = sameSubject ? m_scroll->verticalScrollBar()->value() : 0;
    m_subject = m_document->selection();
    // Pages come and go within what the area holds: one that changes its parent is styled anew, with all of
    // its fields.
    auto* old = m_page;
    const auto* kept = m_design;
    m_page = pageOf(m_subject);
    m_shape = m_page->shape();
    if (old && old != m_page) {
        old->hide();
        if (old != m_design)
            old->deleteLater(); // one of its fields may be the sender of the change
    }
    m_page->show();
    if (m_page == kept)
        m_page->refresh(); // seen, as its notes are laid out only then
    m_page->build();
    if (scrolled > 0)
        m_page->finish();
    showHeader();
    m_scroll->verticalScrollBar()->setValue(scrolled);
    if (!focused.empty())
        focusShown(focused);
}

InspectorPage* Inspector::pageOf(const Selection& subject) {
    const bool isDesign = subject.nodes.empty() && subject.links.empty();
    if (isDesign && m_design && m_design != m_page && m_design->shape() == m_designShape)
        return m_design;
    auto* page = makePage(subject, m_scroll->widget());
    connect(page, &InspectorPage::sweepRequested, this, &Inspector::sweepRequested);
    m_scroll->widget()->layout()->addWidget(page);
    if (!isDesign)
        return page;
    if (auto* before = std::exchange(m_design, page); before && before != m_page)
        before->deleteLater();
    m_designShape = page->shape();
    return page;
}

InspectorPage* Inspector::makePage(const Selection& subject, QWidget* parent) {
    const auto& [nodes, links, notes] = subject;
    if (nodes.size() == 1 && links.empty()) {
        const auto id = nodes.front();
        auto* page = new NodePage(*m_document, id, m_allFor == id.value, parent);
        connect(page, &NodePage::allRequested, this, [this, id] {
            m_allFor = id.value;
            rebuild();
        });
        connect(page, &NodePage::ownDeviceRequested, this, [this, id] { emit ownDeviceRequested(id); });
        return page;
    }
    m_allFor.clear();
    if (links.size() == 1 && nodes.empty())
        return new LinkPage(*m_document, links.front(), parent);
    if (nodes.size() + links.size() > 1)
        return new MultiPage(*m_document, subject, parent);
    return new DesignPage(*m_document, parent);
}

void Inspector::showHeader() {
    const auto& scenario = m_document->scenario();
    const auto& [nodes, links, notes] = m_subject;
    if (nodes.size() == 1 && links.empty()) {
        if (const auto* node = scenario.findNode(nodes.front())) {
            const auto kind = node->device.kind;
            m_header->show(Theme::kindIcon(kind), kind, QString::fromStdString(node->shownName()),
                           nodeAbout(scenario, *node));
        }
    } else if (links.size() == 1 && nodes.empty()) {
        if (const auto* link = scenario.findLink(links.front()))
            m_header->show(QStringLiteral("link"), std::nullopt, QString::fromStdString(link->type.name),
                           tr("%1 to %2").arg(nameOf(scenario, link->from), nameOf(scenario, link->to)));
    } else if (nodes.size() + links.size() > 1) {
        m_header->show(QStringLiteral("select"), std::nullopt, MultiPage::title(m_subject),
                       tr("What is set here is set for all of them"));
    } else if (!notes.empty()) {
        m_header->show(QStringLiteral("note"), std::nullopt, m_document->title(),
                       notes.size() == 1 ? tr("A note is selected")
                                         : tr("%1 notes are selected").arg(notes.size()));
    } else {
        m_header->show(QStringLiteral("design"), std::nullopt, m_document->title(),
                       tr("Nothing is selected"));
    }
}

void Inspector::finish() {
    m_page->finish();
}

bool Inspector::focusField(const std::string& path) {
    if (focusShown(path))
        return true;
    const auto& [nodes, links, notes] = m_subject;
    if (nodes.size() != 1 || !links.empty())
        return false;
    const auto id = nodes.front().value;
    if (m_allFor == id || !path.starts_with("nodes." + id + '.'))
        return false;
    m_allFor = id; // it may mean nothing for this kind of device
    rebuild();
    return focusShown(path);
}

bool Inspector::focusShown(const std::string& path) {
    m_page->finish();
    auto* field = m_page->fieldFor(path);
    if (!field && m_subject.nodes.size() == 1)
        field = otherField(*m_page, m_subject.nodes.front(), path);
    if (!field)
        return false;
    for (auto* parent = field->parentWidget(); parent && parent != m_page; parent = parent->parentWidget())
        if (auto* section = qobject_cast<Section*>(parent))
            section->setOpen(true);
    if (!field->isVisibleTo(m_page) || !field->isEnabled()) // of no use as the design stands
        return false;
    m_scroll->ensureWidgetVisible(field, 0, kAround);
    field->setFocus(Qt::OtherFocusReason);
    m_led = field;
    return true;
}

std::string Inspector::focusedPath() const {
    return m_page ? m_page->focusedPath() : std::string();
}

void Inspector::dragEnterEvent(QDragEnterEvent* event) {
    if (!TraceRow::fileIn(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void Inspector::dropEvent(QDropEvent* event) {
    const auto path = TraceRow::fileIn(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    takeTrace(path);
}

void Inspector::takeTrace(const QString& path) {
    m_document->select({}); // the page of the design has the row of the trace
    if (auto* page = qobject_cast<DesignPage*>(m_page)) {
        connect(
            &m_document->traces(), &TraceReader::done, this, [this] { focusField("serving.trace"); },
            Qt::SingleShotConnection);
        page->loadTrace(path);
    }
}

QSize Inspector::sizeHint() const {
    return {296, 600};
}

QSize Inspector::minimumSizeHint() const {
    return {264, 200};
}

} // namespace heteroscape::widgets

#include "inspector.moc"
