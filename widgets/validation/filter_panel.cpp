// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/filter_panel.h"

#include "engine/plotting/ticks.h"
#include "widgets/plots/marker_path.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/validation_page.h"
#include "widgets/validation/validation_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

QComboBox* measuredKeyCombo(const QString& accessibleName) {
    auto* combo = new QComboBox;
    combo->setAccessibleName(accessibleName);
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        combo->addItem(measuredKeyText(static_cast<MeasuredKey>(key)));
    return combo;
}

namespace {

/// The one CSV on this machine that is dragged; empty: it is none.
QString droppedCsv(const QMimeData* data) {
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const auto path = urls.first().toLocalFile();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

class CsvDrop : public QObject {
public:
    CsvDrop(QWidget* target, std::function<void(const QString&)> take)
        : QObject(target), m_take(std::move(take)) {
        target->setAcceptDrops(true);
        target->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
            return false;
        auto* drop = static_cast<QDropEvent*>(event);
        const auto path = droppedCsv(drop->mimeData());
        if (path.isEmpty())
            return false;
        drop->acceptProposedAction();
        if (event->type() == QEvent::Drop)
            m_take(path);
        return true;
    }

private:
    std::function<void(const QString&)> m_take;
};

} // namespace

void takeDroppedCsv(QWidget* target, std::function<void(const QString& path)> take) {
    new CsvDrop(target, std::move(take));
}

void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take) {
    auto* dialog = new QFileDialog(parent, ValidationPage::tr("Choose measured times"), {},
                                   ValidationPage::tr("Measured times (*.csv);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, take);
    dialog->open();
}

QString leftOutText(const QString& source, const std::vector<engine::UnreadRow>& rows) {
    if (rows.size() == 1)
        return ValidationPage::tr("Line %1 of %2 cannot be read and is left out.")
            .arg(rows.front().line)
            .arg(source);
    return ValidationPage::tr("%1 rows of %2 cannot be read and are left out, the first in line %3.")
        .arg(rows.size())
        .arg(source)
        .arg(rows.front().line);
}

void showLeftOut(QWidget* parent, const QString& source, const std::vector<engine::UnreadRow>& rows) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ValidationPage::tr("Rows of %1 that are left out").arg(source));
    auto* list = new QPlainTextEdit(dialog);
    list->setReadOnly(true);
    list->setAccessibleName(dialog->windowTitle());
    for (const auto& row : rows)
        list->appendPlainText(QString::fromStdString(row.why));
    list->moveCursor(QTextCursor::Start);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    dialog->resize(680, 320);
    dialog->open();
}

namespace {

constexpr int kMarker = 11; // px

QString countOf(std::size_t rows) {
    return QString::fromStdString(engine::tickText(static_cast<double>(rows)));
}

} // namespace

QIcon markerIcon(const MeasuredLook& look, double ratio) {
    QPixmap pixmap(QSize(kMarker, kMarker) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color.resolve(false));
    painter.drawPath(markerPath(look.marker, {kMarker / 2.0, kMarker / 2.0}, 8));
    return pixmap;
}

FilterPanel::FilterPanel(QWidget* parent) : QWidget(parent) {
    auto* inner = new Surface(ColorRole::Panel, false);
    auto* column = makeColumn(inner, {0, 4, 0, 8}, 2);
    for (std::size_t key = 0; key < kMeasuredKeys; ++key) {
        const auto which = static_cast<MeasuredKey>(key);
        auto& part = m_parts[key];
        part.widget = new QWidget(inner);
        auto* head = new QHBoxLayout;
        head->setContentsMargins(14, 0, 8, 0);
        head->addWidget(new TextLabel(measuredKeyText(which), TextSize::Dense, ColorRole::Text,
                                      QFont::DemiBold, part.widget),
                        1);
        auto* all = new QPushButton(tr("All"), part.widget);
        all->setFlat(true);
        all->setAccessibleName(tr("All of %1").arg(measuredKeyText(which)));
        connect(all, &QPushButton::clicked, this, [this, which] { emit allRequested(which); });
        head->addWidget(all);
        auto* rows = makeColumn(part.widget, {0, 0, 0, 6});
        rows->addLayout(head);
        part.rows = rows;
        column->addWidget(part.widget);
    }
    column->addStretch(1);
    auto* scroll = scrolled(inner, this);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); });
}

void FilterPanel::setView(const std::shared_ptr<const ValidationView>& view) {
    m_view = view;
    for (std::size_t key = 0; key < kMeasuredKeys; ++key) {
        const auto& labels = m_view->labels[key];
        const auto& entries = m_parts[key].entries;
        if (!std::equal(labels.begin(), labels.end(), entries.begin(), entries.end(),
                        [](const auto& label, const Entry& entry) { return label.first == entry.label; }))
            fill(key);
    }
    refresh();
}

void FilterPanel::fill(std::size_t key) {
    auto& part = m_parts[key];
    for (const auto& entry : part.entries)
        entry.box->parentWidget()->deleteLater();
    part.entries.clear();
    const auto which = static_cast<MeasuredKey>(key);
    for (const auto& [label, rows] : m_view->labels[key]) {
        auto* line = new QWidget(part.widget);
        auto* row = makeRow(line, {14, 0, 10, 0}, 4);
        auto* box = new QCheckBox(measuredLabelText(which, label), line);
        box->setObjectName(QString::fromStdString(label));
        box->setMinimumHeight(24);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(box, &QCheckBox::toggled, this,
                [this, which, name = label](bool on) { emit toggled(which, name, on); });
        row->addWidget(box, 1);
        auto* count = new TextLabel(countOf(rows), TextSize::Caption, ColorRole::Muted, line);
        row->addWidget(count);
        part.rows->addWidget(line);
        line->show();
        part.entries.push_back({label, box});
    }
}

void FilterPanel::refresh() {
    if (!m_view)
        return;
    for (std::size_t key = 0; key < kMeasuredKeys; ++key) {
        const auto which = static_cast<MeasuredKey>(key);
        auto& part = m_parts[key];
        part.widget->setVisible(part.entries.size() > 1 || !m_view->choice.off[key].empty());
        for (std::size_t i = 0; i < part.entries.size(); ++i) {
            auto& entry = part.entries[i];
            const QSignalBlocker quiet(entry.box);
            entry.box->setChecked(!m_view->choice.off[key].contains(entry.label));
            entry.box->setIcon(which == m_view->choice.colour
                                   ? markerIcon(measuredLook(which, entry.label, i), devicePixelRatioF())
                                   : QIcon());
            const auto rows = countOf(m_view->labels[key][i].second);
            entry.box->setAccessibleName(tr("%1, %2 rows").arg(entry.box->text(), rows));
            if (auto* count = entry.box->parentWidget()->findChild<TextLabel*>())
                count->setText(rows);
        }
    }
}

} // namespace heteroscape::widgets

#include "moc_filter_panel.cpp"
