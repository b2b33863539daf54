// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/cluster_card.h"

#include "engine/base/error.h"
#include "widgets/explore/run_words.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <cmath>
#include <limits>

namespace heteroscape::widgets {

ClusterCard::ClusterCard(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : Surface(ColorRole::Panel, true, parent), m_seconds(std::numeric_limits<double>::quiet_NaN()),
      m_job(new ClusterJob(std::move(catalog), this)),
      m_state(new TextLabel(tr("not running"), TextSize::Caption, ColorRole::Text2, this)),
      m_words(new TextLabel(TextSize::Caption, ColorRole::Text2, this)), m_pieces(new QSpinBox(this)),
      m_way(new QComboBox(this)), m_bar(new QProgressBar(this)),
      m_submit(new QPushButton(tr("Submit…"), this)), m_write(new QPushButton(tr("Write job folder…"), this)),
      m_follow(new QPushButton(tr("Follow…"), this)) {
    askFolder = [this] { return QFileDialog::getExistingDirectory(this, tr("Folder of the job")); };
    m_words->setWordWrap(true);
    m_pieces->setRange(1, 100'000);
    m_pieces->setValue(64);
    m_pieces->setAccessibleName(tr("Pieces"));
    m_pieces->setObjectName(QStringLiteral("pieces"));
    for (const auto& way : clusterWays())
        m_way->addItem(way.name, way.id);
    m_way->setAccessibleName(tr("How it is run"));
    m_way->setObjectName(QStringLiteral("clusterWay"));
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Pieces that are done"));
    m_bar->hide();
    m_submit->setObjectName(QStringLiteral("submitJob"));
    m_write->setObjectName(QStringLiteral("writeJob"));
    m_follow->setObjectName(QStringLiteral("followJob"));
    m_submit->setToolTip(
        tr("Writes the job into a folder that all machines share, starts it and follows it"));
    m_write->setToolTip(tr("Writes the job only: run.sh in the folder starts it"));
    m_follow->setToolTip(tr("Follows a job folder that was written before, and merges it when it is done"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(12, 10, 12, 10);
    grid->setVerticalSpacing(6);
    grid->addWidget(new TextLabel(tr("On a cluster"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this),
                    0, 0);
    grid->addWidget(m_state, 0, 1, Qt::AlignRight);
    grid->addWidget(m_words, 1, 0, 1, 2);
    grid->addWidget(new TextLabel(tr("Pieces"), TextSize::Dense, ColorRole::Text2, this), 2, 0);
    grid->addWidget(m_pieces, 2, 1);
    grid->addWidget(new TextLabel(tr("By"), TextSize::Dense, ColorRole::Text2, this), 3, 0);
    grid->addWidget(m_way, 3, 1);
    grid->addWidget(m_bar, 4, 0, 1, 2);
    grid->setRowStretch(5, 1);
    grid->addWidget(m_write, 6, 0, 1, 2);
    grid->addWidget(m_submit, 7, 0);
    grid->addWidget(m_follow, 7, 1);
    connect(m_pieces, &QSpinBox::valueChanged, this, &ClusterCard::tellPieces);
    connect(m_submit, &QPushButton::clicked, this, [this] { write(true); });
    connect(m_write, &QPushButton::clicked, this, [this] { write(false); });
    connect(m_follow, &QPushButton::clicked, this, &ClusterCard::followFolder);
    connect(m_job, &ClusterJob::progressed, this, [this](int done, int pieces) {
        m_bar->show();
        m_bar->setRange(0, pieces);
        m_bar->setValue(done);
        m_state->setText(done < pieces ? tr("%1 of %2 pieces").arg(done).arg(pieces) : tr("merging"));
    });
    connect(m_job, &ClusterJob::merged, this, [this] {
        m_bar->hide();
        m_state->setText(tr("merged"));
    });
    connect(m_job, &ClusterJob::failed, this, [this](const QString& message) {
        m_bar->hide();
        m_state->setText(tr("failed"));
        emit failed(message);
    });
    setSearch(nullptr, m_seconds);
}

void ClusterCard::setSearch(const engine::SearchRecord* record, double seconds) {
    m_seconds = seconds;
    if (record)
        m_record = *record;
    else
        m_record.reset();
    const bool can = record && record->method->canShard();
    m_submit->setEnabled(can);
    m_write->setEnabled(can);
    tellPieces();
}

void ClusterCard::tellPieces() {
    if (m_record && !m_record->method->canShard()) {
        m_words->setText(tr("Only a search of every point can be cut into pieces."));
        return;
    }
    const auto same = tr("The front is the same to the last byte, whatever the number of pieces.");
    m_words->setText(std::isnan(m_seconds) ? same
                                           : tr("%1 pieces of one core each take %2. %3")
                                                 .arg(m_pieces->value())
                                                 .arg(timeWords(m_seconds / m_pieces->value()), same));
}

void ClusterCard::write(bool submit) {
    const auto folder = m_record ? askFolder() : QString();
    if (folder.isEmpty())
        return;
    try {
        ClusterJob::write(folder, *m_record, m_pieces->value(), m_way->currentData().toString());
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
        return;
    }
    if (submit)
        m_job->start(folder);
    else
        emit told(tr("The job is written: run %1/run.sh, then follow the folder here.").arg(folder));
}

void ClusterCard::followFolder() {
    if (const auto folder = askFolder(); !folder.isEmpty())
        m_job->follow(folder);
}

} // namespace heteroscape::widgets
