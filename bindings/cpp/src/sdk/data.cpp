/** Makes what handles hold. */
#include "data.hpp"

#include "sallyport/protocol.hpp"

namespace sallyport::sdk::detail {

namespace {

Metadata metadata_of(const std::optional<std::map<std::string, std::string>> &record) {
  return record ? Metadata(record->begin(), record->end()) : Metadata{};
}

template <class Enum> Enum enum_of(std::int64_t number) { return static_cast<Enum>(static_cast<std::int32_t>(number)); }

template <class Record> MessageData common_of(const Record &record) {
  MessageData data;
  data.id = record.id;
  data.channel_id = record.channel_id;
  data.content = record.content;
  data.author = std::make_shared<const UserData>(user_of(record.author));
  data.metadata = metadata_of(record.metadata);
  data.moderation_metadata = metadata_of(record.moderation_metadata);
  data.application_id = record.application_id;
  return data;
}

/** Two digits at a place of a text. */
int digits(const std::string &text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

/** Unix time in milliseconds of `2026-01-31T12:30:00…`, which is in UTC; 0 if it is no time. */
std::uint64_t time_of(const std::string &text) {
  const int year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (year < 1970 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0) return 0;
  /* Days since 1970, by years that begin in March. */
  const std::int64_t shifted = month > 2 ? year : year - 1;
  const std::int64_t era = shifted / 400, of_era = shifted % 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
  return static_cast<std::uint64_t>(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
}

} // namespace

StatusType status_of(const std::string &text) {
  if (text == "online") return StatusType::Online;
  if (text == "idle") return StatusType::Idle;
  if (text == "dnd") return StatusType::Dnd;
  if (text == "offline") return StatusType::Offline;
  return text == "invisible" ? StatusType::Invisible : StatusType::Unknown;
}

const char *text_of(StatusType status) {
  switch (status) {
    case StatusType::Online: return "online";
    case StatusType::Idle: return "idle";
    case StatusType::Dnd: return "dnd";
    case StatusType::Offline:
    case StatusType::Invisible: return "invisible";
    default: return nullptr;
  }
}

const char *text_of(AuthenticationExternalAuthType type) {
  using namespace sallyport::external_auth_type;
  switch (type) {
    case AuthenticationExternalAuthType::OIDC: return oidc;
    case AuthenticationExternalAuthType::EpicOnlineServicesAccessToken: return epic_online_services_access_token;
    case AuthenticationExternalAuthType::EpicOnlineServicesIdToken: return epic_online_services_id_token;
    case AuthenticationExternalAuthType::SteamSessionTicket: return steam_session_ticket;
    case AuthenticationExternalAuthType::UnityServicesIdToken: return unity_services_id_token;
    case AuthenticationExternalAuthType::DiscordBotIssuedAccessToken: return discord_bot_issued_access_token;
    case AuthenticationExternalAuthType::AppleIdToken: return apple_id_token;
    case AuthenticationExternalAuthType::PlayStationNetworkIdToken: return playstation_network_id_token;
  }
  return "";
}

User user_of(const records::Relationship &record) {
  UserData user = user_of(record.user);
  user.relationship = enum_of<RelationshipType>(record.type);
  if (record.presence) {
    user.status = status_of(record.presence->status);
    if (record.presence->activity) user.activity = activity_of(record.presence->activity->json());
  }
  return std::make_shared<const UserData>(std::move(user));
}

MemberData member_of(records::LobbyMember record) {
  MemberData member;
  member.id = record.id;
  member.flags = record.flags;
  member.metadata = metadata_of(record.metadata);
  member.additional_name = record.additional_name.value_or("");
  return member;
}

LobbyData lobby_of(records::Lobby record) {
  LobbyData lobby;
  lobby.id = record.id;
  lobby.application_id = record.application_id;
  lobby.metadata = metadata_of(record.metadata);
  for (auto &member : record.members) lobby.members.push_back(member_of(std::move(member)));
  if (record.linked_channel) {
    LinkedChannel channel;
    channel.SetId(record.linked_channel->id);
    channel.SetName(record.linked_channel->name.value_or(""));
    channel.SetGuildId(record.linked_channel->guild_id.value_or(0));
    lobby.linked_channel = std::move(channel);
  }
  return lobby;
}

MessageData message_of(const records::LobbyMessage &record) {
  MessageData data = common_of(record);
  data.lobby_id = record.lobby_id;
  if (record.lobby_member) data.additional_name = record.lobby_member->additional_name;
  return data;
}

MessageData message_of(const records::UserMessage &record) {
  MessageData data = common_of(record);
  data.recipient_id = record.recipient_id.value_or(0);
  data.edited_ms = time_of(record.edited_timestamp.value_or(""));
  return data;
}

GuildChannel channel_of(const records::Channel &record) {
  using namespace sallyport::permissions;
  constexpr std::uint64_t needed = manage_channels | view_channel | send_messages;
  const std::uint64_t all = record.permissions.value_or(0) | record.permissions_new.value_or(0);
  GuildChannel channel;
  channel.SetId(record.id);
  channel.SetName(record.name.value_or(""));
  channel.SetType(enum_of<ChannelType>(record.type));
  channel.SetPosition(static_cast<std::int32_t>(record.position.value_or(0)));
  channel.SetParentId(record.parent_id);
  channel.SetIsLinkable(channel.Type() == ChannelType::GuildText && ((all & administrator) != 0 || (all & needed) == needed));
  bool is_for_all = record.permission_overwrites.has_value();
  if (is_for_all)
    for (const auto &rule : *record.permission_overwrites) {
      const bool is_everyone = record.guild_id && rule.id == *record.guild_id;
      if (is_everyone && (rule.deny & (view_channel | send_messages)) != 0) is_for_all = false;
    }
  channel.SetIsViewableAndWriteableByAllMembers(is_for_all);
  return channel;
}

} // namespace sallyport::sdk::detail
