/** Client: lobbies and messages. */
#ifndef SALLYPORT_SDK_CLIENT_MESSAGES_HPP
#define SALLYPORT_SDK_CLIENT_MESSAGES_HPP

#include "sallyport/sdk/client.hpp"

namespace sdk {

inline void Client::CreateOrJoinLobby(std::string secret, LobbyCallback callback) {
  CreateOrJoinLobbyWithMetadata(std::move(secret), {}, {}, std::move(callback));
}

inline void Client::CreateOrJoinLobbyWithMetadata(std::string secret, Metadata lobbyMetadata, Metadata memberMetadata,
                                                  LobbyCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{}, std::uint64_t{0});
  const auto fill = [&](Json &json) {
    json.field("secret", secret);
    if (!lobbyMetadata.empty()) json.field("lobby_metadata", lobbyMetadata);
    if (!memberMetadata.empty()) json.field("member_metadata", memberMetadata);
  };
  using namespace sallyport::events;
  /* They keep the lobby that GetLobbyHandle returns as it is on the platform. */
  subscribe({lobby_update, lobby_delete, lobby_member_add, lobby_member_update, lobby_member_remove});
  core_->call(sallyport::commands::create_or_join_lobby, fill, [core = core_.get(), callback](const Answer &answer) {
    sallyport::records::Lobby lobby;
    if (answer.result.Successful() && sallyport::records::read(answer.data, lobby))
      core->cache.lobbies.insert_or_assign(lobby.id, LobbyHandle(lobby));
    return task(callback, answer.result, lobby.id);
  });
}

inline void Client::LeaveLobby(std::uint64_t lobbyId, ResultCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{});
  const auto fill = [&](Json &json) { json.field("lobby_id", detail::Id{lobbyId}); };
  core_->call(sallyport::commands::leave_lobby, fill, [core = core_.get(), lobbyId, callback](const Answer &answer) {
    if (answer.result.Successful()) core->cache.lobbies.erase(lobbyId);
    return task(callback, answer.result);
  });
}

inline void Client::LinkChannelToLobby(std::uint64_t lobbyId, std::uint64_t channelId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("lobby_id", detail::Id{lobbyId});
    json.field("channel_id", detail::Id{channelId});
  };
  call(sallyport::commands::link_channel_to_lobby, fill, callback);
}

inline void Client::UnlinkChannelFromLobby(std::uint64_t lobbyId, ResultCallback callback) {
  call(
      sallyport::commands::unlink_channel_from_lobby, [&](Json &json) { json.field("lobby_id", detail::Id{lobbyId}); },
      callback);
}

inline std::vector<std::uint64_t> Client::GetLobbyIds() const {
  std::vector<std::uint64_t> ids;
  if (core_ == nullptr) return ids;
  for (const auto &[id, lobby] : core_->cache.lobbies) ids.push_back(id);
  return ids;
}

inline std::optional<LobbyHandle> Client::GetLobbyHandle(std::uint64_t lobbyId) const {
  if (core_ == nullptr) return std::nullopt;
  const auto found = core_->cache.lobbies.find(lobbyId);
  return found == core_->cache.lobbies.end() ? std::nullopt : std::optional<LobbyHandle>(found->second);
}

/** A call that sends a message and ends with its id. */
template <class Record, class Fill> void Client::send_message(const char *command, Fill fill, const SentCallback &callback) {
  if (core_ == nullptr) return end(callback, ClientResult{}, std::uint64_t{0});
  core_->call(command, fill, [core = core_.get(), callback](const Answer &answer) {
    Record message;
    if (answer.result.Successful() && sallyport::records::read(answer.data, message))
      core->cache.keep(MessageHandle(detail::data_of(message)));
    return task(callback, answer.result, message.id);
  });
}

inline void Client::SendLobbyMessage(std::uint64_t lobbyId, std::string content, SentCallback callback) {
  SendLobbyMessageWithMetadata(lobbyId, std::move(content), {}, std::move(callback));
}

inline void Client::SendLobbyMessageWithMetadata(std::uint64_t lobbyId, std::string content, Metadata metadata,
                                                 SentCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("lobby_id", detail::Id{lobbyId});
    json.field("content", content);
    if (!metadata.empty()) json.field("metadata", metadata);
  };
  send_message<sallyport::records::LobbyMessage>(sallyport::commands::send_lobby_message, fill, callback);
}

inline void Client::SendUserMessage(std::uint64_t recipientId, std::string content, SentCallback callback) {
  SendUserMessageWithMetadata(recipientId, std::move(content), {}, std::move(callback));
}

inline void Client::SendUserMessageWithMetadata(std::uint64_t recipientId, std::string content, Metadata metadata,
                                                SentCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{recipientId});
    json.field("content", content);
    if (!metadata.empty()) json.field("metadata", metadata);
  };
  send_message<sallyport::records::UserMessage>(sallyport::commands::send_user_message, fill, callback);
}

inline void Client::EditUserMessage(std::uint64_t recipientId, std::uint64_t messageId, std::string content,
                                    ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{recipientId});
    json.field("message_id", detail::Id{messageId});
    json.field("content", content);
  };
  call(sallyport::commands::edit_user_message, fill, callback);
}

inline void Client::DeleteUserMessage(std::uint64_t recipientId, std::uint64_t messageId, ResultCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("user_id", detail::Id{recipientId});
    json.field("message_id", detail::Id{messageId});
  };
  call(sallyport::commands::delete_user_message, fill, callback);
}

/** Reads messages, newest first: by id, because a platform may send them in another order. */
template <class Record> void Client::history(const char *command, const char *key, std::uint64_t id, std::int32_t limit,
                                             const MessagesCallback &callback) {
  if (core_ == nullptr) return end(callback, ClientResult{}, std::vector<MessageHandle>{});
  const std::int64_t most = sallyport::limits::lobby_messages;
  const auto fill = [&](Json &json) {
    json.field(key, detail::Id{id});
    json.field("limit", limit <= 0 ? most : std::min<std::int64_t>(limit, most));
  };
  core_->call(command, fill, [core = core_.get(), callback](const Answer &answer) {
    std::vector<Record> records;
    std::vector<MessageHandle> messages;
    if (answer.result.Successful()) (void)sallyport::read(answer.data, records);
    for (const Record &record : records) messages.emplace_back(detail::data_of(record));
    std::sort(messages.begin(), messages.end(), [](const auto &one, const auto &other) { return one.Id() > other.Id(); });
    for (auto oldest = messages.rbegin(); oldest != messages.rend(); ++oldest) core->cache.keep(*oldest);
    return task(callback, answer.result, messages);
  });
}

inline void Client::GetLobbyMessagesWithLimit(std::uint64_t lobbyId, std::int32_t limit, MessagesCallback callback) {
  history<sallyport::records::LobbyMessage>(sallyport::commands::get_lobby_messages, "lobby_id", lobbyId, limit, callback);
}

inline void Client::GetUserMessagesWithLimit(std::uint64_t recipientId, std::int32_t limit, MessagesCallback callback) {
  history<sallyport::records::UserMessage>(sallyport::commands::get_user_messages, "user_id", recipientId, limit, callback);
}

inline void Client::GetUserMessageSummaries(SummariesCallback callback) {
  using Summaries = std::vector<UserMessageSummary>;
  if (core_ == nullptr) return end(callback, ClientResult{}, Summaries{});
  core_->call(
      sallyport::commands::get_user_message_summaries, [](Json &) {},
      [callback](const Answer &answer) {
        std::vector<sallyport::records::UserMessageSummary> records;
        if (answer.result.Successful()) (void)sallyport::read(answer.data, records);
        return task(callback, answer.result, Summaries(records.begin(), records.end()));
      });
}

inline std::optional<MessageHandle> Client::GetMessageHandle(std::uint64_t messageId) const {
  const MessageHandle *message = core_ == nullptr ? nullptr : core_->cache.message(messageId);
  return message == nullptr ? std::nullopt : std::optional<MessageHandle>(*message);
}

inline void Client::SetMessageCreatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(&detail::Callbacks::message_created, std::move(callback), {lobby_message_create, game_direct_message_create});
}

inline void Client::SetMessageUpdatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(&detail::Callbacks::message_updated, std::move(callback), {lobby_message_update, game_direct_message_update});
}

inline void Client::SetMessageDeletedCallback(TwoIdsCallback callback) {
  using namespace sallyport::events;
  set(&detail::Callbacks::message_deleted, std::move(callback), {lobby_message_delete, game_direct_message_delete});
}

inline void Client::SetLobbyCreatedCallback(IdCallback callback) {
  set(&detail::Callbacks::lobby_created, std::move(callback), {sallyport::events::lobby_create});
}

inline void Client::SetLobbyUpdatedCallback(IdCallback callback) {
  set(&detail::Callbacks::lobby_updated, std::move(callback), {sallyport::events::lobby_update});
}

inline void Client::SetLobbyDeletedCallback(IdCallback callback) {
  set(&detail::Callbacks::lobby_deleted, std::move(callback), {sallyport::events::lobby_delete});
}

inline void Client::SetLobbyMemberAddedCallback(TwoIdsCallback callback) {
  set(&detail::Callbacks::member_added, std::move(callback), {sallyport::events::lobby_member_add});
}

inline void Client::SetLobbyMemberUpdatedCallback(TwoIdsCallback callback) {
  set(&detail::Callbacks::member_updated, std::move(callback), {sallyport::events::lobby_member_update});
}

inline void Client::SetLobbyMemberRemovedCallback(TwoIdsCallback callback) {
  set(&detail::Callbacks::member_removed, std::move(callback), {sallyport::events::lobby_member_remove});
}

} // namespace sdk

#endif
