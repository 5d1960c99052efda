/** What all objects of the SDK have in common, and the result of a call. */
#ifndef SALLYPORT_SDK_OBJECT_HPP
#define SALLYPORT_SDK_OBJECT_HPP

#include <cstdint>
#include <string>
#include <utility>

#include "sallyport/sdk/enums.hpp"

namespace sallyport::sdk {
namespace detail {

/** Selects the constructor of an uninitialized object. */
struct Uninitialized {};

/**
 * An object can be copied and moved. It converts to true, unless it is uninitialized: made by `nullobj`, or moved from.
 * Getters of an uninitialized object return empty values. A setter does not initialize it; an assignment does.
 */
class Object {
public:
  explicit operator bool() const noexcept { return is_initialized_; }

protected:
  Object() = default;
  explicit Object(Uninitialized) noexcept : is_initialized_(false) {}
  Object(const Object &) = default;
  Object &operator=(const Object &) = default;
  Object(Object &&other) noexcept : is_initialized_(std::exchange(other.is_initialized_, false)) {}
  Object &operator=(Object &&other) noexcept {
    if (this != &other) is_initialized_ = std::exchange(other.is_initialized_, false);
    return *this;
  }
  ~Object() = default;

private:
  bool is_initialized_ = true;
};

} // namespace detail

/** How a call ended. */
class ClientResult : public detail::Object {
public:
  ClientResult() = default;
  explicit ClientResult(detail::Uninitialized none) : Object(none) {}
  static const ClientResult nullobj;

  ErrorType Type() const { return type_; }
  void SetType(ErrorType value) { type_ = value; }
  /** A sentence for the developer; empty on success. */
  std::string Error() const { return error_; }
  void SetError(std::string value) { error_ = std::move(value); }
  /** The code of the platform for HTTPError, that of the bridge for RPCError and AuthorizationFailed, else 0. */
  std::int32_t ErrorCode() const { return error_code_; }
  void SetErrorCode(std::int32_t value) { error_code_ = value; }
  HttpStatusCode Status() const { return status_; }
  void SetStatus(HttpStatusCode value) { status_ = value; }
  /** The body of the platform for HTTPError, as JSON: its code and its message; else empty. */
  std::string ResponseBody() const { return response_body_; }
  void SetResponseBody(std::string value) { response_body_ = std::move(value); }
  bool Successful() const { return successful_; }
  void SetSuccessful(bool value) { successful_ = value; }
  /** Whether the same call may succeed later. */
  bool Retryable() const { return retryable_; }
  void SetRetryable(bool value) { retryable_ = value; }
  /** Seconds to wait, if the platform named a time; else 0. */
  float RetryAfter() const { return retry_after_; }
  void SetRetryAfter(float value) { retry_after_ = value; }

  /** The error in one line, e.g. for a log. */
  std::string ToString() const;

private:
  ErrorType type_ = ErrorType::None;
  std::string error_;
  std::int32_t error_code_ = 0;
  HttpStatusCode status_ = HttpStatusCode::None;
  std::string response_body_;
  bool successful_ = false;
  bool retryable_ = false;
  float retry_after_ = 0;
};

} // namespace sallyport::sdk

#endif
