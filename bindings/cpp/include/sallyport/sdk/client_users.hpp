/** Client: users, relationships and guilds. */
#ifndef SALLYPORT_SDK_CLIENT_USERS_HPP
#define SALLYPORT_SDK_CLIENT_USERS_HPP

#include "sallyport/sdk/client.hpp"

namespace sdk {

inline std::optional<UserHandle> Client::GetCurrentUserV2() const {
  return GetStatus() == Status::Ready ? core_->cache.user : std::nullopt;
}

inline UserHandle Client::GetCurrentUser() const { return GetCurrentUserV2().value_or(UserHandle::nullobj); }

inline std::optional<UserHandle> Client::GetUser(std::uint64_t userId) const {
  return core_ == nullptr ? std::nullopt : core_->cache.find_user(userId);
}

inline std::vector<RelationshipHandle> Client::GetRelationships() const {
  std::vector<RelationshipHandle> all;
  if (core_ == nullptr) return all;
  for (const auto &[id, relationship] : core_->cache.relationships) all.push_back(relationship);
  return all;
}

inline RelationshipHandle Client::GetRelationshipHandle(std::uint64_t userId) const {
  if (core_ == nullptr) return RelationshipHandle::nullobj;
  const auto found = core_->cache.relationships.find(userId);
  return found == core_->cache.relationships.end() ? RelationshipHandle::nullobj : found->second;
}

inline void Client::SetRelationshipCreatedCallback(RelationshipCallback callback) {
  set(&detail::Callbacks::relationship_created, std::move(callback), {sallyport::events::relationship_update});
}

inline void Client::SetRelationshipDeletedCallback(RelationshipCallback callback) {
  set(&detail::Callbacks::relationship_deleted, std::move(callback), {sallyport::events::relationship_update});
}

inline void Client::SetUserUpdatedCallback(IdCallback callback) {
  using namespace sallyport::events;
  set(&detail::Callbacks::user_updated, std::move(callback), {current_user_update, relationship_update});
}

inline void Client::GetDesktopClientUser(std::uint64_t applicationId, UserCallback callback) const {
  const std::optional<UserHandle> nothing;
  if (core_ == nullptr) return end(callback, ClientResult{}, nothing);
  if (core_->application == 0) core_->use_application(applicationId);
  if (applicationId != core_->application)
    return end(callback, detail::failure(ErrorType::ValidationError, "this client is for another application"), nothing);
  core_->when_connected([core = core_.get(), callback](const ClientResult &result) {
    return task(callback, result, result.Successful() ? core->announced_user : std::nullopt);
  });
}

inline void Client::GetDiscordClientConnectedUser(std::uint64_t applicationId, UserCallback callback) const {
  GetDesktopClientUser(applicationId, std::move(callback));
}

inline void Client::GetGuildChannels(std::uint64_t guildId, ChannelsCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{}, std::vector<GuildChannel>{});
  const auto fill = [&](Json &json) { json.field("guild_id", detail::Id{guildId}); };
  core_->call(sallyport::commands::get_guild_channels, fill, [callback](const Answer &answer) {
    std::vector<sallyport::records::Channel> records;
    if (answer.result.Successful()) (void)sallyport::read(answer.data, records);
    return task(callback, answer.result, std::vector<GuildChannel>(records.begin(), records.end()));
  });
}

inline void Client::GetUserGuilds(GuildsCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{}, std::vector<GuildMinimal>{});
  core_->call(
      sallyport::commands::get_current_user_guilds, [](Json &) {},
      [callback](const Answer &answer) {
        std::vector<sallyport::records::UserGuild> records;
        if (answer.result.Successful()) (void)sallyport::read(answer.data, records);
        return task(callback, answer.result, std::vector<GuildMinimal>(records.begin(), records.end()));
      });
}

} // namespace sdk

#endif
