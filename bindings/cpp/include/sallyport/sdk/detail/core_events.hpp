/** What a client does with states, accounts and events of its connection. Runs inside the C library. */
#ifndef SALLYPORT_SDK_DETAIL_CORE_EVENTS_HPP
#define SALLYPORT_SDK_DETAIL_CORE_EVENTS_HPP

#include "sallyport/sdk/detail/core.hpp"

namespace sdk {
namespace detail {

inline void Core::on_state(const sallyport_state &state) {
  switch (state.name) {
    case SALLYPORT_READY:
      log(LoggingSeverity::Info, "connected to the bridge");
      outage_.clear();
      /* The account keeps its state through an outage, so there is no report of it. */
      signed_in_ = connection.is_signed_in();
      /* Before a sign-in most are refused, and come with it. */
      if (state.refused_subscriptions > 0 && signed_in_)
        log(LoggingSeverity::Warning, "the bridge refused subscriptions; check the scopes");
      if (state.sign_in == SALLYPORT_FAILED) sign_in_with_grant();
      else if (!signed_in_ && !token_.empty()) update_token(token_, nullptr);
      load();
      return update(ClientError::None, 0);
    case SALLYPORT_WAITING:
    case SALLYPORT_OFFLINE: {
      is_loaded_ = is_loading_ = signed_in_ = false;
      if (state.error == nullptr) return;
      if (outage_ != state.error->message) {
        outage_ = state.error->message;
        log(LoggingSeverity::Warning, std::string(state.was_lost != 0 ? "connection lost: " : "no bridge: ") + outage_);
      }
      return update(state.was_lost != 0 ? ClientError::UnexpectedClose : ClientError::ConnectionFailed,
                    state.error->close_code);
    }
    default: return;
  }
}

inline void Core::on_account(sallyport_account account) {
  signed_in_ = account == SALLYPORT_SIGNED_IN;
  if (signed_in_) {
    load();
    return update(ClientError::None, 0);
  }
  is_loaded_ = is_loading_ = false;
  if (account != SALLYPORT_REVOKED) return;
  log(LoggingSeverity::Warning, "the authorization ended; sign in again");
  wants_ = was_ready_ = false;
  cache.user.reset();
  forget_token();
  update(ClientError::ConnectionCanceled, 0);
}

inline void Core::on_ready(sallyport_json data) {
  sallyport::records::ReadyData record;
  (void)sallyport::records::read(data, record);
  announced_user.reset();
  if (record.user && record.user->id != 0) announced_user = UserHandle(*record.user);
}

inline void Core::on_join(sallyport_json data) {
  sallyport::records::JoinReceived record;
  if (!sallyport::records::read(data, record)) return;
  const std::uint64_t joined = record.applicationId.value_or(application);
  /* A join that the user started elsewhere may come meanwhile. */
  const auto waits = [&](const auto &join) { return join.application == joined && !join.secret; };
  const auto found = std::find_if(joins.begin(), joins.end(), waits);
  if (found != joins.end()) {
    found->secret = record.secret;
    /* The bridge sends the secret before the answer. */
    if (found->is_answered) connection.add(answer_join(found->number, success()));
  }
  notify(callbacks.join, record.secret);
  notify(callbacks.join_with_application, joined, record.secret);
}

inline void Core::on_relationship(sallyport_json data) {
  sallyport::records::Relationship record;
  if (!sallyport::records::read(data, record)) return;
  const RelationshipHandle handle(record);
  const std::uint64_t id = handle.Id();
  if (record.type == 0) {
    cache.relationships.erase(id);
    return notify(callbacks.relationship_deleted, id, true);
  }
  const bool is_new = cache.relationships.insert_or_assign(id, handle).second;
  if (is_new) notify(callbacks.relationship_created, id, true);
  else notify(callbacks.user_updated, id);
}

inline void Core::on_lobby_event(const std::string &event, sallyport_json data) {
  using namespace sallyport::events;
  std::uint64_t id = 0;
  if (!sallyport::read(sallyport_json_get(data, "lobby_id"), id)) return;
  sallyport::records::Lobby lobby;
  if (sallyport::records::read(sallyport_json_get(data, "lobby"), lobby))
    cache.lobbies.insert_or_assign(id, LobbyHandle(lobby));
  if (event == lobby_create) return notify(callbacks.lobby_created, id);
  if (event == lobby_update) return notify(callbacks.lobby_updated, id);
  if (event == lobby_delete) {
    cache.lobbies.erase(id);
    return notify(callbacks.lobby_deleted, id);
  }
  sallyport::records::LobbyMember member;
  if (!sallyport::records::read(sallyport_json_get(data, "member"), member)) return;
  const std::uint64_t user = member.id;
  const auto kept = cache.lobbies.find(id);
  if (kept != cache.lobbies.end()) {
    const bool is_gone = event == lobby_member_remove;
    kept->second =
        kept->second.with_member(user, is_gone ? std::nullopt : std::optional<LobbyMemberHandle>(LobbyMemberHandle(member)));
  }
  if (event == lobby_member_add) return notify(callbacks.member_added, id, user);
  if (event == lobby_member_update) return notify(callbacks.member_updated, id, user);
  notify(callbacks.member_removed, id, user);
}

inline void Core::on_message_event(const std::string &event, sallyport_json data) {
  using namespace sallyport::events;
  const bool is_lobby = event == lobby_message_create || event == lobby_message_update || event == lobby_message_delete;
  std::uint64_t id = 0;
  std::uint64_t channel = 0;
  if (!sallyport::read(sallyport_json_get(data, "id"), id)) return;
  (void)sallyport::read(sallyport_json_get(data, is_lobby ? "lobby_id" : "channel_id"), channel);
  if (event == lobby_message_delete || event == game_direct_message_delete) {
    cache.drop_message(id);
    return notify(callbacks.message_deleted, id, channel);
  }
  /* A platform may send an update with the changed fields only; then the kept message is of no use. */
  sallyport::records::LobbyMessage lobby_message;
  sallyport::records::UserMessage user_message;
  if (sallyport_json_type_of(sallyport_json_get(data, "content")) != SALLYPORT_JSON_STRING) cache.drop_message(id);
  else if (is_lobby && sallyport::records::read(data, lobby_message)) cache.keep(MessageHandle(data_of(lobby_message)));
  else if (sallyport::records::read(data, user_message)) cache.keep(MessageHandle(data_of(user_message)));
  const bool is_new = event == lobby_message_create || event == game_direct_message_create;
  notify(is_new ? callbacks.message_created : callbacks.message_updated, id);
}

inline void Core::on_event(const std::string &event, sallyport_json data) {
  using namespace sallyport::events;
  if (event == authorize_request) return notify(callbacks.authorize_request);
  if (event == activity_join) return on_join(data);
  if (event == ready) return on_ready(data);
  if (event == activity_invite) {
    sallyport::records::InviteReceived record;
    if (sallyport::records::read(data, record)) notify(callbacks.invite_created, invite_of(record));
  } else if (event == activity_join_request) {
    sallyport::records::JoinRequestReceived record;
    if (sallyport::records::read(data, record)) notify(callbacks.invite_created, invite_of(record));
  } else if (event == current_user_update) {
    sallyport::records::RpcUser record;
    if (!cache.user || !sallyport::records::read(data, record) || record.id != cache.user->Id()) return;
    cache.user = UserHandle(record, StatusType::Online, cache.user->IsProvisional());
    notify(callbacks.user_updated, record.id);
  } else if (event == relationship_update) {
    on_relationship(data);
  } else if (event == token_revoked) {
    sallyport::records::RevocationReceived record;
    (void)sallyport::records::read(data, record);
    const std::string cause = record.cause.value_or("");
    if (cause == sallyport::account_end_cause::token_expired || cause == sallyport::account_end_cause::refresh_refused)
      notify(callbacks.token_expired);
  } else if (event.compare(0, 14, "LOBBY_MESSAGE_") == 0 || event.compare(0, 20, "GAME_DIRECT_MESSAGE_") == 0) {
    on_message_event(event, data);
  } else if (event.compare(0, 6, "LOBBY_") == 0) {
    on_lobby_event(event, data);
  }
}

} // namespace detail
} // namespace sdk

#endif
