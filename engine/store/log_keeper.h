// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace heteroscape::engine {

/// Takes the log (WAL) of a store home, by a connection and a thread of its own, while another connection
/// writes large amounts: so the writer, who would do it himself every 64 MiB, seldom waits for the disk. What
/// is committed, and when, stays as it is. Where the system gives no thread the writer does it as ever.
class LogKeeper {
public:
    explicit LogKeeper(std::string store) : m_path(std::move(store)) {}
    ~LogKeeper();
    LogKeeper(const LogKeeper&) = delete;
    LogKeeper& operator=(const LogKeeper&) = delete;

    void wrote(std::size_t bytes); ///< so much was committed to the store; from one thread

private:
    std::string m_path;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_bytes = 0; ///< since the log was last taken home
    bool m_ends = false;
    std::thread m_thread; ///< once there is enough to do

    void keep();
};

} // namespace heteroscape::engine
