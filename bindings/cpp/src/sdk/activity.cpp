/** Activities and invites as JSON, and of JSON. */
#include "data.hpp"
#include "sallyport/write.hpp"

namespace sallyport::sdk {

namespace {

constexpr const char *platforms[] = {"desktop", "xbox", "samsung", "ios", "android", "embedded", "ps4", "ps5"};

std::vector<std::string> platform_names(ActivityGamePlatforms chosen) {
  std::vector<std::string> names;
  for (unsigned bit = 0; bit < 8; ++bit)
    if ((static_cast<unsigned>(chosen) & (1u << bit)) != 0) names.emplace_back(platforms[bit]);
  return names;
}

void write(JsonWriter &json, const ActivityAssets &assets) {
  json.field("large_image", assets.LargeImage());
  json.field("large_text", assets.LargeText());
  json.field("large_url", assets.LargeUrl());
  json.field("small_image", assets.SmallImage());
  json.field("small_text", assets.SmallText());
  json.field("small_url", assets.SmallUrl());
  json.field("invite_cover_image", assets.InviteCoverImage());
}

void write(JsonWriter &json, const ActivityTimestamps &times) {
  if (times.Start() > 0) json.field("start", static_cast<std::int64_t>(times.Start()));
  if (times.End() > 0) json.field("end", static_cast<std::int64_t>(times.End()));
}

void write(JsonWriter &json, const ActivityParty &party) {
  json.field("id", party.Id());
  json.field("privacy", static_cast<std::int64_t>(party.Privacy()));
  if (party.MaxSize() <= 0) return;
  json.array("size", [&](JsonWriter &size) {
    size.value(static_cast<std::int64_t>(party.CurrentSize()));
    size.value(static_cast<std::int64_t>(party.MaxSize()));
  });
}

/** A text of an object, or nothing. */
std::optional<std::string> text(sallyport_json json, const char *key) {
  std::string value;
  return read(sallyport_json_get(json, key), value) ? std::optional<std::string>(value) : std::nullopt;
}

std::int64_t number(sallyport_json json, const char *path) {
  std::int64_t value = 0;
  (void)read(sallyport_json_at(json, path), value);
  return value;
}

std::optional<std::uint64_t> id(sallyport_json json, const char *key) {
  std::uint64_t value = 0;
  return read(sallyport_json_get(json, key), value) ? std::optional<std::uint64_t>(value) : std::nullopt;
}

bool is_object(sallyport_json json) { return sallyport_json_type_of(json) == SALLYPORT_JSON_OBJECT; }

ActivityAssets assets_of(sallyport_json json) {
  ActivityAssets assets;
  assets.SetLargeImage(text(json, "large_image"));
  assets.SetLargeText(text(json, "large_text"));
  assets.SetLargeUrl(text(json, "large_url"));
  assets.SetSmallImage(text(json, "small_image"));
  assets.SetSmallText(text(json, "small_text"));
  assets.SetSmallUrl(text(json, "small_url"));
  assets.SetInviteCoverImage(text(json, "invite_cover_image"));
  return assets;
}

ActivityTimestamps times_of(sallyport_json json) {
  ActivityTimestamps times;
  times.SetStart(static_cast<std::uint64_t>(number(json, "start")));
  times.SetEnd(static_cast<std::uint64_t>(number(json, "end")));
  return times;
}

ActivityParty party_of(sallyport_json json) {
  ActivityParty party;
  std::vector<std::int64_t> size;
  party.SetId(text(json, "id").value_or(""));
  party.SetPrivacy(static_cast<ActivityPartyPrivacy>(static_cast<std::int32_t>(number(json, "privacy"))));
  (void)read(sallyport_json_get(json, "size"), size);
  if (size.size() == 2) {
    party.SetCurrentSize(static_cast<std::int32_t>(size[0]));
    party.SetMaxSize(static_cast<std::int32_t>(size[1]));
  }
  return party;
}

ActivityGamePlatforms platforms_of(sallyport_json json) {
  std::vector<std::string> names;
  unsigned bits = 0;
  (void)read(json, names);
  for (unsigned bit = 0; bit < 8; ++bit)
    for (const std::string &name : names)
      if (name == platforms[bit]) bits |= 1u << bit;
  return static_cast<ActivityGamePlatforms>(bits);
}

} // namespace

bool Activity::Equals(const Activity &other) const {
  return detail::json_of(*this) == detail::json_of(other) && application_id_ == other.application_id_ &&
         parent_application_id_ == other.parent_application_id_;
}

namespace detail {

std::optional<std::string> json_of(const Activity &activity) {
  return json_object([&](JsonWriter &json) {
    if (!activity.Name().empty()) json.field("name", activity.Name());
    json.field("type", static_cast<std::int64_t>(activity.Type()));
    json.field("state", activity.State());
    json.field("state_url", activity.StateUrl());
    json.field("details", activity.Details());
    json.field("details_url", activity.DetailsUrl());
    if (activity.StatusDisplayType())
      json.field("status_display_type", static_cast<std::int64_t>(*activity.StatusDisplayType()));
    if (const auto assets = activity.Assets()) json.object("assets", [&](JsonWriter &part) { write(part, *assets); });
    if (const auto times = activity.Timestamps()) json.object("timestamps", [&](JsonWriter &part) { write(part, *times); });
    if (const auto party = activity.Party()) json.object("party", [&](JsonWriter &part) { write(part, *party); });
    if (const auto secrets = activity.Secrets())
      json.object("secrets", [&](JsonWriter &part) { part.field("join", secrets->Join()); });
    const std::vector<std::string> names = platform_names(activity.SupportedPlatforms());
    if (!names.empty()) json.field("supported_platforms", names);
    if (activity.GetButtons().empty()) return;
    json.array("buttons", [&](JsonWriter &list) {
      for (const ActivityButton &button : activity.GetButtons()) {
        list.object([&](JsonWriter &part) {
          part.field("label", button.Label());
          part.field("url", button.Url());
        });
      }
    });
  });
}

std::optional<Activity> activity_of(sallyport_json json) {
  if (!is_object(json)) return std::nullopt;
  Activity activity;
  activity.SetName(text(json, "name").value_or(""));
  activity.SetType(static_cast<ActivityTypes>(static_cast<std::int32_t>(number(json, "type"))));
  activity.SetState(text(json, "state"));
  activity.SetStateUrl(text(json, "state_url"));
  activity.SetDetails(text(json, "details"));
  activity.SetDetailsUrl(text(json, "details_url"));
  activity.SetApplicationId(id(json, "application_id"));
  activity.SetParentApplicationId(id(json, "parent_application_id"));
  const sallyport_json shown = sallyport_json_get(json, "status_display_type");
  std::int64_t type = 0;
  if (read(shown, type)) activity.SetStatusDisplayType(static_cast<StatusDisplayTypes>(static_cast<std::int32_t>(type)));
  if (const auto part = sallyport_json_get(json, "assets"); is_object(part)) activity.SetAssets(assets_of(part));
  if (const auto part = sallyport_json_get(json, "timestamps"); is_object(part)) activity.SetTimestamps(times_of(part));
  if (const auto part = sallyport_json_get(json, "party"); is_object(part)) activity.SetParty(party_of(part));
  activity.SetSupportedPlatforms(platforms_of(sallyport_json_get(json, "supported_platforms")));
  /* Others see the labels; the pages are in the metadata. */
  std::vector<std::string> labels;
  std::vector<std::string> pages;
  (void)read(sallyport_json_get(json, "buttons"), labels);
  (void)read(sallyport_json_at(json, "metadata.button_urls"), pages);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ActivityButton button;
    button.SetLabel(labels[i]);
    if (i < pages.size()) button.SetUrl(pages[i]);
    activity.AddButton(std::move(button));
  }
  return activity;
}

ActivityInvite invite_of(const records::InviteReceived &record) {
  ActivityInvite invite;
  invite.SetType(record.type == 1 ? ActivityActionTypes::Join : ActivityActionTypes::Invalid);
  invite.SetSenderId(record.user.id);
  invite.SetChannelId(record.channel_id);
  invite.SetMessageId(record.message_id);
  invite.SetApplicationId(record.application_id.value_or(0));
  invite.SetParentApplicationId(record.parent_application_id.value_or(0));
  invite.SetPartyId(record.party_id.value_or(""));
  invite.SetSessionId(record.session_id.value_or(""));
  invite.SetIsValid(true);
  return invite;
}

ActivityInvite invite_of(const records::JoinRequestReceived &record) {
  ActivityInvite invite;
  invite.SetType(ActivityActionTypes::JoinRequest);
  invite.SetSenderId(record.user.id);
  invite.SetChannelId(record.channel_id.value_or(0));
  invite.SetMessageId(record.message_id.value_or(0));
  invite.SetIsValid(true);
  return invite;
}

} // namespace detail
} // namespace sallyport::sdk
