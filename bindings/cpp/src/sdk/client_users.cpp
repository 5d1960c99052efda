/** Client: users, relationships and guilds. */
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

std::optional<UserHandle> Client::GetCurrentUserV2() const {
  if (GetStatus() != Status::Ready || core_->cache.user == nullptr) return std::nullopt;
  return UserHandle(core_->cache.user);
}

UserHandle Client::GetCurrentUser() const { return GetCurrentUserV2().value_or(UserHandle::nullobj); }

std::optional<UserHandle> Client::GetUser(std::uint64_t userId) const {
  const detail::User user = core_ == nullptr ? nullptr : core_->cache.find_user(userId);
  return user == nullptr ? std::nullopt : std::optional<UserHandle>(UserHandle(user));
}

std::vector<RelationshipHandle> Client::GetRelationships() const {
  return core_ == nullptr ? std::vector<RelationshipHandle>{} : core_->cache.all_relationships();
}

static bool is_friend(const RelationshipHandle &one) {
  return one.PlatformRelationshipType() == RelationshipType::Friend || one.GameRelationshipType() == RelationshipType::Friend;
}

/** The group of a friend. */
static RelationshipGroupType group_of(const UserHandle &user) {
  const StatusType status = user.Status();
  if (status == StatusType::Offline || status == StatusType::Invisible || status == StatusType::Unknown)
    return RelationshipGroupType::Offline;
  return user.GameActivity() ? RelationshipGroupType::OnlinePlayingGame : RelationshipGroupType::OnlineElsewhere;
}

std::vector<RelationshipHandle> Client::GetRelationshipsByGroup(RelationshipGroupType group) const {
  std::vector<RelationshipHandle> all;
  for (const RelationshipHandle &one : GetRelationships()) {
    const auto user = one.User();
    if (is_friend(one) && user && group_of(*user) == group) all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const auto &one, const auto &other) { return one.User()->DisplayName() < other.User()->DisplayName(); });
  return all;
}

/** Latin letters become small; other text stays as it is. */
static std::string small(std::string text) {
  for (char &letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

std::vector<UserHandle> Client::SearchFriendsByUsername(std::string text) const {
  std::vector<UserHandle> found;
  const std::string wanted = small(std::move(text));
  for (const RelationshipHandle &one : GetRelationships()) {
    const auto user = one.User();
    if (!is_friend(one) || !user) continue;
    if (small(user->Username()).find(wanted) != std::string::npos || small(user->DisplayName()).find(wanted) != std::string::npos)
      found.push_back(*user);
  }
  return found;
}

void Client::SetRelationshipGroupsUpdatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::groups_updated, std::move(callback), {relationship_update, game_relationship_update});
}

RelationshipHandle Client::GetRelationshipHandle(std::uint64_t userId) const {
  const detail::User user = core_ == nullptr ? nullptr : core_->cache.related(userId);
  return user == nullptr ? RelationshipHandle::nullobj : RelationshipHandle(user);
}

void Client::SetRelationshipCreatedCallback(RelationshipCallback callback) {
  set(core_.get(), &detail::Callbacks::relationship_created, std::move(callback),
      {events::relationship_update, events::game_relationship_update});
}

void Client::SetRelationshipDeletedCallback(RelationshipCallback callback) {
  set(core_.get(), &detail::Callbacks::relationship_deleted, std::move(callback),
      {events::relationship_update, events::game_relationship_update});
}

void Client::SetUserUpdatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(core_.get(), &detail::Callbacks::user_updated, std::move(callback), {current_user_update, relationship_update});
}

void Client::GetDesktopClientUser(std::uint64_t applicationId, UserCallback callback) const {
  const std::optional<UserHandle> nothing;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, nothing);
  if (core_->application == 0) core_->use_application(applicationId);
  if (applicationId != core_->application)
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "this client is for another application"), nothing);
  core_->when_connected([core = core_.get(), callback](const Reply &reply) {
    std::optional<UserHandle> user;
    if (reply.result.Successful() && core->announced_user != nullptr) user = UserHandle(core->announced_user);
    return task(callback, reply.result, user);
  });
}

void Client::GetDiscordClientConnectedUser(std::uint64_t applicationId, UserCallback callback) const {
  GetDesktopClientUser(applicationId, std::move(callback));
}

void Client::GetGuildChannels(std::uint64_t guildId, ChannelsCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, std::vector<GuildChannel>{});
  const auto fill = [&](Json &json) { json.field("guild_id", Id{guildId}); };
  core_->call(commands::get_guild_channels, fill, [core = core_.get(), callback](const Reply &reply) {
    std::vector<records::Channel> found;
    std::vector<GuildChannel> channels;
    if (reply.result.Successful()) (void)reply.data.read(found);
    for (const auto &record : found) {
      GuildChannel channel = detail::channel_of(record);
      for (const auto &[id, lobby] : core->cache.lobbies) {
        if (!lobby.linked_channel || lobby.linked_channel->Id() != record.id) continue;
        LinkedLobby linked;
        linked.SetApplicationId(lobby.application_id);
        linked.SetLobbyId(id);
        channel.SetLinkedLobby(linked);
      }
      channels.push_back(std::move(channel));
    }
    return task(callback, reply.result, channels);
  });
}

void Client::GetUserGuilds(GuildsCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, std::vector<GuildMinimal>{});
  core_->call(
      commands::get_current_user_guilds, [](Json &) {},
      [callback](const Reply &reply) {
        std::vector<records::UserGuild> found;
        std::vector<GuildMinimal> guilds;
        if (reply.result.Successful()) (void)reply.data.read(found);
        for (const auto &record : found) {
          GuildMinimal guild;
          guild.SetId(record.id);
          guild.SetName(record.name);
          guilds.push_back(std::move(guild));
        }
        return task(callback, reply.result, guilds);
      });
}

} // namespace sallyport::sdk
