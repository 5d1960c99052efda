/** Client: life, application, connection, status and logs. */
#include <cstdlib>

#include "core.hpp"
#include "sallyport/sallyport.h"

namespace sallyport::sdk {

using detail::Reply;
using detail::Task;
using detail::end;
using detail::failure;
using detail::set;
using detail::task;
using Json = JsonWriter;

void Client::SetApplicationId(std::uint64_t applicationId) {
  if (core_ != nullptr) core_->use_application(applicationId);
}

std::uint64_t Client::GetApplicationId() const { return core_ == nullptr ? 0 : core_->application; }

void Client::Connect() {
  if (core_ != nullptr) core_->connect();
}

void Client::Disconnect() {
  if (core_ != nullptr) core_->disconnect();
}

Client::Status Client::GetStatus() const { return core_ == nullptr ? Status::Disconnected : core_->status(); }

void Client::SetStatusChangedCallback(std::function<void(Status, Error, std::int32_t)> callback) {
  set(core_.get(), &detail::Callbacks::status, std::move(callback), {});
}

std::string Client::StatusToString(Status status) {
  switch (status) {
    case Status::Disconnected: return "Disconnected";
    case Status::Connecting: return "Connecting";
    case Status::Connected: return "Connected";
    case Status::Ready: return "Ready";
    case Status::Reconnecting: return "Reconnecting";
    case Status::Disconnecting: return "Disconnecting";
    case Status::HttpWait: return "HttpWait";
  }
  return "unknown";
}

std::string Client::ErrorToString(Error error) {
  switch (error) {
    case Error::None: return "None";
    case Error::ConnectionFailed: return "ConnectionFailed";
    case Error::UnexpectedClose: return "UnexpectedClose";
    case Error::ConnectionCanceled: return "ConnectionCanceled";
  }
  return "unknown";
}

void Client::AddLogCallback(std::function<void(std::string, LoggingSeverity)> callback, LoggingSeverity minSeverity) {
  if (core_ != nullptr && callback) core_->logs.push_back({std::move(callback), minSeverity});
}

void Client::SetHttpRequestTimeout(std::int32_t milliseconds) {
  if (core_ == nullptr) return;
  const std::int64_t timeout = milliseconds;
  if (timeout < 1 || timeout > limits::max_deadline_ms)
    return core_->log(LoggingSeverity::Error,
                      "SetHttpRequestTimeout takes 1 to 300000 milliseconds; the timeout stays as it is");
  core_->timeout_ms = timeout;
  if (core_->application != 0) core_->send_timeout();
}

void Client::SetGameWindowPid(std::int32_t processId) {
  if (core_ != nullptr) core_->window_process = processId;
}

Client::Client() : Client(ClientCreateOptions{}) {}
Client::Client(ClientCreateOptions options) : core_(std::make_shared<detail::Core>(std::move(options))) {
  detail::register_core(core_);
}

/** What the callbacks hold may use this client while it is freed. */
static void drop(std::shared_ptr<detail::Core> core) noexcept {
  if (core != nullptr) core->drop();
}

Client &Client::operator=(Client &&other) noexcept {
  if (this != &other) {
    drop(std::move(core_));
    core_ = std::move(other.core_);
  }
  return *this;
}

Client::~Client() { drop(std::move(core_)); }

const Client Client::nullobj{detail::Uninitialized{}};

void Client::RunCallbacks() {
  if (const auto core = core_) core->run();
}

sallyport::Client *Client::Base() { return core_ == nullptr ? nullptr : core_->base(); }

std::string Client::ThreadToString(Thread thread) {
  switch (thread) {
    case Thread::Client: return "Client";
    case Thread::Voice: return "Voice";
    case Thread::Network: return "Network";
  }
  return "unknown";
}

bool Client::SetLogDir(std::string, LoggingSeverity) {
  if (core_ != nullptr) core_->log(LoggingSeverity::Error, "SetLogDir: the library writes no files; use AddLogCallback");
  return false;
}

/** A part of SALLYPORT_VERSION, which is MAJOR.MINOR.PATCH. */
static std::int32_t version_part(int part) {
  const char *text = SALLYPORT_VERSION;
  for (; part > 0; ++text)
    if (*text == '.') --part;
  return static_cast<std::int32_t>(std::strtol(text, nullptr, 10));
}

std::int32_t Client::GetVersionMajor() { return version_part(0); }
std::int32_t Client::GetVersionMinor() { return version_part(1); }
std::int32_t Client::GetVersionPatch() { return version_part(2); }
std::string Client::GetVersionHash() { return {}; }

void Client::IsDiscordAppInstalled(std::function<void(bool)> callback) {
  if (core_ == nullptr) {
    if (callback) callback(false);
    return;
  }
  core_->when_connected([core = core_.get(), callback](const Reply &reply) -> Task {
    if (!callback) return nullptr;
    return [callback, is_there = reply.result.Successful() && core->announced_user != nullptr] { callback(is_there); };
  });
}

void Client::OpenConnectedGamesSettingsInDiscord(ResultCallback callback) {
  end(core_.get(), callback, failure(ErrorType::Disabled, "no command of the platform's client opens these settings"));
}

} // namespace sallyport::sdk
