// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <utility>

namespace heteroscape::cli {

namespace {

/// Set by a signal, read by another thread.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

} // namespace

InterruptStops::InterruptStops(std::stop_source source) : m_source(std::move(source)) {
    interrupted = false;
    std::signal(SIGINT, [](int) { interrupted = true; });
    std::signal(SIGTERM, [](int) { interrupted = true; });
    m_watch = std::jthread([this](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (interrupted)
                m_source.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
}

InterruptStops::~InterruptStops() {
    m_watch.request_stop();
    m_watch.join();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

} // namespace heteroscape::cli
