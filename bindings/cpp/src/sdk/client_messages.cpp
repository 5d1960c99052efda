/** Client: lobbies and messages. */
#include <algorithm>

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

void Client::CreateOrJoinLobby(std::string secret, LobbyCallback callback) {
  CreateOrJoinLobbyWithMetadata(std::move(secret), {}, {}, std::move(callback));
}

void Client::CreateOrJoinLobbyWithMetadata(std::string secret, Metadata lobbyMetadata, Metadata memberMetadata,
                                                  LobbyCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, std::uint64_t{0});
  const auto fill = [&](Json &json) {
    json.field("secret", secret);
    if (!lobbyMetadata.empty()) json.field("lobby_metadata", lobbyMetadata);
    if (!memberMetadata.empty()) json.field("member_metadata", memberMetadata);
  };
  using namespace sallyport::events;
  /* They keep the lobby that GetLobbyHandle returns as it is on the platform. */
  for (const char *event : {lobby_update, lobby_delete, lobby_member_add, lobby_member_update, lobby_member_remove})
    core_->subscribe(event);
  core_->call(commands::create_or_join_lobby, fill, [core = core_.get(), callback](const Reply &reply) {
    records::Lobby lobby;
    if (reply.result.Successful() && reply.data.read(lobby))
      core->cache.lobbies.insert_or_assign(lobby.id, detail::lobby_of(lobby));
    return task(callback, reply.result, lobby.id);
  });
}

void Client::LeaveLobby(std::uint64_t lobbyId, ResultCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{});
  const auto fill = [&](Json &json) { json.field("lobby_id", Id{lobbyId}); };
  core_->call(commands::leave_lobby, fill, [core = core_.get(), lobbyId, callback](const Reply &reply) {
    if (reply.result.Successful()) core->cache.lobbies.erase(lobbyId);
    return task(callback, reply.result);
  });
}

void Client::LinkChannelToLobby(std::uint64_t lobbyId, std::uint64_t channelId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("lobby_id", Id{lobbyId});
    json.field("channel_id", Id{channelId});
  };
  detail::call(core_.get(), commands::link_channel_to_lobby, fill, callback);
}

void Client::UnlinkChannelFromLobby(std::uint64_t lobbyId, ResultCallback callback) {
  detail::call(
      core_.get(), commands::unlink_channel_from_lobby, [&](Json &json) { json.field("lobby_id", Id{lobbyId}); },
      callback);
}

std::vector<std::uint64_t> Client::GetLobbyIds() const {
  std::vector<std::uint64_t> ids;
  if (core_ == nullptr) return ids;
  for (const auto &[id, lobby] : core_->cache.lobbies) ids.push_back(id);
  return ids;
}

std::optional<LobbyHandle> Client::GetLobbyHandle(std::uint64_t lobbyId) const {
  return core_ == nullptr ? std::nullopt : core_->cache.lobby(lobbyId);
}

/** A call that sends a message and ends with its id. */
template <class Record, class Fill>
static void send_message(detail::Core *core, const char *command, Fill fill, const Client::SentCallback &callback) {
  if (core == nullptr) return end(core, callback, ClientResult{}, std::uint64_t{0});
  core->call(command, fill, [core, callback](const Reply &reply) {
    Record message;
    if (reply.result.Successful() && reply.data.read(message))
      core->cache.keep(detail::message_of(message));
    return task(callback, reply.result, message.id);
  });
}

void Client::SendLobbyMessage(std::uint64_t lobbyId, std::string content, SentCallback callback) {
  SendLobbyMessageWithMetadata(lobbyId, std::move(content), {}, std::move(callback));
}

void Client::SendLobbyMessageWithMetadata(std::uint64_t lobbyId, std::string content, Metadata metadata,
                                                 SentCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("lobby_id", Id{lobbyId});
    json.field("content", content);
    if (!metadata.empty()) json.field("metadata", metadata);
  };
  send_message<records::LobbyMessage>(core_.get(), commands::send_lobby_message, fill, callback);
}

void Client::SendUserMessage(std::uint64_t recipientId, std::string content, SentCallback callback) {
  SendUserMessageWithMetadata(recipientId, std::move(content), {}, std::move(callback));
}

void Client::SendUserMessageWithMetadata(std::uint64_t recipientId, std::string content, Metadata metadata,
                                                SentCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{recipientId});
    json.field("content", content);
    if (!metadata.empty()) json.field("metadata", metadata);
  };
  send_message<records::UserMessage>(core_.get(), commands::send_user_message, fill, callback);
}

void Client::EditUserMessage(std::uint64_t recipientId, std::uint64_t messageId, std::string content,
                                    ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{recipientId});
    json.field("message_id", Id{messageId});
    json.field("content", content);
  };
  detail::call(core_.get(), commands::edit_user_message, fill, callback);
}

void Client::DeleteUserMessage(std::uint64_t recipientId, std::uint64_t messageId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", Id{recipientId});
    json.field("message_id", Id{messageId});
  };
  detail::call(core_.get(), commands::delete_user_message, fill, callback);
}

/** Reads messages, newest first: by id, because a platform may send them in another order. */
template <class Record>
static void history(detail::Core *core, const char *command, const char *key, std::uint64_t id, std::int32_t limit,
                    const Client::MessagesCallback &callback) {
  if (core == nullptr) return end(core, callback, ClientResult{}, std::vector<MessageHandle>{});
  const std::int64_t most = limits::lobby_messages;
  const auto fill = [&](Json &json) {
    json.field(key, Id{id});
    json.field("limit", limit <= 0 ? most : std::min<std::int64_t>(limit, most));
  };
  core->call(command, fill, [core, callback](const Reply &reply) {
    std::vector<Record> found;
    std::vector<MessageHandle> messages;
    if (reply.result.Successful()) (void)reply.data.read(found);
    std::sort(found.begin(), found.end(), [](const auto &one, const auto &other) { return one.id > other.id; });
    for (auto oldest = found.rbegin(); oldest != found.rend(); ++oldest) core->cache.keep(detail::message_of(*oldest));
    for (const Record &record : found) messages.push_back(core->cache.handle_of(detail::message_of(record)));
    return task(callback, reply.result, messages);
  });
}

void Client::GetLobbyMessagesWithLimit(std::uint64_t lobbyId, std::int32_t limit, MessagesCallback callback) {
  history<records::LobbyMessage>(core_.get(), commands::get_lobby_messages, "lobby_id", lobbyId, limit, callback);
}

void Client::GetUserMessagesWithLimit(std::uint64_t recipientId, std::int32_t limit, MessagesCallback callback) {
  history<records::UserMessage>(core_.get(), commands::get_user_messages, "user_id", recipientId, limit, callback);
}

void Client::GetUserMessageSummaries(SummariesCallback callback) {
  using Summaries = std::vector<UserMessageSummary>;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, Summaries{});
  core_->call(
      commands::get_user_message_summaries, [](Json &) {},
      [callback](const Reply &reply) {
        std::vector<records::UserMessageSummary> found;
        Summaries summaries;
        if (reply.result.Successful()) (void)reply.data.read(found);
        for (const auto &one : found) summaries.emplace_back(one.user_id, one.last_message_id);
        return task(callback, reply.result, summaries);
      });
}

std::optional<MessageHandle> Client::GetMessageHandle(std::uint64_t messageId) const {
  return core_ == nullptr ? std::nullopt : core_->cache.message(messageId);
}

std::optional<ChannelHandle> Client::GetChannelHandle(std::uint64_t channelId) const {
  return core_ == nullptr ? std::nullopt : core_->cache.channel(channelId);
}

bool Client::CanOpenMessageInDiscord(std::uint64_t messageId) {
  return core_ != nullptr && core_->announced_user != nullptr && core_->cache.message(messageId).has_value();
}

void Client::OpenMessageInDiscord(std::uint64_t messageId, std::function<void()>, ResultCallback callback) {
  const auto message = GetMessageHandle(messageId);
  if (core_ != nullptr && !message)
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "this client has not seen the message"));
  const auto fill = [&](Json &json) {
    json.field("channel_id", Id{message->ChannelId()});
    json.field("message_id", Id{messageId});
    json.field("pid", static_cast<std::int64_t>(sallyport_process_id()));
  };
  detail::call(core_.get(), commands::open_message, fill, callback);
}

void Client::SetShowingChat(bool) {}

void Client::JoinLinkedLobbyGuild(std::uint64_t lobbyId, std::function<void()> mergeRequired, SecretCallback callback) {
  const std::string nothing;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, nothing);
  if (mergeRequired && core_->cache.user != nullptr && core_->cache.user->is_provisional) core_->add(mergeRequired);
  const auto fill = [&](Json &json) { json.field("lobby_id", Id{lobbyId}); };
  core_->call(commands::create_lobby_channel_invite_for_self, fill, [callback](const Reply &reply) {
    std::string code;
    if (reply.result.Successful()) (void)reply.data.read("code", code);
    return task(callback, reply.result, code.empty() ? code : "https://discord.gg/" + code);
  });
}

void Client::SetMessageCreatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::message_created, std::move(callback), {lobby_message_create, game_direct_message_create});
}

void Client::SetMessageUpdatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::message_updated, std::move(callback), {lobby_message_update, game_direct_message_update});
}

void Client::SetMessageDeletedCallback(TwoIdsCallback callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::message_deleted, std::move(callback), {lobby_message_delete, game_direct_message_delete});
}

void Client::SetLobbyCreatedCallback(IdCallback callback) {
  set(core_.get(), &detail::Callbacks::lobby_created, std::move(callback), {events::lobby_create});
}

void Client::SetLobbyUpdatedCallback(IdCallback callback) {
  set(core_.get(), &detail::Callbacks::lobby_updated, std::move(callback), {events::lobby_update});
}

void Client::SetLobbyDeletedCallback(IdCallback callback) {
  set(core_.get(), &detail::Callbacks::lobby_deleted, std::move(callback), {events::lobby_delete});
}

void Client::SetLobbyMemberAddedCallback(TwoIdsCallback callback) {
  set(core_.get(), &detail::Callbacks::member_added, std::move(callback), {events::lobby_member_add});
}

void Client::SetLobbyMemberUpdatedCallback(TwoIdsCallback callback) {
  set(core_.get(), &detail::Callbacks::member_updated, std::move(callback), {events::lobby_member_update});
}

void Client::SetLobbyMemberRemovedCallback(TwoIdsCallback callback) {
  set(core_.get(), &detail::Callbacks::member_removed, std::move(callback), {events::lobby_member_remove});
}

} // namespace sallyport::sdk
