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
#include <charconv>
#include <cmath>
#include <filesystem>
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
                          "[ -n \"${HETEROSCAPE:-}\" ] || HETEROSCAPE=%1\n"
                          "export HETEROSCAPE\n"
                          "rm -f failed\n"
                          "sh ./shards \"${WAY:-%2}\" . %3 %4 >log 2>&1 || echo failed >failed\n")
        .arg(quoted(programPath()), way, QString::number(pieces), words.join(u' '));
}

/// How far a job is, by its folder.
struct JobFolder {
    std::size_t pieces = 0;
    std::size_t done = 0;
    bool failed = false;
    QString log; ///< its end, where it failed
};

/// Regular files alone count. Throws Error.
JobFolder lookInto(const QString& folder, const std::stop_token& stop) {
    const auto path = folder.toStdString();
    const auto asked = engine::readJsonFile(path + "/job.json");
    JobFolder job;
    job.pieces = static_cast<std::size_t>(
        engine::JsonObject(asked, path + "/job.json").integer("pieces", 1, 1'000'000));
    std::vector<bool> found(job.pieces + 1, false);
    constexpr std::string_view part = "part-";
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(path, failure), end;
         !failure && entry != end && !stop.stop_requested(); entry.increment(failure)) {
        const auto name = entry->path().filename().string();
        std::size_t piece = 0;
        const auto* last = name.data() + name.size();
        if (name == "failed")
            job.failed = true;
        if (!name.starts_with(part) || std::from_chars(name.data() + part.size(), last, piece).ptr != last ||
            piece == 0 || piece > job.pieces || name[part.size()] == '0' || found[piece])
            continue;
        std::error_code unknown; // a link that leads nowhere is no file
        if (!entry->is_regular_file(unknown))
            engine::throwInvalid(entry->path().string(), "not a regular file",
                                 "Take it away, then submit the job again");
        found[piece] = true;
        ++job.done;
    }
    if (failure)
        throw engine::Error(engine::ErrorCode::Io, path, "cannot list its files: " + failure.message(),
                            "Check that you may read it");
    if (job.failed)
        try {
            constexpr std::uintmax_t most = 400;
            engine::InputFile log(path + "/log");
            const auto skipped = log.size() > most ? log.size() - most : 0;
            log.seekg(static_cast<std::streampos>(skipped));
            std::string text(most, '\0');
            log.read(text.data(), static_cast<std::streamsize>(text.size()));
            text.resize(static_cast<std::size_t>(log.gcount()));
            job.log = QString::fromStdString(text).trimmed();
        } catch (const engine::Error&) { // it failed before it could write one
        }
    return job;
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
    m_timer.setSingleShot(true);
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
    m_timer.stop();
    look();
}

void ClusterJob::look() {
    m_job.start([this, folder = m_folder, catalog = m_catalog](JobRun& run) -> Job::Show {
        const auto job = lookInto(folder, run.stop());
        const auto done = static_cast<int>(job.done);
        if (job.failed && job.done < job.pieces)
            return [this, folder, done, pieces = job.pieces, told = job.log] {
                emit progressed(done, static_cast<int>(pieces));
                emit failed(tr("The job in %1 failed after %2 of %3 pieces: %4. Submit it again: what is "
                               "done is not done again.")
                                .arg(folder)
                                .arg(done)
                                .arg(pieces)
                                .arg(told));
            };
        const auto progress = [this, done, pieces = static_cast<int>(job.pieces)] {
            emit progressed(done, pieces);
        };
        if (job.done < job.pieces)
            return [this, progress] {
                progress();
                m_timer.start();
            };
        run.tell(progress);
        std::vector<std::string> parts;
        for (std::size_t i = 1; i <= job.pieces; ++i)
            parts.push_back(folder.toStdString() + "/part-" + std::to_string(i));
        auto merged = engine::mergeSearch(parts, *catalog);
        auto state = std::make_shared<engine::SearchState>(std::move(merged.tally));
        engine::SearchRecord record;
        record.problem = std::move(merged.problem);
        record.method = &engine::exhaustiveSearch();
        state->done = record.total();
        record.state = std::move(state);
        return [this, whole = foundSearch(std::move(record), catalog)] { emit this->merged(whole); };
    });
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
