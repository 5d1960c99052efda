/** What the C library says, copied into values of C++, and the options of a client for it. */
#ifndef SALLYPORT_COPIES_HPP
#define SALLYPORT_COPIES_HPP

#include <string>
#include <utility>

#include "sallyport/client.hpp"
#include "sallyport/sallyport.h"

namespace sallyport {

inline Error error_of(const sallyport_error *from) {
  Error error;
  if (from == nullptr) return error;
  error.code = from->code;
  error.name = from->name;
  error.message = from->message;
  error.is_retryable = from->is_retryable != 0;
  error.retry_after_ms = from->retry_after_ms;
  error.close_code = from->close_code;
  return error;
}

inline Error own_error(int code, std::string sentence, bool is_retryable = false) {
  Error error;
  error.code = code;
  error.name = sallyport_error_name(code);
  error.message = std::move(sentence);
  error.is_retryable = is_retryable;
  return error;
}

inline Data data_of(sallyport_json json) { return Data(json.length == 0 ? std::string{} : std::string(json.text, json.length)); }

inline StateChange change_of(const sallyport_state &from) {
  StateChange change;
  change.state = static_cast<State>(from.name);
  change.error = error_of(from.error);
  change.was_lost = from.was_lost != 0;
  change.delay_ms = from.delay_ms;
  change.outage_ms = from.outage_ms;
  change.sign_in = static_cast<Outcome>(from.sign_in);
  change.presence = static_cast<Outcome>(from.presence);
  change.active_subscriptions = from.active_subscriptions;
  change.refused_subscriptions = from.refused_subscriptions;
  return change;
}

/** The options for the C library, with the texts that they point to. */
class OwnOptions {
public:
  explicit OwnOptions(const Options &from) : id_(std::to_string(from.application_id)), from_(from) {
    sallyport_options_init(&own, sizeof own);
    own.application_id = id_.c_str();
    own.runtime_dir = from_.runtime_directory.empty() ? nullptr : from_.runtime_directory.c_str();
    own.sdk_version = from_.game_version.empty() ? "sallyport-cpp/" SALLYPORT_VERSION : from_.game_version.c_str();
    own.slot = from_.slot;
    own.require_bridge = from_.requires_bridge ? 1 : 0;
    own.allow_packaged_client = from_.allows_packaged_client ? 1 : 0;
    own.call_timeout_ms = from_.call_timeout_ms;
    own.max_pending_calls = from_.max_pending_calls;
    own.max_subscriptions = from_.max_subscriptions;
  }
  OwnOptions(const OwnOptions &) = delete;
  OwnOptions &operator=(const OwnOptions &) = delete;

  sallyport_options own;

private:
  std::string id_;
  Options from_;
};

} // namespace sallyport

#endif
