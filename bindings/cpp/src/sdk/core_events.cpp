/** What a client does with states, accounts and events of its connection. */
#include <algorithm>

#include "core.hpp"

namespace sallyport::sdk::detail {

void Core::on_state(const StateChange &change) {
  switch (change.state) {
    case State::Ready:
      log(LoggingSeverity::Info, client_ && client_->is_bridge() ? "connected to the bridge" : "connected to the platform's client");
      outage_.clear();
      /* The account keeps its state through an outage, so there is no report of it. */
      signed_in_ = client_ && client_->account() == Account::SignedIn;
      /* Before a sign-in most are refused, and come with it. */
      if (change.refused_subscriptions > 0 && signed_in_)
        log(LoggingSeverity::Warning, "the bridge refused subscriptions; check the scopes");
      if (change.sign_in == Outcome::Failed) sign_in_with_grant();
      else if (!signed_in_ && !token_.empty()) update_token(token_, nullptr);
      load();
      return update(Client::Error::None, 0);
    case State::Waiting:
    case State::Offline:
      is_loaded_ = signed_in_ = false;
      loading_ = 0;
      if (!change.error) return;
      if (outage_ != change.error.message) {
        outage_ = change.error.message;
        log(LoggingSeverity::Warning, (change.was_lost ? "connection lost: " : "no bridge: ") + outage_);
      }
      return update(change.was_lost ? Client::Error::UnexpectedClose : Client::Error::ConnectionFailed, change.error.close_code);
    default: return;
  }
}

void Core::on_account(Account account) {
  signed_in_ = account == Account::SignedIn;
  if (signed_in_) {
    load();
    return update(Client::Error::None, 0);
  }
  is_loaded_ = false;
  loading_ = 0;
  if (account != Account::Revoked) return update(Client::Error::None, 0);
  log(LoggingSeverity::Warning, "the authorization ended; sign in again");
  wants_ = was_ready_ = false;
  cache.user.reset();
  forget_token();
  update(Client::Error::ConnectionCanceled, 0);
}

void Core::remember_user(const Data &data) {
  records::Authentication authentication;
  if (!data.read(authentication)) return;
  UserData user = user_of(authentication.user);
  user.status = StatusType::Online;
  user.is_provisional = authentication.account_state.value_or("") == account_state::provisional;
  cache.user = std::make_shared<const UserData>(std::move(user));
  scopes_ = std::move(authentication.scopes);
}

bool Core::can_read_relationships() const {
  using namespace sallyport::scopes;
  for (const char *scope : {relationships_read, sdk_social_layer, sdk_social_layer_presence})
    if (std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end()) return true;
  return false;
}

void Core::load() {
  if (!wants_ || !signed_in_ || !client_ || !client_->is_ready() || is_loaded_ || loading_ > 0) return;
  if (!can_read_relationships()) {
    is_loaded_ = true;
    return;
  }
  loading_ = 2;
  subscribe(events::relationship_update);
  subscribe(events::game_relationship_update);
  call(
      commands::get_relationships, [](JsonWriter &) {},
      [this](const Reply &reply) -> Task {
        std::vector<records::Relationship> all;
        if (!signed_in_) return nullptr;
        if (reply.result.Successful()) cache.relationships.clear();
        else log(LoggingSeverity::Warning, "the relationships could not be loaded: " + reply.result.ToString());
        (void)reply.data.read("relationships", all);
        for (const auto &one : all) cache.relationships.insert_or_assign(one.user.id, user_of(one));
        loaded();
        return nullptr;
      });
  load_game_relationships();
}

void Core::load_game_relationships() {
  call(
      commands::get_game_relationships, [](JsonWriter &) {},
      [this](const Reply &reply) -> Task {
        if (!signed_in_) return nullptr;
        /* Not every application may read them. */
        if (!reply.result.Successful())
          log(LoggingSeverity::Info, "the friends in the application could not be loaded: " + reply.result.ToString());
        else cache.game_relationships.clear();
        sallyport_json_iterator items = sallyport_json_iterate(reply.data.json());
        sallyport_json item;
        if (reply.result.Successful())
          while (sallyport_json_next(&items, nullptr, &item) != 0) keep_game_relationship(item);
        loaded();
        return nullptr;
      });
}

void Core::loaded() {
  if (loading_ == 0 || --loading_ > 0) return;
  is_loaded_ = true;
  update(Client::Error::None, 0);
}

void Core::on_ready(const Data &data) {
  records::ReadyData record;
  (void)data.read(record);
  announced_user.reset();
  if (record.user && record.user->id != 0) announced_user = std::make_shared<const UserData>(user_of(*record.user));
}

void Core::on_join(const Data &data) {
  records::JoinReceived record;
  if (!data.read(record)) return;
  const std::uint64_t joined = record.applicationId.value_or(application);
  /* A join that the user started elsewhere may come meanwhile. */
  const auto waits = [&](const auto &join) { return join.application == joined && !join.secret; };
  const auto found = std::find_if(joins.begin(), joins.end(), waits);
  if (found != joins.end()) {
    found->secret = record.secret;
    /* The bridge sends the secret before the answer. */
    if (found->is_answered) add(answer_join(found->number, success()));
  }
  notify(callbacks.join, record.secret);
  notify(callbacks.join_with_application, joined, record.secret);
}

void Core::on_relationship(const Data &data) {
  records::Relationship record;
  if (!data.read(record)) return;
  const std::uint64_t id = record.user.id;
  notify(callbacks.groups_updated, id);
  if (record.type == 0) {
    cache.relationships.erase(id);
    return notify(callbacks.relationship_deleted, id, true);
  }
  const auto known = cache.relationships.find(id);
  /* A friend of the application only has no relationship on the platform. */
  const bool is_new = known == cache.relationships.end() || known->second->relationship == RelationshipType::None;
  cache.relationships.insert_or_assign(id, user_of(record));
  if (is_new) notify(callbacks.relationship_created, id, true);
  else notify(callbacks.user_updated, id);
}

void Core::keep_game_relationship(sallyport_json json) {
  std::uint64_t id = 0;
  std::int64_t type = 0;
  if (!read(sallyport_json_get(json, "user_id"), id) || !read(sallyport_json_get(json, "type"), type)) return;
  cache.game_relationships[id] = static_cast<RelationshipType>(static_cast<std::int32_t>(type));
  records::User user;
  /* A friend of the application need not be one of the platform. */
  if (cache.relationships.count(id) == 0 && records::read(sallyport_json_get(json, "user"), user))
    cache.relationships[id] = std::make_shared<const UserData>(user_of(user));
}

void Core::on_game_relationship(const Data &data) {
  std::uint64_t id = 0;
  std::int64_t type = 0;
  if (!data.read("user_id", id)) return;
  (void)data.read("type", type);
  notify(callbacks.groups_updated, id);
  if (type == 0) {
    cache.game_relationships.erase(id);
    const auto kept = cache.relationships.find(id);
    if (kept != cache.relationships.end() && kept->second->relationship == RelationshipType::None) cache.relationships.erase(kept);
    return notify(callbacks.relationship_deleted, id, false);
  }
  const bool is_new = cache.game_relationships.count(id) == 0;
  keep_game_relationship(data.json());
  if (is_new) notify(callbacks.relationship_created, id, false);
}

void Core::on_lobby_event(const Event &event) {
  using namespace sallyport::events;
  std::uint64_t id = 0;
  if (!event.data.read("lobby_id", id)) return;
  records::Lobby lobby;
  if (event.data.read("lobby", lobby)) cache.lobbies.insert_or_assign(id, lobby_of(std::move(lobby)));
  if (event.name == lobby_create) return notify(callbacks.lobby_created, id);
  if (event.name == lobby_update) return notify(callbacks.lobby_updated, id);
  if (event.name == lobby_delete) {
    cache.lobbies.erase(id);
    return notify(callbacks.lobby_deleted, id);
  }
  records::LobbyMember member;
  if (!event.data.read("member", member)) return;
  const std::uint64_t user = member.id;
  const auto kept = cache.lobbies.find(id);
  if (kept != cache.lobbies.end()) {
    auto &members = kept->second.members;
    members.erase(std::remove_if(members.begin(), members.end(), [&](const auto &one) { return one.id == user; }), members.end());
    if (event.name != lobby_member_remove) members.push_back(member_of(std::move(member)));
  }
  if (event.name == lobby_member_add) return notify(callbacks.member_added, id, user);
  if (event.name == lobby_member_update) return notify(callbacks.member_updated, id, user);
  notify(callbacks.member_removed, id, user);
}

void Core::on_message_event(const Event &event) {
  using namespace sallyport::events;
  const std::string &name = event.name;
  const bool is_lobby = name == lobby_message_create || name == lobby_message_update || name == lobby_message_delete;
  std::uint64_t id = 0;
  std::uint64_t channel = 0;
  if (!event.data.read("id", id)) return;
  (void)event.data.read(is_lobby ? "lobby_id" : "channel_id", channel);
  if (name == lobby_message_delete || name == game_direct_message_delete) {
    cache.drop_message(id);
    return notify(callbacks.message_deleted, id, channel);
  }
  /* A platform may send an update with the changed fields only; then the kept message is of no use. */
  records::LobbyMessage lobby_message;
  records::UserMessage user_message;
  std::string content;
  if (!event.data.read("content", content)) cache.drop_message(id);
  else if (is_lobby && event.data.read(lobby_message)) cache.keep(message_of(lobby_message));
  else if (event.data.read(user_message)) cache.keep(message_of(user_message));
  const bool is_new = name == lobby_message_create || name == game_direct_message_create;
  notify(is_new ? callbacks.message_created : callbacks.message_updated, id);
}

void Core::on_event(const Event &event) {
  using namespace sallyport::events;
  const std::string &name = event.name;
  const Data &data = event.data;
  if (name == authorize_request) return notify(callbacks.authorize_request);
  if (name == activity_join) return on_join(data);
  if (name == ready) return on_ready(data);
  if (name == activity_invite) {
    records::InviteReceived record;
    if (data.read(record)) notify(callbacks.invite_created, invite_of(record));
  } else if (name == activity_join_request) {
    records::JoinRequestReceived record;
    if (data.read(record)) notify(callbacks.invite_created, invite_of(record));
  } else if (name == current_user_update) {
    records::RpcUser record;
    if (cache.user == nullptr || !data.read(record) || record.id != cache.user->id) return;
    UserData user = user_of(record);
    user.status = StatusType::Online;
    user.is_provisional = cache.user->is_provisional;
    cache.user = std::make_shared<const UserData>(std::move(user));
    notify(callbacks.user_updated, record.id);
  } else if (name == relationship_update) {
    on_relationship(data);
  } else if (name == game_relationship_update) {
    on_game_relationship(data);
  } else if (name == token_revoked) {
    records::RevocationReceived record;
    (void)data.read(record);
    const std::string cause = record.cause.value_or("");
    if (cause == account_end_cause::token_expired || cause == account_end_cause::refresh_refused) notify(callbacks.token_expired);
  } else if (name.compare(0, 14, "LOBBY_MESSAGE_") == 0 || name.compare(0, 20, "GAME_DIRECT_MESSAGE_") == 0) {
    on_message_event(event);
  } else if (name.compare(0, 6, "LOBBY_") == 0) {
    on_lobby_event(event);
  }
}

} // namespace sallyport::sdk::detail
