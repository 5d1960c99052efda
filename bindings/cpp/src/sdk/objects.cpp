/** The uninitialized objects, and texts of results and voice calls. */
#include "sallyport/sdk/client.hpp"

namespace sallyport::sdk {

const Activity Activity::nullobj{detail::Uninitialized{}};
const ActivityAssets ActivityAssets::nullobj{detail::Uninitialized{}};
const ActivityButton ActivityButton::nullobj{detail::Uninitialized{}};
const ActivityInvite ActivityInvite::nullobj{detail::Uninitialized{}};
const ActivityParty ActivityParty::nullobj{detail::Uninitialized{}};
const ActivitySecrets ActivitySecrets::nullobj{detail::Uninitialized{}};
const ActivityTimestamps ActivityTimestamps::nullobj{detail::Uninitialized{}};
const AdditionalContent AdditionalContent::nullobj{detail::Uninitialized{}};
const AudioDevice AudioDevice::nullobj{detail::Uninitialized{}};
const AuthorizationArgs AuthorizationArgs::nullobj{detail::Uninitialized{}};
const AuthorizationCodeChallenge AuthorizationCodeChallenge::nullobj{detail::Uninitialized{}};
const AuthorizationCodeVerifier AuthorizationCodeVerifier::nullobj{detail::Uninitialized{}};
const Call Call::nullobj{detail::Uninitialized{}};
const CallInfoHandle CallInfoHandle::nullobj{detail::Uninitialized{}};
const ChannelHandle ChannelHandle::nullobj{detail::Uninitialized{}};
const ClientCreateOptions ClientCreateOptions::nullobj{detail::Uninitialized{}};
const ClientResult ClientResult::nullobj{detail::Uninitialized{}};
const DeviceAuthorizationArgs DeviceAuthorizationArgs::nullobj{detail::Uninitialized{}};
const GuildChannel GuildChannel::nullobj{detail::Uninitialized{}};
const GuildMinimal GuildMinimal::nullobj{detail::Uninitialized{}};
const LinkedChannel LinkedChannel::nullobj{detail::Uninitialized{}};
const LinkedLobby LinkedLobby::nullobj{detail::Uninitialized{}};
const LobbyHandle LobbyHandle::nullobj{detail::Uninitialized{}};
const LobbyMemberHandle LobbyMemberHandle::nullobj{detail::Uninitialized{}};
const MessageHandle MessageHandle::nullobj{detail::Uninitialized{}};
const RelationshipHandle RelationshipHandle::nullobj{detail::Uninitialized{}};
const UserApplicationProfileHandle UserApplicationProfileHandle::nullobj{detail::Uninitialized{}};
const UserHandle UserHandle::nullobj{detail::Uninitialized{}};
const UserMessageSummary UserMessageSummary::nullobj{detail::Uninitialized{}};
const VADThresholdSettings VADThresholdSettings::nullobj{detail::Uninitialized{}};
const VoiceStateHandle VoiceStateHandle::nullobj{detail::Uninitialized{}};

std::string ClientResult::ToString() const {
  if (successful_) return "successful";
  std::string text = EnumToString(type_);
  if (error_code_ != 0) text += " " + std::to_string(error_code_);
  if (status_ != HttpStatusCode::None) text += ", HTTP " + std::to_string(static_cast<std::int32_t>(status_));
  return text + ": " + error_;
}

std::string Call::StatusToString(Status status) {
  switch (status) {
    case Status::Disconnected: return "Disconnected";
    case Status::Joining: return "Joining";
    case Status::Connecting: return "Connecting";
    case Status::SignalingConnected: return "SignalingConnected";
    case Status::Connected: return "Connected";
    case Status::Reconnecting: return "Reconnecting";
    case Status::Disconnecting: return "Disconnecting";
  }
  return "unknown";
}

std::string Call::ErrorToString(Error error) {
  switch (error) {
    case Error::None: return "None";
    case Error::SignalingConnectionFailed: return "SignalingConnectionFailed";
    case Error::SignalingUnexpectedClose: return "SignalingUnexpectedClose";
    case Error::VoiceConnectionFailed: return "VoiceConnectionFailed";
    case Error::JoinTimeout: return "JoinTimeout";
    case Error::Forbidden: return "Forbidden";
  }
  return "unknown";
}

} // namespace sallyport::sdk
