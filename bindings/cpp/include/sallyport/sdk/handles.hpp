/** Users, relationships, messages, lobbies and channels: snapshots of what the bridge sent last. */
#ifndef SALLYPORT_SDK_HANDLES_HPP
#define SALLYPORT_SDK_HANDLES_HPP

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sallyport/sdk/activity.hpp"
#include "sallyport/sdk/object.hpp"
#include "sallyport/sdk/voice.hpp"

namespace sallyport::sdk {

/** Text keys and values of a game. */
using Metadata = std::unordered_map<std::string, std::string>;

namespace detail {
struct UserData;
struct MessageData;
struct LobbyData;
struct MemberData;
} // namespace detail

class RelationshipHandle;

/** An identity of a user in games. */
class UserApplicationProfileHandle : public detail::Object {
public:
  UserApplicationProfileHandle() : Object(detail::Uninitialized{}) {}
  explicit UserApplicationProfileHandle(detail::Uninitialized none) : Object(none) {}
  static const UserApplicationProfileHandle nullobj;

  std::string AvatarHash() const { return {}; }
  std::string Metadata() const { return {}; }
  std::optional<std::string> ProviderId() const { return std::nullopt; }
  std::string ProviderIssuedUserId() const { return {}; }
  ExternalIdentityProviderType ProviderType() const { return ExternalIdentityProviderType::Unknown; }
  std::string Username() const { return {}; }
};

class UserHandle : public detail::Object {
public:
  enum class AvatarType : std::int32_t { Gif = 0, Webp = 1, Png = 2, Jpeg = 3 };

  UserHandle() : Object(detail::Uninitialized{}) {}
  explicit UserHandle(detail::Uninitialized none) : Object(none) {}
  explicit UserHandle(std::shared_ptr<const detail::UserData> data) : data_(std::move(data)) {}
  static const UserHandle nullobj;

  std::uint64_t Id() const;
  std::string Username() const;
  std::optional<std::string> GlobalName() const;
  /** The global name, else the user name. */
  std::string DisplayName() const;
  /** Hash of the avatar. */
  std::optional<std::string> Avatar() const;
  /** Where the avatar is, or the one that the platform shows for users without one. */
  std::string AvatarUrl(AvatarType animatedType, AvatarType staticType) const;
  static std::string AvatarTypeToString(AvatarType type);
  /** Unknown for users without a relationship. */
  StatusType Status() const;
  /** Known of the current user only. */
  bool IsProvisional() const;
  /** What the user does in this application, if the bridge knows their presence. */
  std::optional<Activity> GameActivity() const;
  RelationshipHandle Relationship() const;
  /** Always empty: the platform's API does not have them for games. */
  std::vector<UserApplicationProfileHandle> UserApplicationProfiles() const { return {}; }

private:
  std::shared_ptr<const detail::UserData> data_;
};

class RelationshipHandle : public detail::Object {
public:
  RelationshipHandle() : Object(detail::Uninitialized{}) {}
  explicit RelationshipHandle(detail::Uninitialized none) : Object(none) {}
  explicit RelationshipHandle(std::shared_ptr<const detail::UserData> data) : data_(std::move(data)) {}
  static const RelationshipHandle nullobj;

  /** Id of the other user. */
  std::uint64_t Id() const;
  std::optional<UserHandle> User() const;
  /** The relationship on the platform. */
  RelationshipType PlatformRelationshipType() const;
  /** The same under the name of the public interface. */
  RelationshipType DiscordRelationshipType() const { return PlatformRelationshipType(); }
  /** The relationship in this application. */
  RelationshipType GameRelationshipType() const;
  /** Always false: the bridge does not get it. */
  bool IsSpamRequest() const { return false; }

private:
  std::shared_ptr<const detail::UserData> data_;
};

class LobbyMemberHandle : public detail::Object {
public:
  LobbyMemberHandle() : Object(detail::Uninitialized{}) {}
  explicit LobbyMemberHandle(detail::Uninitialized none) : Object(none) {}
  explicit LobbyMemberHandle(std::shared_ptr<const detail::MemberData> data) : data_(std::move(data)) {}
  static const LobbyMemberHandle nullobj;

  /** Id of the user. */
  std::uint64_t Id() const;
  bool CanLinkLobby() const;
  /** The bridge is not told who is connected: true for the current user, and for friends who are online. */
  bool Connected() const;
  sdk::Metadata Metadata() const;
  /** Known of the current user, of users with a relationship, and of authors of kept messages. */
  std::optional<UserHandle> User() const;
  /** Second name, e.g. of a character; only the backend of the game sets it. */
  std::string AdditionalName() const;

private:
  std::shared_ptr<const detail::MemberData> data_;
};

class LinkedChannel : public detail::Object {
public:
  LinkedChannel() = default;
  explicit LinkedChannel(detail::Uninitialized none) : Object(none) {}
  static const LinkedChannel nullobj;

  std::uint64_t Id() const { return id_; }
  void SetId(std::uint64_t value) { id_ = value; }
  std::string Name() const { return name_; }
  void SetName(std::string value) { name_ = std::move(value); }
  std::uint64_t GuildId() const { return guild_id_; }
  void SetGuildId(std::uint64_t value) { guild_id_ = value; }

private:
  std::uint64_t id_ = 0;
  std::string name_;
  std::uint64_t guild_id_ = 0;
};

class LobbyHandle : public detail::Object {
public:
  LobbyHandle() : Object(detail::Uninitialized{}) {}
  explicit LobbyHandle(detail::Uninitialized none) : Object(none) {}
  explicit LobbyHandle(std::shared_ptr<const detail::LobbyData> data) : data_(std::move(data)) {}
  static const LobbyHandle nullobj;

  std::uint64_t Id() const;
  sdk::Metadata Metadata() const;
  std::vector<LobbyMemberHandle> LobbyMembers() const;
  std::vector<std::uint64_t> LobbyMemberIds() const;
  std::optional<LobbyMemberHandle> GetLobbyMemberHandle(std::uint64_t memberId) const;
  std::optional<sdk::LinkedChannel> LinkedChannel() const;
  /** Always empty: a bridge carries no audio. */
  std::optional<CallInfoHandle> GetCallInfoHandle() const { return std::nullopt; }

private:
  std::shared_ptr<const detail::LobbyData> data_;
};

class ChannelHandle : public detail::Object {
public:
  ChannelHandle() : Object(detail::Uninitialized{}) {}
  explicit ChannelHandle(detail::Uninitialized none) : Object(none) {}
  ChannelHandle(std::uint64_t id, ChannelType type, std::vector<std::uint64_t> recipients)
      : id_(id), type_(type), recipients_(std::move(recipients)) {}
  static const ChannelHandle nullobj;

  std::uint64_t Id() const { return id_; }
  /** Empty: the channels of messages that a game sees have no name. */
  std::string Name() const { return {}; }
  ChannelType Type() const { return type_; }
  /** Of a direct message: the other users. */
  std::vector<std::uint64_t> Recipients() const { return recipients_; }

private:
  std::uint64_t id_ = 0;
  ChannelType type_ = ChannelType::Lobby;
  std::vector<std::uint64_t> recipients_;
};

/** What a message has besides its text. */
class AdditionalContent : public detail::Object {
public:
  AdditionalContent() = default;
  explicit AdditionalContent(detail::Uninitialized none) : Object(none) {}
  static const AdditionalContent nullobj;

  AdditionalContentType Type() const { return type_; }
  void SetType(AdditionalContentType value) { type_ = value; }
  std::optional<std::string> Title() const { return title_; }
  void SetTitle(std::optional<std::string> value) { title_ = std::move(value); }
  std::uint8_t Count() const { return count_; }
  void SetCount(std::uint8_t value) { count_ = value; }
  bool Equals(const AdditionalContent &other) const {
    return type_ == other.type_ && title_ == other.title_ && count_ == other.count_;
  }
  static std::string TypeToString(AdditionalContentType type) { return EnumToString(type); }

private:
  AdditionalContentType type_ = AdditionalContentType::Other;
  std::optional<std::string> title_;
  std::uint8_t count_ = 0;
};

/** A message of a lobby or a direct message. */
class MessageHandle : public detail::Object {
public:
  MessageHandle() : Object(detail::Uninitialized{}) {}
  explicit MessageHandle(detail::Uninitialized none) : Object(none) {}
  explicit MessageHandle(std::shared_ptr<const detail::MessageData> data) : data_(std::move(data)) {}
  static const MessageHandle nullobj;

  std::uint64_t Id() const;
  std::string Content() const;
  /** The same: the bridge changes no text. */
  std::string RawContent() const { return Content(); }
  std::uint64_t AuthorId() const;
  std::optional<UserHandle> Author() const;
  std::uint64_t ChannelId() const;
  std::optional<ChannelHandle> Channel() const;
  /** The lobby as it is now, if this client is in it; empty for a direct message. */
  std::optional<LobbyHandle> Lobby() const;
  /** 0 for a direct message. */
  std::uint64_t LobbyId() const;
  /** 0 for a message of a lobby. */
  std::uint64_t RecipientId() const;
  /** Known as Client::GetUser knows users. */
  std::optional<UserHandle> Recipient() const;
  sdk::Metadata Metadata() const;
  sdk::Metadata ModerationMetadata() const;
  /** The application that the message was sent with. */
  std::optional<std::uint64_t> ApplicationId() const;
  bool SentFromGame() const { return ApplicationId().has_value(); }
  /** Second name of the author, e.g. of a character; empty if there is none. */
  std::string AdditionalName() const;
  /** Unix time in milliseconds, which the id contains. */
  std::uint64_t SentTimestamp() const;
  /** Unix time in milliseconds; 0 if it was not edited, and for messages of lobbies, of which the bridge is not told. */
  std::uint64_t EditedTimestamp() const;
  /** Always empty: the API of the platform does not have it. */
  std::optional<sdk::AdditionalContent> AdditionalContent() const { return std::nullopt; }
  std::optional<DisclosureTypes> DisclosureType() const { return std::nullopt; }

private:
  std::shared_ptr<const detail::MessageData> data_;
};

class UserMessageSummary : public detail::Object {
public:
  UserMessageSummary() : Object(detail::Uninitialized{}) {}
  explicit UserMessageSummary(detail::Uninitialized none) : Object(none) {}
  UserMessageSummary(std::uint64_t user_id, std::uint64_t last_message_id)
      : user_id_(user_id), last_message_id_(last_message_id) {}
  static const UserMessageSummary nullobj;

  std::uint64_t UserId() const { return user_id_; }
  std::uint64_t LastMessageId() const { return last_message_id_; }

private:
  std::uint64_t user_id_ = 0;
  std::uint64_t last_message_id_ = 0;
};

class GuildMinimal : public detail::Object {
public:
  GuildMinimal() = default;
  explicit GuildMinimal(detail::Uninitialized none) : Object(none) {}
  static const GuildMinimal nullobj;

  std::uint64_t Id() const { return id_; }
  void SetId(std::uint64_t value) { id_ = value; }
  std::string Name() const { return name_; }
  void SetName(std::string value) { name_ = std::move(value); }

private:
  std::uint64_t id_ = 0;
  std::string name_;
};

/** The lobby that a channel of a guild is linked to. */
class LinkedLobby : public detail::Object {
public:
  LinkedLobby() = default;
  explicit LinkedLobby(detail::Uninitialized none) : Object(none) {}
  static const LinkedLobby nullobj;

  std::uint64_t ApplicationId() const { return application_id_; }
  void SetApplicationId(std::uint64_t value) { application_id_ = value; }
  std::uint64_t LobbyId() const { return lobby_id_; }
  void SetLobbyId(std::uint64_t value) { lobby_id_ = value; }

private:
  std::uint64_t application_id_ = 0;
  std::uint64_t lobby_id_ = 0;
};

class GuildChannel : public detail::Object {
public:
  GuildChannel() = default;
  explicit GuildChannel(detail::Uninitialized none) : Object(none) {}
  static const GuildChannel nullobj;

  std::uint64_t Id() const { return id_; }
  void SetId(std::uint64_t value) { id_ = value; }
  std::string Name() const { return name_; }
  void SetName(std::string value) { name_ = std::move(value); }
  ChannelType Type() const { return type_; }
  void SetType(ChannelType value) { type_ = value; }
  std::int32_t Position() const { return position_; }
  void SetPosition(std::int32_t value) { position_ = value; }
  /** Id of the category. */
  std::optional<std::uint64_t> ParentId() const { return parent_id_; }
  void SetParentId(std::optional<std::uint64_t> value) { parent_id_ = value; }
  /** Whether this user may link a lobby to it: a text channel that the user manages, sees and writes in. */
  bool IsLinkable() const { return is_linkable_; }
  void SetIsLinkable(bool value) { is_linkable_ = value; }
  /** Whether no rule of the channel keeps a member from seeing it or writing in it. */
  bool IsViewableAndWriteableByAllMembers() const { return is_for_all_; }
  void SetIsViewableAndWriteableByAllMembers(bool value) { is_for_all_ = value; }
  /** Known of the lobbies that this client is in. */
  std::optional<sdk::LinkedLobby> LinkedLobby() const { return linked_lobby_; }
  void SetLinkedLobby(std::optional<sdk::LinkedLobby> value) { linked_lobby_ = value; }

private:
  std::uint64_t id_ = 0;
  std::string name_;
  ChannelType type_ = ChannelType::GuildText;
  std::int32_t position_ = 0;
  std::optional<std::uint64_t> parent_id_;
  bool is_linkable_ = false;
  bool is_for_all_ = false;
  std::optional<sdk::LinkedLobby> linked_lobby_;
};

} // namespace sallyport::sdk

#endif
