// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/device_editor.h"

#include "engine/base/error.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/document/document.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/parts/part_library.h"
#include "widgets/parts/quantity_entry.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

WorkloadEditor::WorkloadEditor(Document& document, PartLibrary& library, const PartStart& start,
                               QWidget* parent)
    : PartDialog(document, library, start, parent), m_start(std::get<engine::Workload>(start.part)),
      m_sentence(new TextLabel(TextSize::Dense, ColorRole::Text, this)) {
    setWindowTitle(start.isNew ? tr("New workload")
                               : tr("Edit %1").arg(QString::fromStdString(m_start.name)));
    QWidget* previous = name();
    for (const auto& field : engine::workloadFields()) {
        // Only a workload that is served needs a batch; a named one may leave it to the design.
        const bool required = field.member != &engine::Workload::batch;
        auto* entry = new QuantityEntry(field.spec, m_start.*field.member, required, this);
        connect(entry, &QuantityEntry::changed, this, &WorkloadEditor::refresh);
        if (!required)
            entry->value()->setPlaceholderText(tr("as it is"));
        body()->addWidget(entry);
        m_entries.push_back(entry);
        previous = entry->followInTabs(previous);
    }
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(0, 8, 0, 0);
    body()->addWidget(m_sentence);
    body()->addStretch(1);
    setUseText(tr("Serve it now"));
    refresh();
    resize(parent ? std::min(820, parent->width() - 40) : 820, 320);
    name()->setFocus();
    name()->selectAll();
}

QuantityEntry* WorkloadEditor::entry(std::string_view key) const {
    for (auto* entry : m_entries)
        if (entry->spec().key == key)
            return entry;
    return nullptr;
}

engine::Workload WorkloadEditor::workload() const {
    auto workload = m_start;
    workload.id = id();
    workload.name = name()->text().trimmed().toStdString();
    for (const auto& field : engine::workloadFields())
        workload.*field.member = entry(field.spec.key)->quantity();
    return workload;
}

QString WorkloadEditor::fieldProblem() const {
    for (const auto* entry : m_entries)
        if (!entry->problem().isEmpty())
            return tr("%1: %2").arg(entry->label(), entry->problem());
    return {};
}

std::vector<engine::GraphEdit> WorkloadEditor::useEdits() const {
    return {workloadEdit(document(), workload())};
}

void WorkloadEditor::shown() {
    m_sentence->setText(fieldProblem().isEmpty() ? workloadSentence(workload()) + QLatin1Char('.')
                                                 : QString());
}

namespace {

constexpr int kMargin = 6;
constexpr int kPortsHeight = 92;

/// The card that the device will have.
class CardView : public QWidget {
public:
    explicit CardView(const DeviceEditor& editor) : m_editor(editor) {
        setAccessibleName(DeviceEditor::tr("The card on the canvas"));
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
        setFixedHeight(static_cast<int>(cardBounds(cardHeight({})).height()) + 2 * kMargin);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::instance().color(ColorRole::Canvas));
        painter.drawRoundedRect(rect(), 6, 6);
        const auto card = cardOf(m_editor.device());
        const auto bounds = cardBounds(cardHeight(card));
        painter.translate((width() - bounds.width()) / 2.0 - bounds.left(),
                          (height() - bounds.height()) / 2.0 - bounds.top());
        paintNodeCard(painter, card, {1.0, devicePixelRatioF()});
    }

private:
    const DeviceEditor& m_editor;
};

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

struct QuantityGroupWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::DeviceEditor)
public:
    using enum QuantityGroup;
    static constexpr Word<QuantityGroup> kTable[]{{Compute, QT_TR_NOOP("Compute and connections")},
                                                  {Memory, QT_TR_NOOP("Memory and storage")},
                                                  {L2, QT_TR_NOOP("L2")},
                                                  {Cost, QT_TR_NOOP("Cost and power")},
                                                  {Die, QT_TR_NOOP("Cores and area")}};
};

QString groupTitle(QuantityGroup group) {
    return QuantityGroupWords::tr(lookUp(QuantityGroupWords::kTable, group));
}

} // namespace

DeviceEditor::DeviceEditor(Document& document, PartLibrary& library, const PartStart& start, QWidget* parent)
    : PartDialog(document, library, start, parent), m_start(std::get<engine::Device>(start.part)),
      m_nodes(start.nodes), m_kind(new QComboBox(this)),
      m_vendor(new QLineEdit(QString::fromStdString(m_start.vendor), this)),
      m_about(new QLineEdit(QString::fromStdString(m_start.about), this)), m_ports(new QListWidget(this)),
      m_runtime(new QComboBox(this)), m_card(new CardView(*this)) {
    setWindowTitle(start.isNew ? tr("New device") : tr("Edit %1").arg(QString::fromStdString(m_start.name)));
    makeIdentity();
    makeQuantities();
    side()->addWidget(m_card);
    side()->addSpacing(8);
    if (!m_nodes.empty())
        setUseText(m_nodes.size() == 1 ? tr("Use it for the node in this design")
                                       : tr("Use it for the %1 nodes here").arg(m_nodes.size()));
    m_kind->setObjectName(QStringLiteral("kind"));
    m_runtime->setObjectName(QStringLiteral("runtime"));
    connect(m_kind, &QComboBox::activated, this, [this] {
        fillRuntimes();
        showQuantities();
        refresh();
    });
    for (auto* edit : {m_vendor, m_about})
        connect(edit, &QLineEdit::textEdited, this, &DeviceEditor::refresh);
    connect(m_runtime, &QComboBox::activated, this, &DeviceEditor::refresh);
    connect(m_ports, &QListWidget::itemChanged, this, &DeviceEditor::refresh);
    fillRuntimes();
    showQuantities();
    refresh();
    resize(parent ? std::min(960, parent->width() - 40) : 960,
           parent ? std::min(680, parent->height() - 40) : 680);
    name()->setFocus();
    name()->selectAll();
}

void DeviceEditor::makeIdentity() {
    for (const auto kindName : engine::deviceKindNames()) {
        const auto kind = static_cast<engine::DeviceKind>(m_kind->count());
        m_kind->addItem(QString::fromUtf8(engine::deviceKindLabel(kind)), QString::fromUtf8(kindName));
    }
    m_kind->setCurrentIndex(static_cast<int>(m_start.kind));
    m_about->setMaxLength(1000);
    m_about->setCursorPosition(0);
    m_vendor->setMaxLength(80);
    m_ports->setFixedHeight(kPortsHeight);
    for (const auto& type : document().catalog().linkTypes) {
        auto* item = new QListWidgetItem(QString::fromStdString(type.name), m_ports);
        item->setData(Qt::UserRole, QString::fromStdString(type.id));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        const bool has = contains(m_start.ports, type.id) || contains(m_start.morePorts, type.id);
        item->setCheckState(has ? Qt::Checked : Qt::Unchecked);
    }
    m_ports->setCurrentRow(0);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 2);
    const auto add = [&](int row, int column, const QString& text, QWidget* field, const QString& tip) {
        auto* label = new TextLabel(text, TextSize::Dense, ColorRole::Text2, this);
        label->setBuddy(field);
        label->setFixedWidth(64);
        field->setAccessibleName(text);
        field->setToolTip(plainTip(tip));
        grid->addWidget(label, row, column, Qt::AlignTop);
        grid->addWidget(field, row, column + 1, 1, field == m_ports ? 3 : 1);
    };
    add(0, 0, tr("Kind"), m_kind, tr("What the device is, and so what it can do in a design"));
    add(0, 2, tr("Vendor"), m_vendor, tr("Who makes it"));
    add(1, 0, tr("Runtime"), m_runtime, tr("The software that a freshly placed one runs"));
    add(1, 2, tr("About"), m_about, tr("What it is, in a sentence"));
    add(2, 0, tr("Ports"), m_ports, tr("The types of link that it can use; Space ticks one"));
    body()->addLayout(grid);
    QWidget* order[] = {name(), m_kind, m_vendor, m_runtime, m_about, m_ports};
    for (std::size_t i = 1; i < std::size(order); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void DeviceEditor::makeQuantities() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll);
    auto* column = makeColumn(content, {0, 0, 12, 0}, 2);
    QWidget* previous = m_ports;
    for (const auto group : {QuantityGroup::Compute, QuantityGroup::Memory, QuantityGroup::L2,
                             QuantityGroup::Cost, QuantityGroup::Die}) {
        auto* heading =
            new TextLabel(groupTitle(group), TextSize::Caption, ColorRole::Muted, QFont::DemiBold, content);
        heading->setContentsMargins(0, 8, 0, 2);
        column->addWidget(heading);
        m_groups.emplace_back(heading, std::vector<QuantityEntry*>());
        for (const auto& field : engine::deviceFields()) {
            if (quantityGroup(field.spec.key) != group)
                continue;
            auto* entry = new QuantityEntry(field.spec, m_start.*field.member, field.spec.required, content);
            connect(entry, &QuantityEntry::changed, this, &DeviceEditor::refresh);
            column->addWidget(entry);
            m_entries.emplace(std::string(field.spec.key), entry);
            m_groups.back().second.push_back(entry);
            previous = entry->followInTabs(previous);
        }
    }
    column->addStretch(1);
    scroll->setWidget(content);
    body()->addWidget(scroll, 1);
}

void DeviceEditor::fillRuntimes() {
    const auto kind = static_cast<engine::DeviceKind>(m_kind->currentIndex());
    const auto before =
        m_runtime->count() ? m_runtime->currentData().toString() : QString::fromStdString(m_start.runtime);
    m_runtime->clear();
    m_runtime->addItem(tr("The first that runs on it"), QString());
    for (const auto& entry : document().catalog().runtimes)
        if (engine::runsOn(entry.base, kind))
            m_runtime->addItem(QString::fromStdString(entry.base.name),
                               QString::fromStdString(entry.base.id));
    m_runtime->setCurrentIndex(std::max(0, m_runtime->findData(before)));
    m_runtime->setEnabled(engine::isAccelerator(kind));
}

void DeviceEditor::showQuantities() {
    const auto kind = static_cast<engine::DeviceKind>(m_kind->currentIndex());
    for (const auto& [heading, entries] : m_groups) {
        bool any = false;
        for (auto* entry : entries) {
            const bool wanted = entry->quantity().isSet() || !entry->problem().isEmpty() ||
                                quantityMatters(entry->spec().key, kind);
            entry->setVisible(wanted);
            any = any || wanted;
        }
        heading->setVisible(any);
    }
}

QuantityEntry* DeviceEditor::entry(std::string_view key) const {
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? nullptr : found->second;
}

engine::Device DeviceEditor::device() const {
    auto device = m_start;
    device.id = id();
    device.name = name()->text().trimmed().toStdString();
    device.kind = static_cast<engine::DeviceKind>(m_kind->currentIndex());
    device.vendor = m_vendor->text().trimmed().toStdString();
    device.about = m_about->text().trimmed().toStdString();
    device.runtime = m_runtime->currentData().toString().toStdString();
    std::vector<std::string> ticked;
    for (int i = 0; i < m_ports->count(); ++i)
        if (m_ports->item(i)->checkState() == Qt::Checked)
            ticked.push_back(m_ports->item(i)->data(Qt::UserRole).toString().toStdString());
    // Those it had keep their order, best first; what is new comes behind them.
    for (auto* ports : {&device.ports, &device.morePorts})
        std::erase_if(*ports, [&ticked](const std::string& port) { return !contains(ticked, port); });
    for (const auto& port : ticked)
        if (!contains(device.ports, port) && !contains(device.morePorts, port))
            device.ports.push_back(port);
    for (const auto& field : engine::deviceFields())
        device.*field.member = entry(field.spec.key)->quantity();
    return device;
}

QString DeviceEditor::fieldProblem() const {
    for (const auto& [heading, entries] : m_groups)
        for (const auto* entry : entries)
            if (!entry->problem().isEmpty())
                return tr("%1: %2").arg(entry->label(), entry->problem());
    try { // what one quantity asks of another
        engine::readDevice(engine::writeDevice(device()), "device");
    } catch (const engine::Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::vector<engine::GraphEdit> DeviceEditor::useEdits() const {
    std::vector<engine::GraphEdit> edits;
    for (const auto& node : m_nodes)
        edits.push_back(deviceEdit(document(), node, device()));
    return edits;
}

void DeviceEditor::shown() {
    m_card->update();
}

} // namespace heteroscape::widgets

#include "moc_device_editor.cpp"
