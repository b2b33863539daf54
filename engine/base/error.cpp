// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"

#include <utility>

namespace heteroscape::engine {

namespace {

std::string compose(const std::string& where, const std::string& message, const std::string& remedy) {
    std::string text = where.empty() ? message : where + ": " + message;
    if (!remedy.empty())
        text += ". " + remedy;
    return text;
}

} // namespace

Error::Error(ErrorCode code, std::string where, std::string message, std::string remedy)
    : std::runtime_error(compose(where, message, remedy)), m_code(code), m_where(std::move(where)),
      m_message(std::move(message)), m_remedy(std::move(remedy)) {}

void throwInvalid(std::string where, std::string message, std::string remedy) {
    throw Error(ErrorCode::InvalidInput, std::move(where), std::move(message), std::move(remedy));
}

} // namespace heteroscape::engine
