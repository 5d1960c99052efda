/** The activity of the player, and invites to it. */
#ifndef SALLYPORT_SDK_ACTIVITY_HPP
#define SALLYPORT_SDK_ACTIVITY_HPP

#include <optional>
#include <vector>

#include "sallyport/sdk/object.hpp"

namespace sallyport::sdk {

class ActivityAssets : public detail::Object {
public:
  ActivityAssets() = default;
  explicit ActivityAssets(detail::Uninitialized none) : Object(none) {}
  static const ActivityAssets nullobj;

  /** An asset key or a URL, at most 300 characters. */
  std::optional<std::string> LargeImage() const { return large_image_; }
  void SetLargeImage(std::optional<std::string> value) { large_image_ = std::move(value); }
  /** 2 to 128 characters. */
  std::optional<std::string> LargeText() const { return large_text_; }
  void SetLargeText(std::optional<std::string> value) { large_text_ = std::move(value); }
  /** At most 256 characters. */
  std::optional<std::string> LargeUrl() const { return large_url_; }
  void SetLargeUrl(std::optional<std::string> value) { large_url_ = std::move(value); }
  std::optional<std::string> SmallImage() const { return small_image_; }
  void SetSmallImage(std::optional<std::string> value) { small_image_ = std::move(value); }
  std::optional<std::string> SmallText() const { return small_text_; }
  void SetSmallText(std::optional<std::string> value) { small_text_ = std::move(value); }
  std::optional<std::string> SmallUrl() const { return small_url_; }
  void SetSmallUrl(std::optional<std::string> value) { small_url_ = std::move(value); }
  /** Image of invites; unset: the one of the application. */
  std::optional<std::string> InviteCoverImage() const { return invite_cover_image_; }
  void SetInviteCoverImage(std::optional<std::string> value) { invite_cover_image_ = std::move(value); }

private:
  std::optional<std::string> large_image_, large_text_, large_url_;
  std::optional<std::string> small_image_, small_text_, small_url_;
  std::optional<std::string> invite_cover_image_;
};

class ActivityTimestamps : public detail::Object {
public:
  ActivityTimestamps() = default;
  explicit ActivityTimestamps(detail::Uninitialized none) : Object(none) {}
  static const ActivityTimestamps nullobj;

  /** Unix time in milliseconds; seconds are accepted. 0: none. */
  std::uint64_t Start() const { return start_; }
  void SetStart(std::uint64_t value) { start_ = value; }
  std::uint64_t End() const { return end_; }
  void SetEnd(std::uint64_t value) { end_ = value; }

private:
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
};

class ActivityParty : public detail::Object {
public:
  ActivityParty() = default;
  explicit ActivityParty(detail::Uninitialized none) : Object(none) {}
  static const ActivityParty nullobj;

  /** 2 to 128 characters. */
  std::string Id() const { return id_; }
  void SetId(std::string value) { id_ = std::move(value); }
  std::int32_t CurrentSize() const { return current_size_; }
  void SetCurrentSize(std::int32_t value) { current_size_ = value; }
  /** 0: the size is not shown. */
  std::int32_t MaxSize() const { return max_size_; }
  void SetMaxSize(std::int32_t value) { max_size_ = value; }
  ActivityPartyPrivacy Privacy() const { return privacy_; }
  void SetPrivacy(ActivityPartyPrivacy value) { privacy_ = value; }

private:
  std::string id_;
  std::int32_t current_size_ = 0;
  std::int32_t max_size_ = 0;
  ActivityPartyPrivacy privacy_ = ActivityPartyPrivacy::Private;
};

class ActivitySecrets : public detail::Object {
public:
  ActivitySecrets() = default;
  explicit ActivitySecrets(detail::Uninitialized none) : Object(none) {}
  static const ActivitySecrets nullobj;

  /** 2 to 128 characters; friends who join receive it. Not with buttons. */
  std::string Join() const { return join_; }
  void SetJoin(std::string value) { join_ = std::move(value); }

private:
  std::string join_;
};

class ActivityButton : public detail::Object {
public:
  ActivityButton() = default;
  explicit ActivityButton(detail::Uninitialized none) : Object(none) {}
  static const ActivityButton nullobj;

  /** 1 to 32 characters. */
  std::string Label() const { return label_; }
  void SetLabel(std::string value) { label_ = std::move(value); }
  /** At most 512 characters. */
  std::string Url() const { return url_; }
  void SetUrl(std::string value) { url_ = std::move(value); }

private:
  std::string label_;
  std::string url_;
};

/** What a player does, for Client::UpdateRichPresence. */
class Activity : public detail::Object {
public:
  Activity() = default;
  explicit Activity(detail::Uninitialized none) : Object(none) {}
  static const Activity nullobj;

  /** Empty: the name of the application. */
  std::string Name() const { return name_; }
  void SetName(std::string value) { name_ = std::move(value); }
  ActivityTypes Type() const { return type_; }
  void SetType(ActivityTypes value) { type_ = value; }
  std::optional<StatusDisplayTypes> StatusDisplayType() const { return status_display_type_; }
  void SetStatusDisplayType(std::optional<StatusDisplayTypes> value) { status_display_type_ = value; }
  /** 2 to 128 characters, as Details. */
  std::optional<std::string> State() const { return state_; }
  void SetState(std::optional<std::string> value) { state_ = std::move(value); }
  std::optional<std::string> StateUrl() const { return state_url_; }
  void SetStateUrl(std::optional<std::string> value) { state_url_ = std::move(value); }
  std::optional<std::string> Details() const { return details_; }
  void SetDetails(std::optional<std::string> value) { details_ = std::move(value); }
  std::optional<std::string> DetailsUrl() const { return details_url_; }
  void SetDetailsUrl(std::optional<std::string> value) { details_url_ = std::move(value); }
  std::optional<ActivityAssets> Assets() const { return assets_; }
  void SetAssets(std::optional<ActivityAssets> value) { assets_ = std::move(value); }
  std::optional<ActivityTimestamps> Timestamps() const { return timestamps_; }
  void SetTimestamps(std::optional<ActivityTimestamps> value) { timestamps_ = std::move(value); }
  std::optional<ActivityParty> Party() const { return party_; }
  void SetParty(std::optional<ActivityParty> value) { party_ = std::move(value); }
  std::optional<ActivitySecrets> Secrets() const { return secrets_; }
  void SetSecrets(std::optional<ActivitySecrets> value) { secrets_ = std::move(value); }
  ActivityGamePlatforms SupportedPlatforms() const { return supported_platforms_; }
  void SetSupportedPlatforms(ActivityGamePlatforms value) { supported_platforms_ = value; }
  /** At most 2. */
  void AddButton(ActivityButton button) { buttons_.push_back(std::move(button)); }
  std::vector<ActivityButton> GetButtons() const { return buttons_; }
  /** The application that shows it; set in activities of other users. */
  std::optional<std::uint64_t> ApplicationId() const { return application_id_; }
  void SetApplicationId(std::optional<std::uint64_t> value) { application_id_ = value; }
  std::optional<std::uint64_t> ParentApplicationId() const { return parent_application_id_; }
  void SetParentApplicationId(std::optional<std::uint64_t> value) { parent_application_id_ = value; }
  /** Whether both would be shown alike. */
  bool Equals(const Activity &other) const;

private:
  std::string name_;
  ActivityTypes type_ = ActivityTypes::Playing;
  std::optional<StatusDisplayTypes> status_display_type_;
  std::optional<std::string> state_, state_url_, details_, details_url_;
  std::optional<ActivityAssets> assets_;
  std::optional<ActivityTimestamps> timestamps_;
  std::optional<ActivityParty> party_;
  std::optional<ActivitySecrets> secrets_;
  ActivityGamePlatforms supported_platforms_ = static_cast<ActivityGamePlatforms>(0);
  std::vector<ActivityButton> buttons_;
  std::optional<std::uint64_t> application_id_, parent_application_id_;
};

/** An invite to a game, or the request of a user to join this one. */
class ActivityInvite : public detail::Object {
public:
  ActivityInvite() = default;
  explicit ActivityInvite(detail::Uninitialized none) : Object(none) {}
  static const ActivityInvite nullobj;

  std::uint64_t SenderId() const { return sender_id_; }
  void SetSenderId(std::uint64_t value) { sender_id_ = value; }
  std::uint64_t ChannelId() const { return channel_id_; }
  void SetChannelId(std::uint64_t value) { channel_id_ = value; }
  std::uint64_t MessageId() const { return message_id_; }
  void SetMessageId(std::uint64_t value) { message_id_ = value; }
  ActivityActionTypes Type() const { return type_; }
  void SetType(ActivityActionTypes value) { type_ = value; }
  /** The application of the inviting game, which can be a sibling of this one. */
  std::uint64_t ApplicationId() const { return application_id_; }
  void SetApplicationId(std::uint64_t value) { application_id_ = value; }
  std::uint64_t ParentApplicationId() const { return parent_application_id_; }
  void SetParentApplicationId(std::uint64_t value) { parent_application_id_ = value; }
  std::string PartyId() const { return party_id_; }
  void SetPartyId(std::string value) { party_id_ = std::move(value); }
  std::string SessionId() const { return session_id_; }
  void SetSessionId(std::string value) { session_id_ = std::move(value); }
  bool IsValid() const { return is_valid_; }
  void SetIsValid(bool value) { is_valid_ = value; }

private:
  std::uint64_t sender_id_ = 0;
  std::uint64_t channel_id_ = 0;
  std::uint64_t message_id_ = 0;
  ActivityActionTypes type_ = ActivityActionTypes::Invalid;
  std::uint64_t application_id_ = 0;
  std::uint64_t parent_application_id_ = 0;
  std::string party_id_;
  std::string session_id_;
  bool is_valid_ = false;
};

} // namespace sallyport::sdk

#endif
