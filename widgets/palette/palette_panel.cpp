// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_panel.h"

#include "engine/scenario/technique_specs.h"
#include "widgets/canvas/node_summary.h"
#include "widgets/palette/palette_list.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kRailWidth = 48;
constexpr int kWidth = 224;

enum class Group { Compute, Storage, Fabric };

Group groupOf(engine::DeviceKind kind) {
    switch (kind) {
    case engine::DeviceKind::Ssd:
    case engine::DeviceKind::Csd:
        return Group::Storage;
    case engine::DeviceKind::Switch:
        return Group::Fabric;
    default:
        return Group::Compute;
    }
}

/// Arrows and Enter in the search field act on the list below it.
class SearchField : public QLineEdit {
public:
    SearchField(PaletteList* list, QWidget* parent) : QLineEdit(parent), m_list(list) {}

protected:
    void keyPressEvent(QKeyEvent* event) override {
        switch (event->key()) {
        case Qt::Key_Escape:
            if (text().isEmpty())
                break;
            clear();
            return;
        case Qt::Key_Down:
        case Qt::Key_Up:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_list->currentRow() < 0)
                selectFirst();
            if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
                if (auto* item = m_list->currentItem())
                    m_list->choose(item);
            } else {
                m_list->setFocus();
            }
            return;
        default:
            break;
        }
        QLineEdit::keyPressEvent(event);
    }

private:
    /// The first whose name holds what was typed; others only speak of it.
    void selectFirst() {
        int first = -1;
        for (int i = m_list->count() - 1; i >= 0; --i) {
            const auto* row = m_list->row(i);
            if (row->kind == PaletteRow::Kind::Heading)
                continue;
            const bool named = row->name.contains(text().simplified(), Qt::CaseInsensitive);
            const bool before =
                first >= 0 && m_list->row(first)->name.contains(text().simplified(), Qt::CaseInsensitive);
            if (named || !before)
                first = i;
        }
        if (first >= 0)
            m_list->setCurrentRow(first);
    }

    PaletteList* m_list;
};

} // namespace

PalettePanel::PalettePanel(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_catalog(std::move(catalog)), m_expand(new QToolButton(this)),
      m_list(new PaletteList(this)), m_noMatch(new QLabel(this)) {
    m_search = new SearchField(m_list, this);
    m_search->setPlaceholderText(tr("Find a device"));
    m_search->setAccessibleName(tr("Find a device, runtime, technique or preset"));
    m_search->setClearButtonEnabled(false);
    m_search->addAction(Theme::instance().icon(QStringLiteral("search"), ColorRole::Muted),
                        QLineEdit::LeadingPosition);
    m_expand->setIcon(Theme::instance().icon(QStringLiteral("search")));
    m_expand->setToolTip(tr("Find a device"));
    m_expand->setAccessibleName(tr("Find a device"));
    m_noMatch->setWordWrap(true);
    m_noMatch->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    m_noMatch->setContentsMargins(12, 16, 12, 0);

    auto* top = new QVBoxLayout;
    top->setContentsMargins(12, 10, 12, 6);
    top->addWidget(m_search);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_expand, 0, Qt::AlignHCenter);
    layout->addWidget(m_noMatch);
    layout->addWidget(m_list, 1);

    setTabOrder(m_search, m_list);
    connect(m_search, &QLineEdit::textChanged, this, &PalettePanel::rebuild);
    connect(m_expand, &QToolButton::clicked, this, &PalettePanel::expandRequested);
    connect(m_list, &PaletteList::chosen, this, [this](const PaletteRow& row) {
        switch (row.kind) {
        case PaletteRow::Kind::Heading:
            break;
        case PaletteRow::Kind::Device:
            emit placeRequested(row.id);
            break;
        case PaletteRow::Kind::Runtime:
            emit runtimeRequested(row.id);
            break;
        case PaletteRow::Kind::Technique:
            emit techniqueRequested(row.id);
            break;
        case PaletteRow::Kind::Preset:
            emit presetRequested(row.id);
            break;
        }
    });
    setAccessibleName(tr("Palette"));
    m_compact = true; // so that the call below really sets everything
    setCompact(false);
}

QSize PalettePanel::sizeHint() const {
    return {m_compact ? kRailWidth : kWidth, 480};
}

void PalettePanel::setPresets(std::vector<PresetEntry> presets) {
    m_presets = std::move(presets);
    rebuild();
}

void PalettePanel::setDragStarter(DragStarter starter) {
    m_list->setDragStarter(std::move(starter));
}

void PalettePanel::setCompact(bool compact) {
    if (compact == m_compact)
        return;
    m_compact = compact;
    m_search->setVisible(!compact);
    layout()->itemAt(0)->layout()->setContentsMargins(compact ? QMargins() : QMargins(12, 10, 12, 6));
    m_expand->setVisible(compact);
    setMinimumWidth(compact ? kRailWidth : 200);
    setMaximumWidth(compact ? kRailWidth : 320);
    rebuild();
    updateGeometry();
}

void PalettePanel::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void PalettePanel::addDevices(std::vector<PaletteRow>& rows, const Matches& matches) const {
    const std::pair<Group, QString> groups[] = {
        {Group::Compute, tr("Compute")}, {Group::Storage, tr("Storage")}, {Group::Fabric, tr("Fabric")}};
    for (const auto& [group, title] : groups) {
        bool first = true;
        for (const auto& device : m_catalog->devices) {
            const auto name = QString::fromStdString(device.name);
            const auto label = engine::deviceKindLabel(device.kind);
            const auto kind = QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size()));
            const auto about = QString::fromStdString(device.about);
            if (groupOf(device.kind) != group ||
                !matches({name, kind, QString::fromStdString(device.vendor), about}))
                continue;
            if (std::exchange(first, false))
                rows.push_back({PaletteRow::Kind::Heading, {}, title, {}, {}, {}});
            const auto line = keyFigureLine(device);
            QStringList tip{name, line, about};
            tip.removeAll(QString());
            rows.push_back({PaletteRow::Kind::Device, QString::fromStdString(device.id), name, line,
                            tip.join(QLatin1Char('\n')), device.kind});
        }
    }
}

void PalettePanel::addSoftware(std::vector<PaletteRow>& rows, const Matches& matches) const {
    const auto text = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    const auto add = [&](bool& first, const QString& heading, PaletteRow::Kind kind, const QString& id,
                         const QString& name, const QString& about) {
        if (!matches({name, heading, about}))
            return;
        if (std::exchange(first, false))
            rows.push_back({PaletteRow::Kind::Heading, {}, heading, {}, {}, {}});
        rows.push_back({kind, id, name, about, name + QLatin1Char('\n') + about, {}});
    };
    bool first = true;
    for (const auto& runtime : m_catalog->runtimes)
        add(first, tr("Runtimes"), PaletteRow::Kind::Runtime, QString::fromStdString(runtime.base.id),
            QString::fromStdString(runtime.base.name), QString::fromStdString(runtime.base.about));
    first = true;
    for (const auto& spec : engine::techniqueSpecs())
        add(first, tr("Techniques"), PaletteRow::Kind::Technique, text(spec.id), text(spec.label),
            text(spec.about));
}

void PalettePanel::rebuild() {
    // The rail has no search field, so nothing may stay hidden by what was typed before.
    const auto wanted = m_compact ? QString() : m_search->text().simplified();
    const Matches matches = [&wanted](std::initializer_list<QString> texts) {
        for (const auto& word : wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            bool found = false;
            for (const auto& text : texts)
                found = found || text.contains(word, Qt::CaseInsensitive);
            if (!found)
                return false;
        }
        return true;
    };
    std::vector<PaletteRow> rows;
    addDevices(rows, matches);
    if (!m_compact) // their signs alone would not tell them apart
        addSoftware(rows, matches);
    bool first = true;
    for (const auto& preset : m_presets) {
        if (!matches({preset.name, preset.about}))
            continue;
        if (std::exchange(first, false))
            rows.push_back({PaletteRow::Kind::Heading, {}, tr("Presets"), {}, {}, {}});
        rows.push_back({PaletteRow::Kind::Preset,
                        preset.id,
                        preset.name,
                        preset.about,
                        preset.name + QLatin1Char('\n') + preset.about,
                        {}});
    }
    const bool none = rows.empty();
    m_list->setRows(std::move(rows), m_compact);
    m_list->setVisible(!none);
    m_noMatch->setVisible(none);
    m_noMatch->setText(wanted.isEmpty()
                           ? tr("The catalogue has no devices.")
                           : tr("Nothing matches \u201c%1\u201d. Try a name, a kind such as GPU, or a "
                                "vendor.")
                                 .arg(wanted));
}

} // namespace heteroscape::widgets
