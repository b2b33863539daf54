// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_runner.h"

#include "engine/base/error.h"
#include "engine/store/evaluate_study.h"

#include <atomic>
#include <chrono>
#include <exception>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostPartialPoints = 50000; // above, reading back while it runs would slow the run
constexpr std::chrono::milliseconds kPartialEvery{700};

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

} // namespace

StudyRunner::StudyRunner(QString storePath, std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_storePath(std::move(storePath)), m_catalog(std::move(catalog)) {}

StudyRunner::~StudyRunner() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // before this object goes: the thread posts to it
}

void StudyRunner::start(std::function<void(std::stop_token, const Post&)> task) {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // a running study stops within 100 ms
    m_busy = true;
    const auto generation = ++m_generation;
    m_thread = std::jthread([this, generation, task = std::move(task)](std::stop_token stop) {
        const Post post = [this, generation](std::function<void()> call) {
            QMetaObject::invokeMethod(
                this,
                [this, generation, call = std::move(call)] {
                    if (generation == m_generation)
                        call();
                },
                Qt::QueuedConnection);
        };
        try {
            task(stop, post);
        } catch (const std::exception& error) {
            const auto message = QString::fromUtf8(error.what());
            post([this, message] { emit failed(message); });
        }
        post([this] {
            m_busy = false;
            emit finished();
        });
    });
}

void StudyRunner::run(engine::Study study) {
    start([this, study = std::move(study), path = m_storePath.toStdString(),
           catalog = m_catalog](std::stop_token stop, const Post& post) {
        engine::checkStudy(study); // what is wrong with it is not the store's fault
        const auto runStored = [&] {
            engine::Store store(path);
            const auto id = store.ensureStudy(study, stop).id;
            std::unique_ptr<engine::Store> reader;
            auto lastRead = std::chrono::steady_clock::now();
            const auto progress = [&](const engine::StudyProgress& now) {
                post([this, now] { emit progressed(now); });
                const auto time = std::chrono::steady_clock::now();
                if (now.total > kMostPartialPoints || now.done == 0 || time - lastRead < kPartialEvery)
                    return;
                if (!reader)
                    reader = std::make_unique<engine::Store>(path);
                post([this, part = readStudy(*reader, id, *catalog)] { emit tableRead(part); });
                lastRead = std::chrono::steady_clock::now();
            };
            const auto result = engine::runStudy(study, store, {.stop = stop, .progress = progress});
            post([this, whole = readStudy(store, id, *catalog)] { emit tableRead(whole); });
            post([this, result] { emit ran(result); });
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
                    post([this, part] { emit tableRead(part); });
                post([this, message, done = part ? part->table.rows() : 0, total] {
                    emit brokenOff(message, done, total);
                });
                return;
            }
            auto table = engine::evaluateStudy(study, stop);
            static std::atomic<std::int64_t> unstored{0};
            table.info.id = --unstored; // each is another study than the one before
            post([this, whole = asLoaded(std::move(table), study, *catalog)] { emit tableRead(whole); });
            post([this, message] { emit notKept(message); });
        }
    });
}

void StudyRunner::open(std::int64_t study, const Wanted& wanted) {
    start([this, study, wanted, path = m_storePath.toStdString(),
           catalog = m_catalog](const std::stop_token& stop, const Post& post) {
        engine::Store store(path);
        if (const auto info = store.study(study); wanted && info.done > kMostPartialPoints) {
            post([this, first = readStudy(store, study, *catalog, wanted(info))] { emit tableRead(first); });
            if (stop.stop_requested())
                return;
        }
        post([this, whole = readStudy(store, study, *catalog)] { emit tableRead(whole); });
    });
}

void StudyRunner::cancel() {
    m_thread.request_stop();
}

} // namespace heteroscape::widgets
