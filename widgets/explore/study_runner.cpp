// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_runner.h"

#include "engine/base/error.h"
#include "engine/study_run/evaluate_study.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kReadInTwo = 50000; // points above which what is shown is read first
constexpr std::chrono::milliseconds kPartialEvery{700};
constexpr int kPartialShare = 20; // of the time that a study runs, reading it back takes one part in these

/// The points that a run stored before it broke off; none when the store does not answer any more.
std::shared_ptr<const LoadedStudy> readStored(const std::string& path, const engine::Study& study,
                                              const engine::Catalog& catalog) {
    try {
        engine::Store store(path);
        const auto info = store.findStudy(study);
        return info && info->done > 0 ? readStudy(store, info->id, catalog) : nullptr;
    } catch (const engine::Error&) {
        return nullptr; // what broke the run off says more
    }
}

QString damageText(const std::vector<std::string>& damage) {
    return StudyRunner::tr(
               "Damaged in the store, and left out: %1%2. Run the study again: it is computed anew.")
        .arg(QString::fromStdString(damage.front()),
             damage.size() == 1 ? QString()
                                : StudyRunner::tr(", and %n more", "", static_cast<int>(damage.size() - 1)));
}

} // namespace

StudyRunner::StudyRunner(QString storePath, std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_storePath(std::move(storePath)), m_catalog(std::move(catalog)) {
    connect(&m_job, &Job::failed, this, &StudyRunner::failed);
    connect(&m_job, &Job::finished, this, &StudyRunner::finished);
}

void StudyRunner::run(engine::Study study) {
    m_job.start([this, study = std::move(study), path = m_storePath.toStdString(),
                 catalog = m_catalog](JobRun& job) -> Job::Show {
        engine::checkStudy(study); // what is wrong with it is not the store's fault
        const auto runStored = [&] {
            engine::Store store(path);
            const auto id = store.ensureStudy(study, job.stop()).id;
            std::unique_ptr<engine::Store> reader;
            auto nextRead = std::chrono::steady_clock::now() + kPartialEvery;
            const auto progress = [&](const engine::StudyProgress& now) {
                job.tell([this, now] { emit progressed(now); });
                const auto time = std::chrono::steady_clock::now();
                if (now.done == 0 || now.done == now.total || time < nextRead)
                    return;
                if (!reader)
                    reader = std::make_unique<engine::Store>(path);
                job.tell([this, part = readStudy(*reader, id, *catalog)] { emit tableRead(part); });
                const auto read = std::chrono::steady_clock::now();
                nextRead = read + std::max<std::chrono::steady_clock::duration>(
                                      kPartialEvery, kPartialShare * (read - time));
            };
            const auto result = engine::runStudy(study, store, {.stop = job.stop(), .progress = progress});
            job.tell([this, whole = readStudy(store, id, *catalog)] { emit tableRead(whole); });
            job.tell([this, result] { emit ran(result); });
        };
        try {
            runStored();
        } catch (const engine::Error& error) {
            if (error.code() == engine::ErrorCode::Cancelled)
                throw;
            const auto message = QString::fromUtf8(error.what());
            if (const auto total = study.pointCount(); total > kMostInMemory) {
                const auto part = readStored(path, study, *catalog);
                if (part)
                    job.tell([this, part] { emit tableRead(part); });
                job.tell([this, message, done = part ? part->table.rows() : 0, total] {
                    emit brokenOff(message, done, total);
                });
                return {};
            }
            auto table = engine::evaluateStudy(study, job.stop());
            const auto truths = engine::addTruths(table, study);
            static std::atomic<std::int64_t> unstored{0};
            table.info.id = --unstored; // each is another study than the one before
            job.tell([this, whole = asLoaded(std::move(table), study, *catalog, {}, truths)] {
                emit tableRead(whole);
            });
            job.tell([this, message] { emit notKept(message); });
        }
        return {};
    });
}

void StudyRunner::open(std::int64_t study, const Wanted& wanted) {
    m_job.start([this, study, wanted, path = m_storePath.toStdString(),
                 catalog = m_catalog](JobRun& job) -> Job::Show {
        engine::Store store(path);
        if (const auto info = store.study(study); wanted && info.done > kReadInTwo) {
            job.tell(
                [this, first = readStudy(store, study, *catalog, wanted(info))] { emit tableRead(first); });
            if (job.isStopped())
                return {};
        }
        return [this, whole = readStudy(store, study, *catalog)] {
            emit tableRead(whole);
            if (!whole->table.damage.empty())
                emit damaged(damageText(whole->table.damage));
        };
    });
}

void StudyRunner::cancel() {
    m_job.cancel();
}

} // namespace heteroscape::widgets

#include "moc_study_runner.cpp"
