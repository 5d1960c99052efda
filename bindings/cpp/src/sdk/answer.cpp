/** Results of the SDK. */
#include "answer.hpp"

#include "sallyport/protocol.hpp"
#include "sallyport/records.hpp"
#include "sallyport/sallyport.h"

namespace sallyport::sdk::detail {

namespace {

ErrorType type_of(int code) {
  switch (code) {
    case SALLYPORT_E_ARGUMENT:
    case SALLYPORT_E_JSON:
    case SALLYPORT_E_TOO_LARGE: return ErrorType::ValidationError;
    /* The sentence names the option. */
    case SALLYPORT_E_LIMIT: return ErrorType::ClientNotReady;
    case SALLYPORT_E_CLOSED:
    case SALLYPORT_E_REPLACED:
    case static_cast<int>(ErrorCode::TransactionAborted): return ErrorType::Aborted;
    case static_cast<int>(ErrorCode::Oauth2Error): return ErrorType::AuthorizationFailed;
    default: return code > 0 ? ErrorType::RPCError : ErrorType::NetworkError;
  }
}

/** The body as the platform's API writes it. */
std::string body_of(const records::ErrorData &details, const std::string &message) {
  const auto body = json_object([&](JsonWriter &json) {
    json.field("message", message);
    json.field("code", details.platform_code.value_or(0));
    if (details.errors) json.field("errors", details.errors->json());
  });
  return body.value_or("");
}

} // namespace

ClientResult success() {
  ClientResult result;
  result.SetSuccessful(true);
  result.SetStatus(HttpStatusCode::Ok);
  return result;
}

ClientResult failure(ErrorType type, std::string sentence, bool is_retryable) {
  ClientResult result;
  result.SetType(type);
  result.SetError(std::move(sentence));
  result.SetRetryable(is_retryable);
  return result;
}

ClientResult result_of(const Answer &answer) {
  if (answer) return success();
  const Error &error = answer.error;
  ClientResult result = failure(type_of(error.code), error.message, error.is_retryable);
  result.SetErrorCode(error.code > 0 ? error.code : 0);
  result.SetRetryAfter(static_cast<float>(error.retry_after_ms) / 1000.0f);
  records::ErrorData details;
  if (!answer.data.read(details) || !details.http_status) return result;
  result.SetStatus(static_cast<HttpStatusCode>(static_cast<std::int32_t>(*details.http_status)));
  if (result.Type() == ErrorType::RPCError) result.SetType(ErrorType::HTTPError);
  if (details.platform_code) result.SetErrorCode(static_cast<std::int32_t>(*details.platform_code));
  result.SetResponseBody(body_of(details, error.message));
  return result;
}

} // namespace sallyport::sdk::detail
