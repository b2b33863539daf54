// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/cluster_job.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_file.h"
#include "widgets/explore/axis_values.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
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

} // namespace heteroscape::widgets
