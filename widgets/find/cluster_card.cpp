// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/cluster_card.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_record.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

namespace {

constexpr int kLookEveryMs = 500;

QString quoted(const QString& text) {
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

QString programPath() {
    const QFileInfo beside(QCoreApplication::applicationDirPath() + QStringLiteral("/heteroscape-cli"));
    return beside.isExecutable() ? beside.absoluteFilePath() : QStringLiteral("heteroscape-cli");
}

/// What find is given, word by word.
QStringList findArguments(const engine::SearchRecord& record) {
    QStringList words{QStringLiteral("find"),   QStringLiteral("design.hscape"),
                      QStringLiteral("--jobs"), QStringLiteral("1"),
                      QStringLiteral("--best"), QString::number(record.problem.best)};
    for (const auto& axis : record.problem.study.axes) {
        const auto text = axisText(axis);
        words << QStringLiteral("--axis") << QString::fromStdString(text.path + "=" + text.values);
    }
    for (const auto& goal : record.problem.goals)
        words << (goal.better > 0 ? QStringLiteral("--max") : QStringLiteral("--min"))
              << QString::fromStdString(goal.column);
    for (const auto& limit : record.problem.study.limits)
        words << QStringLiteral("--limit") << QString::fromStdString(engine::limitText(limit));
    return words;
}

QString runScript(const engine::SearchRecord& record, int pieces, const QString& way) {
    QStringList words;
    for (const auto& word : findArguments(record))
        words << quoted(word);
    return QStringLiteral("#!/bin/sh\n"
                          "# Runs this search in pieces; run it again after a failure: what is done is not "
                          "done again.\n"
                          "# Another way: WAY=slurm, mpi or shell. HETEROSCAPE names the program.\n"
                          "cd \"$(dirname \"$0\")\" || exit 1\n"
                          "export HETEROSCAPE=\"${HETEROSCAPE:-%1}\"\n"
                          "rm -f failed\n"
                          "sh ./shards \"${WAY:-%2}\" . %3 %4 >log 2>&1 || echo failed >failed\n")
        .arg(programPath(), way, QString::number(pieces), words.join(u' '));
}

} // namespace

std::vector<ClusterWay> clusterWays() {
    std::vector<ClusterWay> ways;
    if (!QStandardPaths::findExecutable(QStringLiteral("sbatch")).isEmpty())
        ways.push_back({QStringLiteral("slurm"), QStringLiteral("Slurm")});
    if (!QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
        ways.push_back({QStringLiteral("mpi"), QStringLiteral("MPI")});
    ways.push_back({QStringLiteral("shell"), ClusterJob::tr("Plain shell")});
    return ways;
}

ClusterJob::ClusterJob(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)) {
    m_timer.setInterval(kLookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &ClusterJob::look);
    connect(&m_job, &Job::failed, this, &ClusterJob::failed);
}

void ClusterJob::write(const QString& folder, const engine::SearchRecord& record, int pieces,
                       const QString& way) {
    if (!record.method->canShard())
        engine::throwInvalid("method", "it cannot be cut into pieces", "Look at every point instead");
    QDir().mkpath(folder);
    const auto path = [&](const char* name) { return (folder + u'/' + QLatin1String(name)).toStdString(); };
    auto base = *record.problem.study.base;
    base.dropKept();
    engine::saveScenario(base, path("design.hscape"));
    QFile script(QStringLiteral(":/heteroscape/cluster/shards"));
    if (!script.open(QIODevice::ReadOnly))
        throw engine::Error(engine::ErrorCode::Io, "shards", "the script is not part of this program", {});
    engine::writeFileAtomically(path("shards"), script.readAll().toStdString());
    engine::writeFileAtomically(path("run.sh"), runScript(record, pieces, way).toStdString());
    const engine::Json job = {{"pieces", pieces}, {"search", engine::writeSearch(record)}};
    engine::writeFileAtomically(path("job.json"), job.dump() + "\n");
}

void ClusterJob::start(const QString& folder) {
    QFile::remove(folder + QStringLiteral("/failed"));
    if (QProcess::startDetached(QStringLiteral("/bin/sh"), {QStringLiteral("run.sh")}, folder))
        follow(folder);
    else
        emit failed(tr("%1/run.sh cannot be started.").arg(folder));
}

void ClusterJob::follow(const QString& folder) {
    m_folder = folder;
    m_timer.start();
    look();
}

void ClusterJob::look() {
    int pieces = 0;
    try {
        const auto path = (m_folder + QStringLiteral("/job.json")).toStdString();
        const auto job = engine::readJsonFile(path);
        engine::JsonObject object(job, path);
        pieces = static_cast<int>(object.integer("pieces", 1, 1'000'000));
    } catch (const engine::Error& error) {
        m_timer.stop();
        emit failed(QString::fromUtf8(error.what()));
        return;
    }
    std::vector<std::string> parts;
    for (int i = 1; i <= pieces; ++i)
        if (const auto part = QStringLiteral("%1/part-%2").arg(m_folder).arg(i); QFile::exists(part))
            parts.push_back(part.toStdString());
    emit progressed(static_cast<int>(parts.size()), pieces);
    if (static_cast<int>(parts.size()) == pieces) {
        m_timer.stop();
        m_job.start([this, parts, catalog = m_catalog](JobRun&) -> Job::Show {
            auto merged = engine::mergeSearch(parts, *catalog);
            auto state = std::make_shared<engine::SearchState>(std::move(merged.tally));
            engine::SearchRecord record;
            record.problem = std::move(merged.problem);
            record.method = &engine::exhaustiveSearch();
            state->done = record.total();
            record.state = std::move(state);
            return [this, whole = foundSearch(std::move(record), catalog)] { emit this->merged(whole); };
        });
    } else if (QFile::exists(m_folder + QStringLiteral("/failed"))) {
        m_timer.stop();
        QFile log(m_folder + QStringLiteral("/log"));
        const auto told =
            log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll().right(400)).trimmed() : QString();
        emit failed(tr("The job in %1 failed after %2 of %3 pieces: %4. Submit it again: what is done is not "
                       "done again.")
                        .arg(m_folder)
                        .arg(parts.size())
                        .arg(pieces)
                        .arg(told));
    }
}

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

#include "moc_cluster_card.cpp"
