/** Client: presence, invites and launch commands. */
#ifndef SALLYPORT_SDK_CLIENT_PRESENCE_HPP
#define SALLYPORT_SDK_CLIENT_PRESENCE_HPP

#include "sallyport/sdk/client.hpp"

namespace sdk {

inline void Client::UpdateRichPresence(Activity activity, ResultCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{});
  if (!activity)
    return end(callback,
               detail::failure(ErrorType::ValidationError, "the activity is uninitialized; ClearRichPresence ends a presence"));
  core_->set_presence(detail::json_of(activity), [callback](const Answer &answer) { return task(callback, answer.result); });
}

inline void Client::ClearRichPresence() {
  if (core_ == nullptr) return;
  /* No text clears it. */
  core_->set_presence(std::string{}, nullptr);
}

inline void Client::SendActivityInvite(std::uint64_t userId, std::string content, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{userId});
    json.field("type", std::int64_t{1});
    if (!content.empty()) json.field("content", content);
    json.field("pid", static_cast<std::int64_t>(sallyport_process_id()));
  };
  call(sallyport::commands::activity_invite_user, fill, callback);
}

inline void Client::SendActivityJoinRequest(std::uint64_t userId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{userId});
    json.object("activity",
                [](Json &part) { part.field("type", static_cast<std::int64_t>(ActivityActionTypes::JoinRequest)); });
  };
  call(sallyport::commands::send_activity_message, fill, callback);
}

inline void Client::SendActivityJoinRequestReply(ActivityInvite invite, ResultCallback callback) {
  if (core_ != nullptr && (!invite || invite.Type() != ActivityActionTypes::JoinRequest))
    return end(callback, detail::failure(ErrorType::ValidationError, "the invite is not a join request"));
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{invite.SenderId()});
    json.field("pid", static_cast<std::int64_t>(sallyport_process_id()));
  };
  call(sallyport::commands::send_activity_join_invite, fill, callback);
}

inline void Client::AcceptActivityInvite(ActivityInvite invite, SecretCallback callback) {
  const std::string none;
  if (core_ == nullptr) return end(callback, ClientResult{}, none);
  if (!invite || invite.Type() != ActivityActionTypes::Join)
    return end(callback, detail::failure(ErrorType::ValidationError, "the invite is not one to join"), none);
  const auto fill = [&](Json &json) {
    json.field("type", static_cast<std::int64_t>(invite.Type()));
    json.field("user_id", detail::Id{invite.SenderId()});
    json.field("session_id", invite.SessionId());
    json.field("channel_id", detail::Id{invite.ChannelId()});
    json.field("message_id", detail::Id{invite.MessageId()});
    if (invite.ApplicationId() != 0) json.field("application_id", detail::Id{invite.ApplicationId()});
  };
  subscribe({sallyport::events::activity_join});
  const std::uint64_t application = invite.ApplicationId() != 0 ? invite.ApplicationId() : core_->application;
  /* The secret comes in ACTIVITY_JOIN, before the answer or after it. */
  const std::uint64_t number = callback ? core_->begin_join(application, callback) : 0;
  core_->call(sallyport::commands::accept_activity_invite, fill,
              [core = core_.get(), number](const Answer &answer) -> Task { return core->answer_join(number, answer.result); });
}

inline void Client::SetActivityInviteCreatedCallback(std::function<void(ActivityInvite)> callback) {
  using namespace sallyport::events;
  set(&detail::Callbacks::invite_created, std::move(callback), {activity_invite, activity_join_request});
}

inline void Client::SetActivityJoinCallback(std::function<void(std::string)> callback) {
  set(&detail::Callbacks::join, std::move(callback), {sallyport::events::activity_join});
}

inline void Client::SetActivityJoinWithApplicationCallback(std::function<void(std::uint64_t, std::string)> callback) {
  set(&detail::Callbacks::join_with_application, std::move(callback), {sallyport::events::activity_join});
}

inline bool Client::RegisterLaunchCommand(std::uint64_t applicationId, std::string command) {
  return register_launch(sallyport::commands::register_launch_command, applicationId,
                         [&](Json &json) { json.field("command", command); });
}

inline bool Client::RegisterLaunchSteamApplication(std::uint64_t applicationId, std::uint32_t steamAppId) {
  const auto fill = [&](Json &json) { json.field("steam_app_id", static_cast<std::int64_t>(steamAppId)); };
  return register_launch(sallyport::commands::register_launch_steam_application, applicationId, fill);
}

/** The launch command of another application cannot be set on this connection. */
template <class Fill> bool Client::register_launch(const char *command, std::uint64_t application, Fill fill) {
  if (core_ == nullptr) return false;
  if (core_->application == 0) core_->use_application(application);
  if (application == 0 || application != core_->application) {
    core_->log(LoggingSeverity::Error, "a launch command can be registered for the application of the client only");
    return false;
  }
  core_->call(command, fill, [core = core_.get()](const Answer &answer) -> Task {
    if (!answer.result.Successful())
      core->log(LoggingSeverity::Error, "the launch command was not registered: " + answer.result.ToString());
    return nullptr;
  });
  return true;
}

} // namespace sdk

#endif
