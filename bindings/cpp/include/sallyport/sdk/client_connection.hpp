/** Client: application, connection, status, logs and calls that a bridge cannot serve. */
#ifndef SALLYPORT_SDK_CLIENT_CONNECTION_HPP
#define SALLYPORT_SDK_CLIENT_CONNECTION_HPP

#include "sallyport/sdk/client.hpp"

namespace sdk {

inline void Client::SetApplicationId(std::uint64_t applicationId) {
  if (core_ != nullptr) core_->use_application(applicationId);
}

inline std::uint64_t Client::GetApplicationId() const { return core_ == nullptr ? 0 : core_->application; }

inline void Client::Connect() {
  if (core_ != nullptr) core_->connect();
}

inline void Client::Disconnect() {
  if (core_ != nullptr) core_->disconnect();
}

inline Client::Status Client::GetStatus() const { return core_ == nullptr ? Status::Disconnected : core_->status(); }

inline void Client::SetStatusChangedCallback(std::function<void(Status, Error, std::int32_t)> callback) {
  set(&detail::Callbacks::status, std::move(callback), {});
}

inline std::string Client::StatusToString(Status status) {
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

inline std::string Client::ErrorToString(Error error) {
  switch (error) {
    case Error::None: return "None";
    case Error::ConnectionFailed: return "ConnectionFailed";
    case Error::UnexpectedClose: return "UnexpectedClose";
    case Error::ConnectionCanceled: return "ConnectionCanceled";
  }
  return "unknown";
}

inline void Client::AddLogCallback(std::function<void(std::string, LoggingSeverity)> callback, LoggingSeverity minSeverity) {
  if (core_ != nullptr && callback) core_->logs.push_back({std::move(callback), minSeverity});
}

inline void Client::SetHttpRequestTimeout(std::int32_t milliseconds) {
  if (core_ == nullptr) return;
  const std::int64_t timeout = milliseconds;
  if (timeout < 1 || timeout > sallyport::limits::max_deadline_ms)
    return core_->log(LoggingSeverity::Error,
                      "SetHttpRequestTimeout takes 1 to 300000 milliseconds; the timeout stays as it is");
  core_->timeout_ms = timeout;
  if (core_->application != 0) core_->send_timeout();
}

inline void Client::SetGameWindowPid(std::int32_t processId) {
  if (core_ != nullptr) core_->window_process = processId;
}

inline void Client::subscribe(std::initializer_list<const char *> events) {
  for (const char *event : events) core_->connection.subscribe(event);
}

/** Registers a callback and subscribes its events. An empty callback keeps the subscriptions, which others may use. */
template <class Callback>
void Client::set(Callback detail::Callbacks::*member, Callback callback, std::initializer_list<const char *> events) {
  if (core_ == nullptr) return;
  if (callback) subscribe(events);
  core_->callbacks.*member = std::move(callback);
}

inline Call Client::no_audio(const char *function) const {
  if (core_ != nullptr) core_->log(LoggingSeverity::Error, std::string(function) + ": a bridge carries no audio");
  return Call::nullobj;
}

inline Call Client::StartCall(std::uint64_t) { return no_audio("StartCall"); }

inline Call Client::StartCallWithAudioCallbacks(std::uint64_t, AudioReceivedCallback, AudioCapturedCallback) {
  return no_audio("StartCallWithAudioCallbacks");
}

inline void Client::SetInputDevice(std::string, ResultCallback callback) {
  (void)no_audio("SetInputDevice");
  end(callback, detail::failure(ErrorType::Disabled, "a bridge carries no audio; the game chooses its devices itself"));
}

inline void Client::SetOutputDevice(std::string, ResultCallback callback) {
  (void)no_audio("SetOutputDevice");
  end(callback, detail::failure(ErrorType::Disabled, "a bridge carries no audio; the game chooses its devices itself"));
}

inline void Client::SetEngineManagedAudioSession(bool) { (void)no_audio("SetEngineManagedAudioSession"); }
inline void Client::SetAecDump(bool) { (void)no_audio("SetAecDump"); }
inline void Client::SetVoiceLogDir(std::string, LoggingSeverity) { (void)no_audio("SetVoiceLogDir"); }

} // namespace sdk

#endif
