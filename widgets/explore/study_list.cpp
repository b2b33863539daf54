// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_list.h"

#include "engine/base/error.h"
#include "engine/scenario/scenario_key.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QDateTime>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

namespace heteroscape::widgets {

QStringList PaperFigures::read(const std::shared_ptr<const engine::Catalog>& catalog) {
    static std::weak_ptr<const engine::Catalog> of; // every window reads those of the same catalogue
    static std::vector<engine::FigureStudy> kept;
    if (of.lock() == catalog) {
        m_all = kept;
        return {};
    }
    std::vector<std::string> errors;
    m_all = engine::loadStudies(*catalog, errors);
    if (errors.empty()) {
        kept = m_all;
        of = catalog;
    }
    QStringList problems;
    for (const auto& error : errors)
        problems << QString::fromStdString(error);
    return problems;
}

const engine::FigureStudy* PaperFigures::of(const engine::Study& study) const {
    const auto key = engine::scenarioKey(study.base);
    for (const auto& figure : m_all)
        if (figure.study.axes == study.axes && engine::scenarioKey(figure.study.base) == key)
            return &figure;
    return nullptr;
}

std::vector<std::string> PaperFigures::metricsOf(const std::vector<engine::Axis>& axes) const {
    std::vector<std::string> metrics;
    for (const auto& figure : m_all)
        if (figure.study.axes == axes)
            for (const auto& plot : figure.plots)
                for (const auto* some : {&plot.metrics, &plot.rightMetrics})
                    metrics.insert(metrics.end(), some->begin(), some->end());
    return metrics;
}

namespace {

constexpr int kId = Qt::UserRole + 20;
constexpr int kSearchedTextRole = Qt::UserRole + 21;
constexpr std::size_t kFilterFrom = 9; ///< fewer are seen at a glance

QString whenText(const std::string& created) {
    const auto when = QDateTime::fromString(QString::fromStdString(created), Qt::ISODate).toLocalTime();
    return QLocale().toString(when, QLocale::ShortFormat);
}

QToolButton* iconButton(const char* icon, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(icon));
    button->setToolTip(plainTip(name));
    button->setAccessibleName(name);
    const auto restyle = [button, icon] { button->setIcon(Theme::instance().icon(QLatin1String(icon))); };
    QObject::connect(&Theme::instance(), &Theme::changed, button, restyle);
    restyle();
    return button;
}

} // namespace

StudyList::StudyList(QString storePath, QWidget* parent)
    : QWidget(parent), m_storePath(std::move(storePath)),
      m_heading(new TextLabel(tr("Earlier studies"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_empty(
          new TextLabel(tr("Studies that you run stay here."), TextSize::Caption, ColorRole::Muted, this)),
      m_total(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_resume(iconButton("play", tr("Resume the chosen study"), this)),
      m_extend(iconButton("plus", tr("Extend the chosen study: set its axes up again to add values"), this)),
      m_delete(iconButton("trash", tr("Delete the chosen study"), this)), m_filter(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(m_heading, 1);
    for (auto* button : {m_resume, m_extend, m_delete})
        head->addWidget(button);
    auto* column = makeColumn(this, {}, 4);
    column->addLayout(head);
    column->addWidget(m_empty);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addWidget(m_total);
    column->addStretch(0);
    m_empty->setWordWrap(true);
    m_total->setWordWrap(true);
    m_total->setObjectName(QStringLiteral("total"));
    m_filter->setPlaceholderText(tr("Find a study"));
    m_filter->setAccessibleName(tr("Find a study"));
    m_filter->setClearButtonEnabled(true);
    m_list->setItemDelegate(new TwoLineDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Earlier studies"));
    m_list->installEventFilter(this);
    const auto open = [this](QListWidgetItem* item) { emit openRequested(item->data(kId).toLongLong()); };
    connect(m_list, &QListWidget::itemClicked, this, open);
    connect(m_list, &QListWidget::itemActivated, this, open);
    connect(m_list, &QListWidget::currentRowChanged, this, &StudyList::showChosen);
    connect(m_list, &QListWidget::itemChanged, this, &StudyList::rename);
    connect(m_list, &QListWidget::customContextMenuRequested, this, &StudyList::openMenu);
    connect(m_filter, &QLineEdit::textChanged, this, &StudyList::filter);
    connect(m_delete, &QToolButton::clicked, this, &StudyList::askRemoval);
    connect(m_resume, &QToolButton::clicked, this, [this] {
        if (const auto* study = current())
            emit resumeRequested(study->id);
    });
    connect(m_extend, &QToolButton::clicked, this, [this] {
        if (const auto* study = current())
            emit extendRequested(study->id);
    });
    refresh();
}

int StudyList::count() const {
    return m_list->count();
}

void StudyList::refresh() {
    std::size_t bytes = 0;
    m_studies.clear();
    try {
        if (QFileInfo::exists(m_storePath)) {
            engine::Store store(m_storePath.toStdString());
            std::vector<std::string> leftAside;
            m_studies = store.studies(&leftAside);
            if (!leftAside.empty())
                emit failed(tr("%n study is left aside", nullptr, static_cast<int>(leftAside.size())) +
                            QStringLiteral(": ") + QString::fromStdString(leftAside.front()));
            bytes = store.bytes();
        }
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
    std::reverse(m_studies.begin(), m_studies.end());
    {
        const QSignalBlocker quiet(m_list); // filling it in is no renaming
        m_list->clear();
        for (const auto& study : m_studies)
            addItem(study);
    }
    const bool any = !m_studies.empty();
    m_list->setVisible(any);
    m_empty->setVisible(!any);
    m_extend->setVisible(any);
    m_delete->setVisible(any);
    m_total->setVisible(any);
    m_total->setText(
        m_studies.size() == 1
            ? tr("1 study, %1 on disk").arg(fileSizeText(bytes))
            : tr("%1 studies, %2 on disk").arg(countText(m_studies.size()), fileSizeText(bytes)));
    m_total->setToolTip(plainTip(m_storePath));
    m_filter->setVisible(m_studies.size() >= kFilterFrom);
    if (m_filter->isHidden())
        m_filter->clear();
    filter();
    showChosen();
}

void StudyList::addItem(const engine::StudyInfo& study) {
    const auto points = countText(study.points), size = fileSizeText(study.bytes);
    auto about = study.done == study.points ? tr("%1 points").arg(points)
                                            : tr("%1 of %2").arg(countText(study.done), points);
    about += QStringLiteral(", ") + whenText(study.created);
    auto* item = new QListWidgetItem(QString::fromStdString(study.name), m_list);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setData(TwoLineDelegate::kSecondLine, about);
    item->setData(TwoLineDelegate::kAside, size);
    item->setData(kId, static_cast<qlonglong>(study.id));
    item->setData(Qt::AccessibleTextRole, QStringList{item->text(), about, size}.join(QStringLiteral(", ")));
    QStringList axes;
    for (const auto& axis : study.axes)
        axes << QString::fromStdString(axis.path);
    item->setToolTip(plainTip(item->text() + QStringLiteral("\n") + axes.join(QStringLiteral("\n"))));
    item->setData(kSearchedTextRole, item->text() + u' ' + axes.join(u' '));
}

void StudyList::filter() {
    const auto words = m_filter->text().split(u' ', Qt::SkipEmptyParts);
    for (int row = 0; row < m_list->count(); ++row) {
        const auto text = m_list->item(row)->data(kSearchedTextRole).toString();
        m_list->item(row)->setHidden(!std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        }));
    }
}

const engine::StudyInfo* StudyList::current() const {
    const int row = m_list->currentRow();
    return row >= 0 && row < static_cast<int>(m_studies.size()) ? &m_studies[static_cast<std::size_t>(row)]
                                                                : nullptr;
}

void StudyList::showChosen() {
    const auto* study = current();
    m_resume->setVisible(study && study->done < study->points);
    m_resume->setEnabled(m_deletable);
    m_extend->setEnabled(study && m_deletable);
    m_delete->setEnabled(study && m_deletable);
}

void StudyList::setCurrent(std::int64_t id) {
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(kId).toLongLong() == id)
            m_list->setCurrentRow(row);
}

std::optional<std::int64_t> StudyList::newestOf(const engine::Scenario& design,
                                                const engine::Catalog& catalog) const {
    if (m_list->count() == 0)
        return {};
    try {
        // Names are compared first: reading a study's design back costs far more.
        engine::Store store(m_storePath.toStdString());
        const auto name = QString::fromStdString(design.name);
        const auto key = engine::scenarioKey(design);
        for (int row = 0; row < m_list->count(); ++row) {
            const auto id = m_list->item(row)->data(kId).toLongLong();
            if (m_list->item(row)->text() == name &&
                engine::scenarioKey(store.definition(id, catalog).base) == key)
                return id;
        }
    } catch (const engine::Error&) {
        // The list itself tells when the store cannot be read.
    }
    return {};
}

void StudyList::setDeletable(bool deletable) {
    m_deletable = deletable;
    showChosen();
}

void StudyList::rename(QListWidgetItem* item) {
    const auto id = item->data(kId).toLongLong();
    const auto name = item->text().trimmed();
    const auto known =
        std::find_if(m_studies.begin(), m_studies.end(), [id](const auto& study) { return study.id == id; });
    if (known == m_studies.end() || name == QString::fromStdString(known->name))
        return;
    try {
        engine::Store(m_storePath.toStdString()).rename(id, name.toStdString());
        emit renamed(id, name);
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
    // Not from within the editor that is just closing.
    QMetaObject::invokeMethod(
        this,
        [this, id] {
            refresh();
            setCurrent(id);
        },
        Qt::QueuedConnection);
}

void StudyList::askRemoval() {
    const auto* study = current();
    if (!study || !m_deletable)
        return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete a study"),
                                tr("Delete “%1”?").arg(QString::fromStdString(study->name)),
                                QMessageBox::NoButton, window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Its %1 points take %2 of the file. This cannot be undone; run again, they are "
           "computed anew.")
            .arg(countText(study->done), fileSizeText(study->bytes)));
    auto* confirm = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    confirm->setObjectName(QStringLiteral("confirmDelete"));
    auto* keep = box->addButton(tr("Keep"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    connect(confirm, &QAbstractButton::clicked, this, [this, id = study->id] { remove(id); });
    box->open();
}

void StudyList::remove(std::int64_t id) {
    try {
        engine::Store(m_storePath.toStdString()).remove(id);
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
        return;
    }
    refresh();
    emit removed(id);
}

void StudyList::openMenu(const QPoint& at) {
    if (const auto* item = m_list->itemAt(at))
        m_list->setCurrentRow(m_list->row(item));
    const auto* study = current();
    if (!study)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu, this](const QString& text, bool enabled, auto work) {
        auto* action = menu->addAction(text);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, work);
    };
    const auto id = study->id;
    add(tr("Open"), true, [this, id] { emit openRequested(id); });
    if (study->done < study->points)
        add(tr("Resume"), m_deletable, [this, id] { emit resumeRequested(id); });
    add(tr("Extend"), m_deletable, [this, id] { emit extendRequested(id); });
    add(tr("Rename"), true, [this] { m_list->editItem(m_list->currentItem()); });
    menu->addSeparator();
    add(tr("Export as CSV..."), true, [this, id] { emit exportRequested(id, QStringLiteral("csv")); });
    add(tr("Export as an SQLite file..."), true,
        [this, id] { emit exportRequested(id, QStringLiteral("sqlite")); });
    menu->addSeparator();
    add(tr("Delete..."), m_deletable, [this] { askRemoval(); });
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

bool StudyList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        askRemoval();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_study_list.cpp"
