/** Client: presence, invites and launch commands. */
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

void Client::UpdateRichPresence(Activity activity, ResultCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{});
  if (!activity)
    return end(core_.get(), callback,
               failure(ErrorType::ValidationError, "the activity is uninitialized; ClearRichPresence ends a presence"));
  core_->set_presence(detail::json_of(activity), [callback](const Reply &reply) { return task(callback, reply.result); });
}

void Client::ClearRichPresence() {
  if (core_ == nullptr) return;
  /* No text clears it. */
  core_->set_presence(std::string{}, nullptr);
}

void Client::SendActivityInvite(std::uint64_t userId, std::string content, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{userId});
    json.field("type", std::int64_t{1});
    if (!content.empty()) json.field("content", content);
    json.field("pid", static_cast<std::int64_t>(sallyport_process_id()));
  };
  detail::call(core_.get(), commands::activity_invite_user, fill, callback);
}

void Client::SendActivityJoinRequest(std::uint64_t userId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{userId});
    json.object("activity",
                [](Json &part) { part.field("type", static_cast<std::int64_t>(ActivityActionTypes::JoinRequest)); });
  };
  detail::call(core_.get(), commands::send_activity_message, fill, callback);
}

void Client::SendActivityJoinRequestReply(ActivityInvite invite, ResultCallback callback) {
  if (core_ != nullptr && (!invite || invite.Type() != ActivityActionTypes::JoinRequest))
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "the invite is not a join request"));
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{invite.SenderId()});
    json.field("pid", static_cast<std::int64_t>(sallyport_process_id()));
  };
  detail::call(core_.get(), commands::send_activity_join_invite, fill, callback);
}

void Client::AcceptActivityInvite(ActivityInvite invite, SecretCallback callback) {
  const std::string none;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, none);
  if (!invite || invite.Type() != ActivityActionTypes::Join)
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "the invite is not one to join"), none);
  const auto fill = [&](Json &json) {
    json.field("type", static_cast<std::int64_t>(invite.Type()));
    json.field("user_id", Id{invite.SenderId()});
    json.field("session_id", invite.SessionId());
    json.field("channel_id", Id{invite.ChannelId()});
    json.field("message_id", Id{invite.MessageId()});
    if (invite.ApplicationId() != 0) json.field("application_id", Id{invite.ApplicationId()});
  };
  core_->subscribe(events::activity_join);
  const std::uint64_t application = invite.ApplicationId() != 0 ? invite.ApplicationId() : core_->application;
  /* The secret comes in ACTIVITY_JOIN, before the answer or after it. */
  const std::uint64_t number = callback ? core_->begin_join(application, callback) : 0;
  core_->call(commands::accept_activity_invite, fill,
              [core = core_.get(), number](const Reply &reply) -> Task { return core->answer_join(number, reply.result); });
}

void Client::SetActivityInviteCreatedCallback(std::function<void(ActivityInvite)> callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::invite_created, std::move(callback), {activity_invite, activity_join_request});
}

void Client::SetActivityJoinCallback(std::function<void(std::string)> callback) {
  set(core_.get(), &detail::Callbacks::join, std::move(callback), {events::activity_join});
}

void Client::SetActivityJoinWithApplicationCallback(std::function<void(std::uint64_t, std::string)> callback) {
  set(core_.get(), &detail::Callbacks::join_with_application, std::move(callback), {events::activity_join});
}

/** The launch command of another application cannot be set on this connection. */
template <class Fill> static bool register_launch(detail::Core *core, const char *command, std::uint64_t application, Fill fill) {
  if (core == nullptr) return false;
  if (core->application == 0) core->use_application(application);
  if (application == 0 || application != core->application) {
    core->log(LoggingSeverity::Error, "a launch command can be registered for the application of the client only");
    return false;
  }
  core->call(command, fill, [core](const Reply &reply) -> Task {
    if (!reply.result.Successful())
      core->log(LoggingSeverity::Error, "the launch command was not registered: " + reply.result.ToString());
    return nullptr;
  });
  return true;
}

bool Client::RegisterLaunchCommand(std::uint64_t applicationId, std::string command) {
  return register_launch(core_.get(), commands::register_launch_command, applicationId,
                         [&](Json &json) { json.field("command", command); });
}

bool Client::RegisterLaunchSteamApplication(std::uint64_t applicationId, std::uint32_t steamAppId) {
  const auto fill = [&](Json &json) { json.field("steam_app_id", static_cast<std::int64_t>(steamAppId)); };
  return register_launch(core_.get(), commands::register_launch_steam_application, applicationId, fill);
}

void Client::SetActivityInviteUpdatedCallback(std::function<void(ActivityInvite)> callback) {
  set(core_.get(), &detail::Callbacks::invite_updated, std::move(callback), {});
}

void Client::SetOnlineStatus(StatusType status, ResultCallback callback) {
  const char *const text = detail::text_of(status);
  if (core_ != nullptr && text == nullptr)
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "a user can be Online, Idle, Dnd, Offline or Invisible"));
  detail::call(core_.get(), commands::set_online_status, [&](Json &json) { json.field("status", text); }, callback);
}

} // namespace sallyport::sdk
