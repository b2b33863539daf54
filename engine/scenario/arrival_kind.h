// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace heteroscape::engine {

struct Serving;

/// A kind of what a design chooses under "serving". Its parameters are quantities of Serving, one for each
/// key: kinds that give a parameter the same key share its quantity, and it is kept while another kind is
/// chosen. Switches (options()) are not read here.
class ServingKind : public Kind {
public:
    struct Words {
        std::string_view id;    ///< "poisson"
        std::string_view label; ///< "Poisson"
        std::string_view gist;  ///< beside the label in a list of choices: "at random"
        std::string_view noun;  ///< after "Simulate" or "Use": "Poisson arrivals"
        std::string_view about; ///< one or two sentences
    };
    explicit ServingKind(const Words& words)
        : Kind(words.id, words.label, words.about), m_gist(words.gist), m_noun(words.noun) {}

    std::string_view gist() const { return m_gist; }
    std::string_view noun() const { return m_noun; }

    /// What holds while a parameter of the kind is not set: "whole prompt".
    virtual std::string_view unsetText(std::string_view) const { return "none"; }

private:
    std::string_view m_gist;
    std::string_view m_noun;
};

/// The same of several kinds: "backlog, poisson or trace".
std::string idsInWords(std::span<const ServingKind* const> kinds);

struct Diagnostic;
struct Workload;

/// A request as the simulation takes it in. Its id is its place in the stream, from 0.
struct Request {
    double arrival = 0.0; ///< s
    std::uint32_t id = 0;
    std::uint32_t prompt = 1;
    std::uint32_t output = 1;
    std::uint32_t known = 0; ///< tokens of the prompt that an earlier request began with, too
};

/// Makes requests one by one, in the order of their arrival.
class RequestSource {
public:
    explicit RequestSource(std::uint64_t size) : m_size(size) {}
    RequestSource(const RequestSource&) = delete;
    RequestSource& operator=(const RequestSource&) = delete;
    virtual ~RequestSource() = default;

    std::uint64_t size() const { return m_size; } ///< requests in all
    /// Gives the next request its arrival, which is 0 s so far, and its lengths where they are not the
    /// workload's. Called at most size() times; times do not go back.
    virtual void next(Request& request) = 0;

private:
    std::uint64_t m_size;
};

/// The shortest and longest requests of a stream, tokens.
struct RequestLengths {
    double shortestPrompt = 1.0;
    double longestPrompt = 1.0;
    double longest = 2.0; ///< prompt and output: what KV caches are laid out for
};

/// Requests that hang on answers: how users send them.
struct UserPlan {
    double users = 0.0; ///< that send each when the one before is answered; 0: requests have times
    double turns = 1.0; ///< requests of a session, one after another, each with all before it in its prompt
    double pause = 0.0; ///< s in which an answer is read before the next turn
    double think = std::numeric_limits<double>::quiet_NaN(); ///< s from there to the queue; NaN: the server's
    bool warmsUp = false;                                    ///< the first session of each is in no mean
    double sharedPrefix = 0.0;                               ///< tokens that all first prompts begin with
};

/// A way in which requests come in.
class ArrivalKind : public ServingKind {
public:
    using ServingKind::ServingKind;

    /// Whether requests are simulated one by one; else the closed form alone answers.
    virtual bool isSimulated() const { return true; }
    /// Whether the requests are those of Serving::trace.
    virtual bool readsTrace() const { return false; }

    /// So many requests, in a phrase: "1,000 requests, Poisson at 2 req/s, seed 1".
    virtual std::string describe(const Serving& serving, const std::string& count) const = 0;
    /// Adds what keeps the requests from being simulated, with the remedy.
    virtual void check(const Serving&, std::vector<Diagnostic>&) const {}

    /// How users send them, where requests hang on answers; such requests are served step by step (see
    /// BatchingKind::stepRule).
    virtual UserPlan users(const Serving&) const { return {}; }

    /// Requests/s in the long run, to compare with what the closed form serves; NaN: there is no such rate.
    virtual double meanRate(const Serving& serving) const;
    /// Key of the parameter that is the mean rate, for which a value can be proposed; empty: none is.
    virtual std::string_view rateKey() const { return {}; }
    /// Key of the parameter that the load grows with, from its least value on: the rate, or the users; empty:
    /// none.
    virtual std::string_view loadKey() const { return rateKey(); }

    /// The same serving and workload give the same requests on every machine. Without one of its own: all
    /// requests at time 0.
    virtual std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload& workload) const;
    /// Of those requests; without one of its own, the workload's.
    virtual RequestLengths lengths(const Serving& serving, const Workload& workload) const;
    /// What the requests depend on beside the parameters, as bytes for the key of a point.
    virtual std::string content(const Serving&) const { return {}; }
};

/// All kinds of arrivals; a design starts with the first.
Registry<ArrivalKind>& arrivalKinds();
/// One by its id; Error (InvalidInput) at "serving.arrivals" when there is none.
const ArrivalKind* arrivalsNamed(std::string_view id);
std::vector<const ArrivalKind*> simulatedArrivals();
/// "backlog, poisson or trace": the ids of those that are simulated.
std::string simulatedArrivalsText();

/// How many requests are simulated: shared by all kinds that make as many as they are told.
inline constexpr KindParameter kRequestsParameter{
    {"requests", "Requests", "", 1, 1, 2e7, true, true,
     "Requests that are simulated; of a trace at most so many."},
    1000.0};

} // namespace heteroscape::engine
