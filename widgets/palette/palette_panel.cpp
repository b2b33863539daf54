// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_panel.h"

#include "widgets/document/document.h"
#include "widgets/palette/palette_rows.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

// What a right click and the button below the list offer.

namespace heteroscape::widgets {

void PalettePanel::makeNewButton() {
    m_new->setText(tr("New part"));
    m_new->setFlat(true);
    m_new->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent));
    m_new->setToolTip(tr("Make a device or workload of your own, or import a model\u2019s config.json"));
    auto* menu = new QMenu(m_new);
    connect(menu->addAction(tr("New device\u2026")), &QAction::triggered, this,
            &PalettePanel::newDeviceRequested);
    connect(menu->addAction(tr("New workload\u2026")), &QAction::triggered, this,
            &PalettePanel::newWorkloadRequested);
    connect(menu->addAction(tr("Import a model (config.json)\u2026")), &QAction::triggered, this,
            &PalettePanel::importRequested);
    connect(menu->addAction(tr("Paste a model (config.json)")), &QAction::triggered, this,
            &PalettePanel::pasteRequested);
    connect(m_new, &QPushButton::clicked, this, [this, menu] {
        menu->popup(m_new->mapToGlobal(QPoint(0, -menu->sizeHint().height()))); // there is room above
    });
}

std::unique_ptr<QMenu> PalettePanel::makeMenu(const PaletteRow& row) {
    auto menu = std::make_unique<QMenu>(this);
    const auto part = *row.part;
    const auto add = [&](const QString& text, auto run) {
        connect(menu->addAction(text), &QAction::triggered, this, run);
    };
    const auto& words = partKindWords(part.kind);
    add(partKindText(words.use), [this, row] { request(row); });
    const bool favourite = isFavourite(part);
    add(favourite ? tr("Remove from favourites") : tr("Add to favourites"),
        [this, part, favourite] { setFavourite(part, !favourite); });
    if (words.hasEditor || row.isOwn())
        menu->addSeparator();
    if (words.hasEditor)
        add(tr("Duplicate and edit\u2026"), [this, part] { emit duplicateRequested(part); });
    if (row.isOwn()) {
        add(tr("Edit\u2026"), [this, part] { emit editRequested(part); });
        add(row.origin == PartOrigin::Design ? tr("Remove from this design")
                                             : tr("Remove from your library\u2026"),
            [this, part] { emit removeRequested(part); });
    }
    return menu;
}

namespace {

constexpr int kRailWidth = 72;
constexpr int kWidth = 224;

/// Long lists of what a design has one of are folded until they are wanted.
const QStringList& foldedAtFirst() {
    static const QStringList sections{QStringLiteral("workloads"), QStringLiteral("runtimes")};
    return sections;
}

PaletteRow headingOf(const PaletteSection& section) {
    PaletteRow heading;
    heading.section = section.id;
    heading.name = section.title;
    heading.size = static_cast<int>(section.rows.size());
    return heading;
}

} // namespace

PalettePanel::PalettePanel(Document* document, Settings* settings, PartLibrary* library, QWidget* parent)
    : QWidget(parent), m_document(document), m_settings(settings), m_library(library),
      m_list(new PaletteList(this)), m_search(new PaletteSearch(m_list, this)),
      m_expand(new QToolButton(this)), m_noMatch(new QLabel(this)), m_new(new QPushButton(this)),
      m_foot(new QHBoxLayout) {
    m_search->setPlaceholderText(tr("Find a part"));
    m_search->setAccessibleName(tr("Find a device, model, workload, runtime, technique or preset"));
    m_search->setToolTip(tr("Name, kind or vendor; Enter takes the first match"));
    m_search->addAction(Theme::instance().icon(QStringLiteral("search"), ColorRole::Muted),
                        QLineEdit::LeadingPosition);
    m_expand->setIcon(Theme::instance().icon(QStringLiteral("search")));
    m_expand->setToolTip(tr("Find a part"));
    m_expand->setAccessibleName(tr("Find a part"));
    m_noMatch->setWordWrap(true);
    m_noMatch->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    m_noMatch->setContentsMargins(12, 16, 12, 0);
    makeNewButton();

    auto* top = new QVBoxLayout;
    top->setContentsMargins(12, 10, 12, 6);
    top->addWidget(m_search);
    auto* layout = makeColumn(this);
    layout->addLayout(top);
    layout->addWidget(m_expand, 0, Qt::AlignHCenter);
    layout->addWidget(m_noMatch);
    layout->addWidget(m_list, 1);
    m_foot->setContentsMargins(6, 5, 6, 5);
    m_foot->addWidget(m_new);
    m_foot->addStretch(1);
    layout->addLayout(m_foot);

    setTabOrder(m_search, m_list);
    setTabOrder(m_list, m_new);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        m_list->setCurrentRow(-1); // Enter takes the first match, not what was chosen before
        rebuild();
    });
    connect(m_search, &PaletteSearch::pasteRequested, this, &PalettePanel::pasteRequested);
    connect(m_expand, &QToolButton::clicked, this, &PalettePanel::expandRequested);
    connect(m_list, &PaletteList::chosen, this, &PalettePanel::request);
    connect(m_list, &PaletteList::dropped, this, [this](const PaletteRow& row) { noteUsed(*row.part); });
    connect(m_list, &PaletteList::foldRequested, this, &PalettePanel::toggleFold);
    connect(m_list, &PaletteList::favouriteToggled, this,
            [this](const PaletteRow& row) { setFavourite(*row.part, !row.favourite); });
    connect(m_list, &PaletteList::removeRequested, this,
            [this](const PaletteRow& row) { emit removeRequested(*row.part); });
    connect(m_list, &PaletteList::pasteRequested, this, &PalettePanel::pasteRequested);
    connect(m_list, &PaletteList::menuRequested, this, [this](const PaletteRow& row, const QPoint& place) {
        auto* menu = makeMenu(row).release();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(place);
    });
    connect(m_document, &Document::catalogChanged, this, &PalettePanel::remake);
    connect(m_document, &Document::changed, this, [this] {
        if (m_document->scenario().own != m_shownOwn) // the same parts, kept elsewhere
            remake();
    });
    connect(m_library, &PartLibrary::changed, this, &PalettePanel::remake);
    setAccessibleName(tr("Palette"));
    m_compact = true; // so that the call below really sets everything
    remake();
    setCompact(false);
}

void PalettePanel::paintEvent(QPaintEvent*) {
    if (!m_compact) {
        QPainter painter(this);
        painter.fillRect(0, m_foot->geometry().top(), width(), 1, Theme::instance().color(ColorRole::Border));
    }
}

QSize PalettePanel::sizeHint() const {
    return {m_compact ? kRailWidth : kWidth, 480};
}

void PalettePanel::setPresets(std::vector<PresetEntry> presets) {
    m_presets = std::move(presets);
    remake();
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
    m_new->setVisible(!compact);
    m_foot->setContentsMargins(compact ? QMargins() : QMargins(6, 5, 6, 5));
    setMinimumWidth(compact ? kRailWidth : 200);
    setMaximumWidth(compact ? kRailWidth : 320);
    rebuild();
    updateGeometry();
}

void PalettePanel::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void PalettePanel::request(const PaletteRow& row) {
    const auto part = *row.part; // a copy: what follows may make new rows
    emit useRequested(part);
    noteUsed(part);
}

void PalettePanel::noteUsed(const PartRef& part) {
    m_settings->addRecentPart(partKey(part));
    // The list may be in the middle of the very event that used the part.
    QTimer::singleShot(0, this, &PalettePanel::rebuild);
}

bool PalettePanel::isFavourite(const PartRef& part) const {
    return m_settings->favouriteParts().contains(partKey(part));
}

void PalettePanel::setFavourite(const PartRef& part, bool favourite) {
    auto keys = m_settings->favouriteParts();
    keys.removeAll(partKey(part));
    if (favourite)
        keys << partKey(part);
    m_settings->setFavouriteParts(keys);
    QTimer::singleShot(0, this, &PalettePanel::rebuild);
}

void PalettePanel::toggleFold(const QString& section, bool fold) {
    auto folded = m_settings->foldedSections(foldedAtFirst());
    folded.removeAll(section);
    if (fold)
        folded << section;
    m_settings->setFoldedSections(folded);
    QTimer::singleShot(0, this, &PalettePanel::rebuild);
}

void PalettePanel::remake() {
    m_shownOwn = m_document->scenario().own;
    m_sections = paletteSections(m_document->catalog(), m_shownOwn, m_library->parts(), m_presets);
    rebuild();
}

PaletteSection PalettePanel::remembered(const QString& id, const QString& title,
                                        const QStringList& keys) const {
    PaletteSection section{id, title, {}};
    for (const auto& key : keys) {
        for (const auto& source : m_sections) {
            const auto found = std::find_if(source.rows.begin(), source.rows.end(),
                                            [&key](const auto& row) { return partKey(*row.part) == key; });
            if (found == source.rows.end())
                continue;
            section.rows.push_back(*found);
            section.rows.back().section = id;
            break;
        }
    }
    return section;
}

std::vector<PaletteRow> PalettePanel::rowsShown(const QString& wanted) const {
    const auto words = soughtText(wanted).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto favourites = m_settings->favouriteParts();
    const auto folded = m_settings->foldedSections(foldedAtFirst());
    std::vector<PaletteRow> rows;
    const auto isNamed = [&words](const PaletteRow& row) {
        const auto name = soughtText(row.name);
        return std::all_of(words.begin(), words.end(),
                           [&name](const QString& word) { return name.contains(word); });
    };
    const auto add = [&](const PaletteSection& section) {
        if (section.rows.empty())
            return;
        auto heading = headingOf(section);
        heading.folded = !m_compact && words.isEmpty() && folded.contains(section.id);
        rows.push_back(heading);
        const auto first = rows.size();
        for (const auto& row : section.rows)
            if (!heading.folded && std::all_of(words.begin(), words.end(), [&row](const QString& word) {
                    return row.words.contains(word);
                })) {
                rows.push_back(row);
                rows.back().favourite = favourites.contains(partKey(*row.part));
            }
        if (rows.size() == first && !heading.folded)
            rows.pop_back();
        else
            std::stable_partition(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), isNamed);
    };
    if (!m_compact && words.isEmpty()) {
        add(remembered(QStringLiteral("favourites"), tr("Favourites"), favourites));
        add(remembered(QStringLiteral("recent"), tr("Recent"), m_settings->recentParts()));
    }
    // What is called like that comes before what only speaks of it.
    for (const bool named : {true, false})
        for (const auto& section : m_sections) {
            const bool hasNamed = std::any_of(section.rows.begin(), section.rows.end(), isNamed);
            if (hasNamed == named)
                add(section);
        }
    return rows;
}

void PalettePanel::rebuild() {
    // The rail has no search field, so nothing may stay hidden by what was typed before.
    const auto wanted = m_compact ? QString() : m_search->text().simplified();
    auto rows = rowsShown(wanted);
    const bool none = rows.empty();
    m_list->setRows(std::move(rows), m_compact);
    m_list->setVisible(!none);
    m_noMatch->setVisible(none);
    m_noMatch->setText(wanted.isEmpty()
                           ? tr("The catalogue has no parts.")
                           : tr("Nothing matches \u201c%1\u201d. Try a name, a kind such as GPU, or a "
                                "vendor.")
                                 .arg(wanted));
}

} // namespace heteroscape::widgets

#include "moc_palette_panel.cpp"
