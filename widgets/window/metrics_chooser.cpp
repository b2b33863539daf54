// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/metrics_chooser.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

constexpr int kMetric = Qt::UserRole;
constexpr QSize kSize{360, 420};

} // namespace

MetricsChooser::MetricsChooser(const std::vector<Row>& rows, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_list->setAccessibleName(tr("Metrics of the strip"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const auto& row : rows) {
        const auto text = row.value.isEmpty() ? row.text : tr("%1   %2").arg(row.text, row.value);
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(kMetric, static_cast<int>(row.metric));
        item->setFlags((item->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled) &
                       ~Qt::ItemIsDropEnabled); // rows go between others, never onto one
        item->setCheckState(row.isChosen ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(plainTip(QString::fromUtf8(engine::metricSpec(row.metric).about)));
    }
    m_list->setCurrentRow(0);
    m_list->installEventFilter(this);
    setFocusProxy(m_list);
    auto* heading =
        new TextLabel(tr("Metrics of the strip"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
    auto* hint =
        new TextLabel(tr("Drag to order, or Alt+\u2191 \u2193"), TextSize::Caption, ColorRole::Muted, this);
    auto* reset = new QPushButton(tr("Reset"), this);
    connect(reset, &QPushButton::clicked, this, &MetricsChooser::resetRequested);
    connect(m_list, &QListWidget::itemChanged, this, &MetricsChooser::tell);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &MetricsChooser::tell);
    auto* foot = new QHBoxLayout;
    foot->addWidget(hint, 1);
    foot->addWidget(reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addWidget(heading);
    column->addWidget(m_list, 1);
    column->addLayout(foot);
    resize(kSize);
}

void MetricsChooser::tell() {
    std::vector<engine::Metric> metrics;
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->checkState() == Qt::Checked)
            metrics.push_back(static_cast<engine::Metric>(m_list->item(i)->data(kMetric).toInt()));
    if (!metrics.empty())
        emit chosen(metrics);
}

void MetricsChooser::moveCurrent(int by) {
    const int from = m_list->currentRow();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= m_list->count())
        return;
    auto* item = m_list->takeItem(from);
    m_list->insertItem(to, item);
    m_list->setCurrentRow(to);
    tell();
}

bool MetricsChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            moveCurrent(key->key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
