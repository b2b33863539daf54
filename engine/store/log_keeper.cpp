// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_keeper.h"

#include "engine/store/sqlite.h"

#include <filesystem>
#include <system_error>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kEnough = 16 << 20; // bytes

} // namespace

LogKeeper::~LogKeeper() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void LogKeeper::wrote(std::size_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_bytes += bytes;
        if (m_bytes < kEnough)
            return;
    }
    if (!m_thread.joinable())
        try {
            m_thread = std::thread([this] { keep(); });
        } catch (const std::system_error&) { // the system gives none
        }
    m_changed.notify_all();
}

void LogKeeper::keep() {
    try {
        if (!std::filesystem::exists(m_path))
            return; // opening would make it
        Database store(m_path);
        std::unique_lock lock(m_mutex);
        while (true) {
            m_changed.wait(lock, [&] { return m_bytes >= kEnough || m_ends; });
            if (m_ends)
                return;
            m_bytes = 0;
            lock.unlock();
            store.execute("PRAGMA wal_checkpoint(PASSIVE)");
            lock.lock();
        }
    } catch (const std::exception&) { // the writer meets it too, and tells
    }
}

} // namespace heteroscape::engine
