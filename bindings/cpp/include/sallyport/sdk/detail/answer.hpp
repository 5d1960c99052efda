/** The answer to a call: the result of the SDK, and the data while the C library lends it. */
#ifndef SALLYPORT_SDK_DETAIL_ANSWER_HPP
#define SALLYPORT_SDK_DETAIL_ANSWER_HPP

#include <functional>
#include <string>
#include <utility>

#include "sallyport/protocol.hpp"
#include "sallyport/records.hpp"
#include "sallyport/sallyport.h"
#include "sallyport/sdk/object.hpp"

namespace sdk {
namespace detail {

/** `data` is valid until the function that gets the answer returns. */
struct Answer {
  ClientResult result;
  sallyport_json data;
};

/** Calls a callback of the game; runs in RunCallbacks. */
using Task = std::function<void()>;
/** Reads an answer inside the C library and returns the task for it. */
using Decode = std::function<Task(const Answer &)>;

inline ClientResult success() {
  ClientResult result;
  result.SetSuccessful(true);
  result.SetStatus(HttpStatusCode::Ok);
  return result;
}

inline ClientResult failure(ErrorType type, std::string sentence, bool is_retryable = false) {
  ClientResult result;
  result.SetType(type);
  result.SetError(std::move(sentence));
  result.SetRetryable(is_retryable);
  return result;
}

inline ErrorType type_of_code(int code) {
  switch (code) {
    case SALLYPORT_E_ARGUMENT:
    case SALLYPORT_E_JSON:
    case SALLYPORT_E_TOO_LARGE: return ErrorType::ValidationError;
    case SALLYPORT_E_NOT_READY: return ErrorType::ClientNotReady;
    case SALLYPORT_E_CLOSED:
    case static_cast<int>(sallyport::ErrorCode::TransactionAborted): return ErrorType::Aborted;
    case static_cast<int>(sallyport::ErrorCode::Oauth2Error): return ErrorType::AuthorizationFailed;
    default: return code > 0 ? ErrorType::RPCError : ErrorType::NetworkError;
  }
}

inline ClientResult result_of(const sallyport_error *error, sallyport_json data) {
  if (error == nullptr) return success();
  ClientResult result = failure(type_of_code(error->code), error->message, error->is_retryable != 0);
  result.SetErrorCode(error->code > 0 ? error->code : 0);
  result.SetRetryAfter(static_cast<float>(error->retry_after_ms) / 1000.0f);
  if (data.length > 0) result.SetResponseBody(std::string(data.text, data.length));
  sallyport::records::ErrorData details;
  if (!sallyport::records::read(data, details) || !details.http_status) return result;
  result.SetStatus(static_cast<HttpStatusCode>(static_cast<std::int32_t>(*details.http_status)));
  if (result.Type() == ErrorType::RPCError) result.SetType(ErrorType::HTTPError);
  if (details.platform_code) result.SetErrorCode(static_cast<std::int32_t>(*details.platform_code));
  return result;
}

} // namespace detail
} // namespace sdk

#endif
