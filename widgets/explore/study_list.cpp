// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_list.h"

#include "engine/base/error.h"
#include "engine/plotting/ticks.h"
#include "widgets/explore/two_line_delegate.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QLocale>
#include <QToolButton>

namespace heteroscape::widgets {

namespace {
constexpr int kId = Qt::UserRole + 20;
} // namespace

StudyList::StudyList(QString storePath, QWidget* parent)
    : QWidget(parent), m_storePath(std::move(storePath)),
      m_heading(new TextLabel(tr("Earlier studies"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_empty(new TextLabel(tr("Studies that you run stay here."), TextSize::Caption, ColorRole::Muted,
                            QFont::Normal, this)),
      m_delete(new QToolButton(this)), m_list(new QListWidget(this)) {
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading, 1);
    head->addWidget(m_delete);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_empty);
    column->addWidget(m_list, 1);
    column->addStretch(0);
    m_empty->setWordWrap(true);
    m_list->setItemDelegate(new TwoLineDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Earlier studies"));
    m_list->installEventFilter(this);
    m_delete->setToolTip(tr("Delete the chosen study"));
    m_delete->setAccessibleName(tr("Delete the chosen study"));
    const auto restyle = [this] { m_delete->setIcon(Theme::instance().icon(QStringLiteral("trash"))); };
    connect(&Theme::instance(), &Theme::changed, this, restyle);
    restyle();
    const auto open = [this](QListWidgetItem* item) { emit openRequested(item->data(kId).toLongLong()); };
    connect(m_list, &QListWidget::itemClicked, this, open);
    connect(m_list, &QListWidget::itemActivated, this, open);
    connect(m_list, &QListWidget::currentRowChanged, this,
            [this](int row) { m_delete->setEnabled(row >= 0 && m_deletable); });
    connect(m_delete, &QToolButton::clicked, this, &StudyList::removeCurrent);
    refresh();
}

int StudyList::count() const {
    return m_list->count();
}

void StudyList::refresh() {
    std::vector<engine::StudyInfo> studies;
    try {
        if (QFileInfo::exists(m_storePath))
            studies = engine::Store(m_storePath.toStdString()).studies();
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
    m_list->clear();
    for (auto it = studies.rbegin(); it != studies.rend(); ++it) {
        auto when = QDateTime::fromString(QString::fromStdString(it->created), Qt::ISODate).toLocalTime();
        const auto points = QString::fromStdString(engine::tickText(static_cast<double>(it->points)));
        const auto done = QString::fromStdString(engine::tickText(static_cast<double>(it->done)));
        auto* item = new QListWidgetItem(QString::fromStdString(it->name), m_list);
        auto about =
            it->done == it->points ? tr("%1 points").arg(points) : tr("%1 of %2 points").arg(done, points);
        about += QStringLiteral(", ") + QLocale().toString(when, QLocale::ShortFormat);
        item->setData(TwoLineDelegate::kSecondLine, about);
        item->setData(kId, static_cast<qlonglong>(it->id));
        item->setData(Qt::AccessibleTextRole, item->text() + QStringLiteral(", ") + about);
        QStringList axes;
        for (const auto& axis : it->axes)
            axes << QString::fromStdString(axis.path);
        item->setToolTip(axes.join(QStringLiteral("\n")));
    }
    m_list->setVisible(!studies.empty());
    m_empty->setVisible(studies.empty());
    m_delete->setVisible(!studies.empty());
    m_delete->setEnabled(false);
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
    m_delete->setEnabled(deletable && m_list->currentRow() >= 0);
}

void StudyList::removeCurrent() {
    const auto* item = m_list->currentItem();
    if (!item || !m_deletable)
        return;
    const auto id = item->data(kId).toLongLong();
    try {
        engine::Store(m_storePath.toStdString()).remove(id);
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
        return;
    }
    refresh();
    emit removed(id);
}

bool StudyList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        removeCurrent();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
