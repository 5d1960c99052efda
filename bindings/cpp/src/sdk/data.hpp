/** What handles hold, made of the records of the bridge. */
#ifndef SALLYPORT_SDK_DATA_HPP
#define SALLYPORT_SDK_DATA_HPP

#include "sallyport/records.hpp"
#include "sallyport/sdk/handles.hpp"

namespace sallyport::sdk::detail {

struct UserData {
  std::uint64_t id = 0;
  std::string username;
  std::optional<std::string> global_name;
  std::optional<std::string> avatar;
  StatusType status = StatusType::Unknown;
  bool is_provisional = false;
  std::optional<Activity> activity{};
  RelationshipType relationship = RelationshipType::None;
  RelationshipType game_relationship = RelationshipType::None;
};
using User = std::shared_ptr<const UserData>;

/** A user as several records name them. */
template <class Record> UserData user_of(const Record &record) {
  UserData user;
  user.id = record.id;
  user.username = record.username;
  user.global_name = record.global_name;
  user.avatar = record.avatar;
  return user;
}
User user_of(const records::Relationship &record);

struct MemberData {
  std::uint64_t id = 0;
  std::int64_t flags = 0;
  Metadata metadata{};
  std::string additional_name{};
  User user{};
  bool is_connected = false;
};

struct LobbyData {
  std::uint64_t id = 0;
  std::uint64_t application_id = 0;
  Metadata metadata{};
  std::vector<MemberData> members{};
  std::optional<LinkedChannel> linked_channel{};
};
MemberData member_of(records::LobbyMember record);
LobbyData lobby_of(records::Lobby record);

/** What messages of lobbies and direct messages have in common, with what only one of them has. */
struct MessageData {
  std::uint64_t id = 0;
  std::uint64_t channel_id = 0;
  std::uint64_t lobby_id = 0;
  std::uint64_t recipient_id = 0;
  std::string content{};
  User author{};
  User recipient{};
  Metadata metadata{};
  Metadata moderation_metadata{};
  std::optional<std::uint64_t> application_id{};
  std::string additional_name{};
  std::uint64_t edited_ms = 0;
  std::optional<LobbyHandle> lobby{};
};
MessageData message_of(const records::LobbyMessage &record);
MessageData message_of(const records::UserMessage &record);

/** Without the linked lobby. */
GuildChannel channel_of(const records::Channel &record);

StatusType status_of(const std::string &text);
/** As SET_ONLINE_STATUS names it; null for one that cannot be set. */
const char *text_of(StatusType status);
/** The name of the type in the protocol. */
const char *text_of(AuthenticationExternalAuthType type);

/** The activity as SET_ACTIVITY takes it. */
std::optional<std::string> json_of(const Activity &activity);
/** An activity as presences and invites show it. */
std::optional<Activity> activity_of(sallyport_json json);
ActivityInvite invite_of(const records::InviteReceived &record);
ActivityInvite invite_of(const records::JoinRequestReceived &record);

} // namespace sallyport::sdk::detail

#endif
