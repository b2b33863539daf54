// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace heteroscape::engine {

enum class ErrorCode {
    InvalidInput, ///< a file, argument or value is wrong; the user can mend it
    NotFound,     ///< a name that nothing answers to
    Io,           ///< the operating system or SQLite refused
    Cancelled,    ///< the user stopped the work
};

/// The one exception of the engine, thrown at its I/O boundaries.
/// what() reads "<where>: <message>. <remedy>.": the place (file, key, node), what is wrong, what to do.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, std::string where, std::string message, std::string remedy = {})
        : std::runtime_error((where.empty() ? message : where + ": " + message) +
                             (remedy.empty() ? "" : ". " + remedy)),
          m_code(code), m_where(std::move(where)), m_message(std::move(message)),
          m_remedy(std::move(remedy)) {}

    ErrorCode code() const { return m_code; }
    const std::string& where() const { return m_where; }
    const std::string& message() const { return m_message; }
    const std::string& remedy() const { return m_remedy; }

private:
    ErrorCode m_code;
    std::string m_where;
    std::string m_message;
    std::string m_remedy;
};

/// Shorthand for the commonest error.
[[noreturn]] inline void throwInvalid(std::string where, std::string message, std::string remedy = {}) {
    throw Error(ErrorCode::InvalidInput, std::move(where), std::move(message), std::move(remedy));
}

} // namespace heteroscape::engine
