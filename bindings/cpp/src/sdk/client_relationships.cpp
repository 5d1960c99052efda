/** Client: friends. A request that is accepted, refused or withdrawn is a relationship that is made or ended. */
#include "core.hpp"

namespace sallyport::sdk {

using detail::end;
using detail::failure;

/** Makes, accepts or blocks with `type`, or ends with none. */
static void relate(detail::Core *core, const char *command, std::uint64_t user, std::int64_t type, const Client::ResultCallback &callback) {
  const auto fill = [&](JsonWriter &json) {
    json.field("user_id", Id{user});
    if (type != 0) json.field("type", type);
  };
  detail::call(core, command, fill, callback);
}

static void ask_by_name(detail::Core *core, const char *command, const std::string &name, const Client::ResultCallback &callback) {
  detail::call(core, command, [&](JsonWriter &json) { json.field("username", name); }, callback);
}

constexpr std::int64_t friends = 1;
constexpr std::int64_t blocked = 2;
constexpr std::int64_t none = 0;

void Client::SendDiscordFriendRequest(std::string username, ResultCallback callback) {
  ask_by_name(core_.get(), commands::send_friend_request, username, callback);
}
void Client::SendDiscordFriendRequestById(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::create_relationship, userId, friends, callback);
}
void Client::AcceptDiscordFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::create_relationship, userId, friends, callback);
}
void Client::RejectDiscordFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_relationship, userId, none, callback);
}
void Client::CancelDiscordFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_relationship, userId, none, callback);
}
void Client::BlockUser(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::create_relationship, userId, blocked, callback);
}
void Client::UnblockUser(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_relationship, userId, none, callback);
}
void Client::SendGameFriendRequest(std::string username, ResultCallback callback) {
  ask_by_name(core_.get(), commands::send_game_friend_request, username, callback);
}
void Client::SendGameFriendRequestById(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::create_game_relationship, userId, friends, callback);
}
void Client::AcceptGameFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::create_game_relationship, userId, friends, callback);
}
void Client::RejectGameFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_game_relationship, userId, none, callback);
}
void Client::CancelGameFriendRequest(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_game_relationship, userId, none, callback);
}
void Client::RemoveGameFriend(std::uint64_t userId, ResultCallback callback) {
  relate(core_.get(), commands::remove_game_relationship, userId, none, callback);
}

void Client::RemoveDiscordAndGameFriend(std::uint64_t userId, ResultCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{});
  const auto fill = [userId](JsonWriter &json) { json.field("user_id", Id{userId}); };
  core_->call(commands::remove_relationship, fill, [core = core_.get(), fill, callback](const detail::Reply &reply) -> detail::Task {
    if (!reply.result.Successful()) return detail::task(callback, reply.result);
    core->call(commands::remove_game_relationship, fill,
               [callback](const detail::Reply &last) { return detail::task(callback, last.result); });
    return nullptr;
  });
}

} // namespace sallyport::sdk
