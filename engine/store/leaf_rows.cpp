// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/recover_store.h"

#include "engine/base/file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace heteroscape::engine {

namespace {

constexpr unsigned kTableLeaf = 13; // the first byte of such a page
constexpr std::size_t kLeafHeader = 8;

/// `count` bytes, the highest first.
std::uint64_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// Takes numbers off the front of bytes; nothing where they end before.
class CellBytes {
public:
    explicit CellBytes(std::string_view bytes) : m_rest(bytes) {}
    std::string_view rest() const { return m_rest; }

    /// A "varint" of one to nine bytes.
    std::optional<std::uint64_t> number() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 9 && i < m_rest.size(); ++i) {
            const auto byte = static_cast<unsigned char>(m_rest[i]);
            value = i == 8 ? value << 8 | byte : value << 7 | (byte & 0x7f);
            if (byte < 0x80 || i == 8) {
                m_rest.remove_prefix(i + 1);
                return value;
            }
        }
        return std::nullopt;
    }
    std::optional<std::string_view> take(std::uint64_t count) {
        if (count > m_rest.size())
            return std::nullopt;
        const auto taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }

private:
    std::string_view m_rest;
};

/// The value of a serial type.
std::optional<StoredRow::Value> valueOf(std::uint64_t type, CellBytes& body) {
    constexpr std::array<std::size_t, 8> lengths{0, 1, 2, 3, 4, 6, 8, 8};
    if (type == 8 || type == 9)
        return static_cast<std::int64_t>(type - 8);
    if (type == 10 || type == 11)
        return std::nullopt; // of SQLite itself, in no file
    const auto bytes = body.take(type < 8 ? lengths[type] : (type - 12) / 2);
    if (!bytes)
        return std::nullopt;
    if (type == 0)
        return std::monostate{};
    if (type >= 12)
        return type % 2 == 0 ? StoredRow::Value(StoredBlob{std::string(*bytes)}) : std::string(*bytes);
    const auto bits = bigEndian(*bytes, 0, bytes->size());
    if (type == 7)
        return std::bit_cast<double>(bits);
    const auto unused = 64 - 8 * bytes->size(); // the sign is the highest bit that is there
    return std::bit_cast<std::int64_t>(bits << unused) >> unused;
}

/// The values of a record. False: its bytes are none.
bool readRecord(std::string_view bytes, std::vector<StoredRow::Value>& values) {
    constexpr std::size_t mostValues = 100; // of a row of ours
    values.clear();
    CellBytes body(bytes);
    const auto length = body.number(); // with its own bytes
    if (!length || *length > bytes.size() || *length < bytes.size() - body.rest().size())
        return false;
    CellBytes types(*body.take(*length - (bytes.size() - body.rest().size())));
    while (!types.rest().empty()) {
        const auto type = types.number();
        auto value = type ? valueOf(*type, body) : std::nullopt;
        if (!value || values.size() == mostValues)
            return false;
        values.push_back(std::move(*value));
    }
    return body.rest().empty();
}

class LeafReader {
public:
    explicit LeafReader(const std::string& path) : m_file(path) {
        constexpr std::size_t header = 100;
        std::string bytes(header, '\0');
        if (m_file.size() < header)
            return;
        m_file.read(bytes.data(), header);
        const auto size = bigEndian(bytes, 16, 2);
        m_size = size == 1 ? 65536 : static_cast<std::size_t>(size);
        if (!std::has_single_bit(m_size) || m_size < 512)
            m_size = 0;
        else
            m_usable = m_size - static_cast<unsigned char>(bytes[20]);
    }

    void read(const std::function<void(const StoredRow&)>& take) {
        const auto pages = m_size == 0 ? 0 : m_file.size() / m_size;
        m_chainBytes = 4 * m_file.size(); // rows of dropped tables may claim pages that are others' now
        std::string page;
        StoredRow row;
        for (row.page = 2; row.page <= pages; ++row.page) { // the first is the list of tables
            load(row.page, page);
            if (static_cast<unsigned char>(page[0]) != kTableLeaf)
                continue;
            const auto cells = bigEndian(page, 3, 2);
            m_cellBytes = 2 * m_size; // twice, as a page that is damaged may name a cell again
            for (std::size_t i = 0; i < cells && kLeafHeader + 2 * i + 2 <= m_usable; ++i)
                if (readCell(page, bigEndian(page, kLeafHeader + 2 * i, 2), row))
                    take(row);
        }
    }

private:
    InputFile m_file;
    std::size_t m_size = 0; ///< bytes of a page; 0: unknown
    std::size_t m_usable = 0;
    std::size_t m_cellBytes = 0;    ///< that cells of this page may still have
    std::uint64_t m_chainBytes = 0; ///< that chains of pages may still have
    std::string m_payload;
    std::string m_further; ///< a page

    void load(std::uint64_t number, std::string& page) {
        page.resize(m_size);
        m_file.seekg(static_cast<std::streampos>((number - 1) * m_size));
        m_file.read(page.data(), static_cast<std::streamsize>(m_size));
    }

    bool readCell(std::string_view page, std::size_t at, StoredRow& row) {
        if (at >= m_usable)
            return false;
        CellBytes cell(page.substr(0, m_usable).substr(at));
        const auto size = cell.number();
        const auto id = cell.number();
        if (!size || !id || *size > m_file.size() || m_usable < 480)
            return false;
        row.id = std::bit_cast<std::int64_t>(*id);
        // What does not fit into the page lies in a chain of others.
        const auto most = m_usable - 35;
        const auto least = (m_usable - 12) * 32 / 255 - 23;
        const auto fill = least + (*size - least) % (m_usable - 4);
        const auto here = cell.take(*size <= most ? *size : fill <= most ? fill : least);
        if (!here || here->size() > m_cellBytes)
            return false;
        m_cellBytes -= here->size();
        if (here->size() == *size)
            return readRecord(*here, row.values);
        m_payload = *here;
        const auto next = cell.take(4);
        return next && follow(bigEndian(*next, 0, 4), *size) && readRecord(m_payload, row.values);
    }

    /// Adds the pages of a chain to m_payload until it has its size.
    bool follow(std::uint64_t next, std::uint64_t size) {
        while (m_payload.size() < size) { // at least a byte a turn, so it ends
            if (next < 2 || next > m_file.size() / m_size || m_chainBytes < m_size)
                return false;
            m_chainBytes -= m_size;
            load(next, m_further);
            m_payload.append(m_further, 4, std::min<std::uint64_t>(m_usable - 4, size - m_payload.size()));
            next = bigEndian(m_further, 0, 4);
        }
        return true;
    }
};

} // namespace

std::string StoredRow::types() const {
    std::string letters;
    for (const auto& value : values)
        letters += "nirtb"[value.index()];
    return letters;
}

void forEachLeafRow(const std::string& path, const std::function<void(const StoredRow&)>& take) {
    LeafReader(path).read(take);
}

} // namespace heteroscape::engine
