// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace heteroscape::cli {

/// While it lives, Ctrl+C and SIGTERM ask `source` to stop instead of killing the process. One at a time.
class InterruptStops {
public:
    explicit InterruptStops(std::stop_source source);
    ~InterruptStops();
    InterruptStops(const InterruptStops&) = delete;
    InterruptStops& operator=(const InterruptStops&) = delete;

private:
    std::stop_source m_source;
    std::jthread m_watch;
};

} // namespace heteroscape::cli
