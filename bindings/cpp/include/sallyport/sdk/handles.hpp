/** Users, relationships, messages, lobbies and guild channels: snapshots of what the bridge sent last. */
#ifndef SALLYPORT_SDK_HANDLES_HPP
#define SALLYPORT_SDK_HANDLES_HPP

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sallyport/protocol.hpp"
#include "sallyport/records.hpp"
#include "sallyport/sdk/object.hpp"

namespace sdk {

/** Text keys and values of a game. */
using Metadata = std::unordered_map<std::string, std::string>;

namespace detail {

inline Metadata metadata_of(const std::optional<std::map<std::string, std::string>> &record) {
  return record ? Metadata(record->begin(), record->end()) : Metadata{};
}

template <class Enum> Enum enum_of(std::int64_t number) { return static_cast<Enum>(static_cast<std::int32_t>(number)); }

inline StatusType status_of(const std::string &text) {
  if (text == "online") return StatusType::Online;
  if (text == "idle") return StatusType::Idle;
  if (text == "dnd") return StatusType::Dnd;
  if (text == "offline") return StatusType::Offline;
  return text == "invisible" ? StatusType::Invisible : StatusType::Unknown;
}

} // namespace detail

class UserHandle : public detail::Object {
public:
  UserHandle() : Object(detail::Uninitialized{}) {}
  explicit UserHandle(detail::Uninitialized none) : Object(none) {}
  template <class Record>
  explicit UserHandle(const Record &user, StatusType status = StatusType::Unknown, bool is_provisional = false)
      : id_(user.id), username_(user.username), global_name_(user.global_name), avatar_(user.avatar), status_(status),
        is_provisional_(is_provisional) {}
  static const UserHandle nullobj;

  std::uint64_t Id() const { return id_; }
  std::string Username() const { return username_; }
  std::optional<std::string> GlobalName() const { return global_name_; }
  /** The global name, else the username. */
  std::string DisplayName() const { return global_name_.value_or(username_); }
  /** Hash of the image. */
  std::optional<std::string> Avatar() const { return avatar_; }
  /** Unknown, except for users of relationships. */
  StatusType Status() const { return status_; }
  /** Known for the current user only. */
  bool IsProvisional() const { return is_provisional_; }

private:
  std::uint64_t id_ = 0;
  std::string username_;
  std::optional<std::string> global_name_;
  std::optional<std::string> avatar_;
  StatusType status_ = StatusType::Unknown;
  bool is_provisional_ = false;
};

inline const UserHandle UserHandle::nullobj{detail::Uninitialized{}};

class RelationshipHandle : public detail::Object {
public:
  RelationshipHandle() : Object(detail::Uninitialized{}) {}
  explicit RelationshipHandle(detail::Uninitialized none) : Object(none) {}
  explicit RelationshipHandle(const sallyport::records::Relationship &record)
      : type_(detail::enum_of<RelationshipType>(record.type)),
        user_(record.user, record.presence ? detail::status_of(record.presence->status) : StatusType::Unknown) {}
  static const RelationshipHandle nullobj;

  /** Id of the other user. */
  std::uint64_t Id() const { return user_.Id(); }
  std::optional<UserHandle> User() const { return user_ ? std::optional<UserHandle>(user_) : std::nullopt; }
  /** The relationship on the platform. */
  RelationshipType PlatformRelationshipType() const { return type_; }
  /** The same under the name of the public interface. */
  RelationshipType DiscordRelationshipType() const { return type_; }

private:
  RelationshipType type_ = RelationshipType::None;
  UserHandle user_;
};

inline const RelationshipHandle RelationshipHandle::nullobj{detail::Uninitialized{}};

class LobbyMemberHandle : public detail::Object {
public:
  LobbyMemberHandle() : Object(detail::Uninitialized{}) {}
  explicit LobbyMemberHandle(detail::Uninitialized none) : Object(none) {}
  explicit LobbyMemberHandle(sallyport::records::LobbyMember record)
      : id_(record.id), flags_(record.flags), metadata_(std::move(record.metadata)), name_(std::move(record.additional_name)) {}
  static const LobbyMemberHandle nullobj;

  /** Id of the user. */
  std::uint64_t Id() const { return id_; }
  bool CanLinkLobby() const { return (flags_ & static_cast<std::int64_t>(LobbyMemberFlags::CanLinkLobby)) != 0; }
  sdk::Metadata Metadata() const { return detail::metadata_of(metadata_); }
  /** Second name, e.g. of a character; only the backend of the game sets it. */
  std::string AdditionalName() const { return name_.value_or(""); }

private:
  std::uint64_t id_ = 0;
  std::int64_t flags_ = 0;
  std::optional<std::map<std::string, std::string>> metadata_;
  std::optional<std::string> name_;
};

inline const LobbyMemberHandle LobbyMemberHandle::nullobj{detail::Uninitialized{}};

class LobbyHandle : public detail::Object {
public:
  LobbyHandle() : Object(detail::Uninitialized{}) {}
  explicit LobbyHandle(detail::Uninitialized none) : Object(none) {}
  explicit LobbyHandle(sallyport::records::Lobby record)
      : id_(record.id), metadata_(std::move(record.metadata)), members_(record.members.begin(), record.members.end()) {
    if (record.linked_channel) linked_channel_id_ = record.linked_channel->id;
  }
  static const LobbyHandle nullobj;

  std::uint64_t Id() const { return id_; }
  sdk::Metadata Metadata() const { return detail::metadata_of(metadata_); }
  std::vector<LobbyMemberHandle> LobbyMembers() const { return members_; }
  std::vector<std::uint64_t> LobbyMemberIds() const {
    std::vector<std::uint64_t> ids;
    for (const LobbyMemberHandle &member : members_) ids.push_back(member.Id());
    return ids;
  }
  std::optional<LobbyMemberHandle> GetLobbyMemberHandle(std::uint64_t user_id) const {
    for (const LobbyMemberHandle &member : members_)
      if (member.Id() == user_id) return member;
    return std::nullopt;
  }
  std::optional<std::uint64_t> LinkedChannelId() const { return linked_channel_id_; }

  /** This lobby without a member, and with `added` if there is one. */
  LobbyHandle with_member(std::uint64_t user_id, std::optional<LobbyMemberHandle> added) const {
    LobbyHandle changed = *this;
    auto &members = changed.members_;
    members.erase(std::remove_if(members.begin(), members.end(), [&](const auto &one) { return one.Id() == user_id; }),
                  members.end());
    if (added) members.push_back(std::move(*added));
    return changed;
  }

private:
  std::uint64_t id_ = 0;
  std::optional<std::map<std::string, std::string>> metadata_;
  std::vector<LobbyMemberHandle> members_;
  std::optional<std::uint64_t> linked_channel_id_;
};

inline const LobbyHandle LobbyHandle::nullobj{detail::Uninitialized{}};

namespace detail {

/** What messages of lobbies and direct messages have in common, with what only one of them has. */
struct MessageData {
  std::uint64_t id = 0;
  std::uint64_t channel_id = 0;
  std::uint64_t lobby_id = 0;
  std::uint64_t recipient_id = 0;
  std::string content;
  sallyport::records::User author;
  Metadata metadata;
  Metadata moderation_metadata;
  std::optional<std::uint64_t> application_id;
  std::string additional_name;
};

template <class Record> MessageData common_data(const Record &record) {
  MessageData data;
  data.id = record.id;
  data.channel_id = record.channel_id;
  data.content = record.content;
  data.author = record.author;
  data.metadata = metadata_of(record.metadata);
  data.moderation_metadata = metadata_of(record.moderation_metadata);
  data.application_id = record.application_id;
  return data;
}

inline MessageData data_of(const sallyport::records::LobbyMessage &record) {
  MessageData data = common_data(record);
  data.lobby_id = record.lobby_id;
  if (record.lobby_member) data.additional_name = record.lobby_member->additional_name;
  return data;
}

inline MessageData data_of(const sallyport::records::UserMessage &record) {
  MessageData data = common_data(record);
  data.recipient_id = record.recipient_id.value_or(0);
  return data;
}

} // namespace detail

/** A message of a lobby or a direct message. */
class MessageHandle : public detail::Object {
public:
  MessageHandle() : Object(detail::Uninitialized{}) {}
  explicit MessageHandle(detail::Uninitialized none) : Object(none) {}
  explicit MessageHandle(detail::MessageData data) : data_(std::make_shared<const detail::MessageData>(std::move(data))) {}
  static const MessageHandle nullobj;

  std::uint64_t Id() const { return data().id; }
  std::string Content() const { return data().content; }
  std::uint64_t AuthorId() const { return data().author.id; }
  std::optional<UserHandle> Author() const {
    return *this ? std::optional<UserHandle>(UserHandle(data().author)) : std::nullopt;
  }
  std::uint64_t ChannelId() const { return data().channel_id; }
  /** 0 for a direct message. Client::GetLobbyHandle returns the lobby. */
  std::uint64_t LobbyId() const { return data().lobby_id; }
  /** 0 for a message of a lobby. */
  std::uint64_t RecipientId() const { return data().recipient_id; }
  sdk::Metadata Metadata() const { return data().metadata; }
  sdk::Metadata ModerationMetadata() const { return data().moderation_metadata; }
  /** The application that the message was sent with. */
  std::optional<std::uint64_t> ApplicationId() const { return data().application_id; }
  /** Second name of the author, e.g. of a character; empty if there is none. */
  std::string AdditionalName() const { return data().additional_name; }
  /** Unix time in milliseconds, which the id contains. */
  std::uint64_t SentTimestamp() const { return *this ? (data().id >> 22) + 1420070400000u : 0; }

private:
  const detail::MessageData &data() const {
    static const detail::MessageData none;
    return data_ == nullptr ? none : *data_;
  }
  std::shared_ptr<const detail::MessageData> data_;
};

inline const MessageHandle MessageHandle::nullobj{detail::Uninitialized{}};

class UserMessageSummary : public detail::Object {
public:
  UserMessageSummary() : Object(detail::Uninitialized{}) {}
  explicit UserMessageSummary(detail::Uninitialized none) : Object(none) {}
  explicit UserMessageSummary(const sallyport::records::UserMessageSummary &record)
      : user_id_(record.user_id), last_message_id_(record.last_message_id) {}
  static const UserMessageSummary nullobj;

  std::uint64_t UserId() const { return user_id_; }
  std::uint64_t LastMessageId() const { return last_message_id_; }

private:
  std::uint64_t user_id_ = 0;
  std::uint64_t last_message_id_ = 0;
};

inline const UserMessageSummary UserMessageSummary::nullobj{detail::Uninitialized{}};

class GuildMinimal : public detail::Object {
public:
  GuildMinimal() : Object(detail::Uninitialized{}) {}
  explicit GuildMinimal(detail::Uninitialized none) : Object(none) {}
  explicit GuildMinimal(const sallyport::records::UserGuild &record) : id_(record.id), name_(record.name) {}
  static const GuildMinimal nullobj;

  std::uint64_t Id() const { return id_; }
  std::string Name() const { return name_; }

private:
  std::uint64_t id_ = 0;
  std::string name_;
};

inline const GuildMinimal GuildMinimal::nullobj{detail::Uninitialized{}};

class GuildChannel : public detail::Object {
public:
  GuildChannel() : Object(detail::Uninitialized{}) {}
  explicit GuildChannel(detail::Uninitialized none) : Object(none) {}
  explicit GuildChannel(sallyport::records::Channel record) : channel_(std::move(record)) {}
  static const GuildChannel nullobj;

  std::uint64_t Id() const { return channel_.id; }
  std::string Name() const { return channel_.name.value_or(""); }
  ChannelType Type() const { return detail::enum_of<ChannelType>(channel_.type); }
  std::int32_t Position() const { return static_cast<std::int32_t>(channel_.position.value_or(0)); }
  /** Id of the category. */
  std::optional<std::uint64_t> ParentId() const { return channel_.parent_id; }
  /** Whether this user may link a lobby to it: a text channel that the user manages, sees and writes in. */
  bool IsLinkable() const {
    using namespace sallyport::permissions;
    constexpr std::uint64_t needed = manage_channels | view_channel | send_messages;
    const std::uint64_t all = channel_.permissions.value_or(0) | channel_.permissions_new.value_or(0);
    return Type() == ChannelType::GuildText && ((all & administrator) != 0 || (all & needed) == needed);
  }
  /** Whether no rule of the channel keeps a member from seeing it or writing in it. */
  bool IsViewableAndWriteableByAllMembers() const {
    using namespace sallyport::permissions;
    if (!channel_.permission_overwrites) return false;
    for (const auto &rule : *channel_.permission_overwrites) {
      const bool is_everyone = channel_.guild_id && rule.id == *channel_.guild_id;
      if (is_everyone && (rule.deny & (view_channel | send_messages)) != 0) return false;
    }
    return true;
  }

private:
  sallyport::records::Channel channel_;
};

inline const GuildChannel GuildChannel::nullobj{detail::Uninitialized{}};

} // namespace sdk

#endif
