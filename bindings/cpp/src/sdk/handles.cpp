/** Handles: what they return of their data. A handle without data returns what is empty. */
#include "sallyport/sdk/handles.hpp"

#include "data.hpp"

namespace sallyport::sdk {

namespace {

/** The data of a handle, or empty data. */
template <class T> const T &of(const std::shared_ptr<const T> &data) {
  static const T none{};
  return data == nullptr ? none : *data;
}

constexpr const char *cdn = "https://cdn.discordapp.com/";
/** Unix time of the first id, in milliseconds. */
constexpr std::uint64_t epoch_ms = 1420070400000u;
constexpr std::uint64_t default_avatars = 6;

} // namespace

std::uint64_t UserHandle::Id() const { return of(data_).id; }
std::string UserHandle::Username() const { return of(data_).username; }
std::optional<std::string> UserHandle::GlobalName() const { return of(data_).global_name; }
std::string UserHandle::DisplayName() const { return of(data_).global_name.value_or(of(data_).username); }
std::optional<std::string> UserHandle::Avatar() const { return of(data_).avatar; }
StatusType UserHandle::Status() const { return of(data_).status; }
bool UserHandle::IsProvisional() const { return of(data_).is_provisional; }
std::optional<Activity> UserHandle::GameActivity() const { return of(data_).activity; }
RelationshipHandle UserHandle::Relationship() const {
  return data_ == nullptr ? RelationshipHandle::nullobj : RelationshipHandle(data_);
}

std::string UserHandle::AvatarTypeToString(AvatarType type) {
  switch (type) {
    case AvatarType::Gif: return "gif";
    case AvatarType::Webp: return "webp";
    case AvatarType::Png: return "png";
    case AvatarType::Jpeg: return "jpeg";
  }
  return "unknown";
}

std::string UserHandle::AvatarUrl(AvatarType animatedType, AvatarType staticType) const {
  const auto &hash = of(data_).avatar;
  if (!hash || hash->empty())
    return std::string(cdn) + "embed/avatars/" + std::to_string((Id() >> 22) % default_avatars) + ".png";
  const bool is_animated = hash->compare(0, 2, "a_") == 0;
  return std::string(cdn) + "avatars/" + std::to_string(Id()) + "/" + *hash + "." +
         AvatarTypeToString(is_animated ? animatedType : staticType);
}

std::uint64_t RelationshipHandle::Id() const { return of(data_).id; }
std::optional<UserHandle> RelationshipHandle::User() const {
  return data_ == nullptr ? std::nullopt : std::optional<UserHandle>(UserHandle(data_));
}
RelationshipType RelationshipHandle::PlatformRelationshipType() const { return of(data_).relationship; }
RelationshipType RelationshipHandle::GameRelationshipType() const { return of(data_).game_relationship; }

std::uint64_t LobbyMemberHandle::Id() const { return of(data_).id; }
bool LobbyMemberHandle::CanLinkLobby() const {
  return (of(data_).flags & static_cast<std::int64_t>(LobbyMemberFlags::CanLinkLobby)) != 0;
}
bool LobbyMemberHandle::Connected() const { return of(data_).is_connected; }
Metadata LobbyMemberHandle::Metadata() const { return of(data_).metadata; }
std::string LobbyMemberHandle::AdditionalName() const { return of(data_).additional_name; }
std::optional<UserHandle> LobbyMemberHandle::User() const {
  const auto &user = of(data_).user;
  return user == nullptr ? std::nullopt : std::optional<UserHandle>(UserHandle(user));
}

std::uint64_t LobbyHandle::Id() const { return of(data_).id; }
Metadata LobbyHandle::Metadata() const { return of(data_).metadata; }
std::optional<LinkedChannel> LobbyHandle::LinkedChannel() const { return of(data_).linked_channel; }

std::vector<LobbyMemberHandle> LobbyHandle::LobbyMembers() const {
  std::vector<LobbyMemberHandle> all;
  for (const auto &member : of(data_).members) all.emplace_back(std::make_shared<const detail::MemberData>(member));
  return all;
}

std::vector<std::uint64_t> LobbyHandle::LobbyMemberIds() const {
  std::vector<std::uint64_t> ids;
  for (const auto &member : of(data_).members) ids.push_back(member.id);
  return ids;
}

std::optional<LobbyMemberHandle> LobbyHandle::GetLobbyMemberHandle(std::uint64_t memberId) const {
  for (const auto &member : of(data_).members)
    if (member.id == memberId) return LobbyMemberHandle(std::make_shared<const detail::MemberData>(member));
  return std::nullopt;
}

std::uint64_t MessageHandle::Id() const { return of(data_).id; }
std::string MessageHandle::Content() const { return of(data_).content; }
std::uint64_t MessageHandle::AuthorId() const { return of(data_).author == nullptr ? 0 : of(data_).author->id; }
std::optional<UserHandle> MessageHandle::Author() const {
  return of(data_).author == nullptr ? std::nullopt : std::optional<UserHandle>(UserHandle(of(data_).author));
}
std::uint64_t MessageHandle::ChannelId() const { return of(data_).channel_id; }
std::optional<LobbyHandle> MessageHandle::Lobby() const { return of(data_).lobby; }
std::uint64_t MessageHandle::LobbyId() const { return of(data_).lobby_id; }
std::uint64_t MessageHandle::RecipientId() const { return of(data_).recipient_id; }
std::optional<UserHandle> MessageHandle::Recipient() const {
  return of(data_).recipient == nullptr ? std::nullopt : std::optional<UserHandle>(UserHandle(of(data_).recipient));
}
Metadata MessageHandle::Metadata() const { return of(data_).metadata; }
Metadata MessageHandle::ModerationMetadata() const { return of(data_).moderation_metadata; }
std::optional<std::uint64_t> MessageHandle::ApplicationId() const { return of(data_).application_id; }
std::string MessageHandle::AdditionalName() const { return of(data_).additional_name; }
std::uint64_t MessageHandle::SentTimestamp() const { return *this ? (Id() >> 22) + epoch_ms : 0; }
std::uint64_t MessageHandle::EditedTimestamp() const { return of(data_).edited_ms; }

std::optional<ChannelHandle> MessageHandle::Channel() const {
  if (!*this) return std::nullopt;
  if (LobbyId() != 0) return ChannelHandle(ChannelId(), ChannelType::Lobby, {});
  std::vector<std::uint64_t> users{AuthorId()};
  if (RecipientId() != 0) users.push_back(RecipientId());
  return ChannelHandle(ChannelId(), ChannelType::EphemeralDm, std::move(users));
}

} // namespace sallyport::sdk
