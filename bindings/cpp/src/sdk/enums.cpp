/** Names of the enumerations as text. */
#include "sallyport/sdk/enums.hpp"

namespace sallyport::sdk {

const char *EnumToString(AuthorizationTokenType value) {
  switch (value) {
    case AuthorizationTokenType::User: return "User";
    case AuthorizationTokenType::Bearer: return "Bearer";
  }
  return "unknown";
}

const char *EnumToString(AuthenticationExternalAuthType value) {
  switch (value) {
    case AuthenticationExternalAuthType::OIDC: return "OIDC";
    case AuthenticationExternalAuthType::EpicOnlineServicesAccessToken: return "EpicOnlineServicesAccessToken";
    case AuthenticationExternalAuthType::EpicOnlineServicesIdToken: return "EpicOnlineServicesIdToken";
    case AuthenticationExternalAuthType::SteamSessionTicket: return "SteamSessionTicket";
    case AuthenticationExternalAuthType::UnityServicesIdToken: return "UnityServicesIdToken";
    case AuthenticationExternalAuthType::DiscordBotIssuedAccessToken: return "DiscordBotIssuedAccessToken";
    case AuthenticationExternalAuthType::AppleIdToken: return "AppleIdToken";
    case AuthenticationExternalAuthType::PlayStationNetworkIdToken: return "PlayStationNetworkIdToken";
  }
  return "unknown";
}

const char *EnumToString(AuthenticationCodeChallengeMethod value) {
  switch (value) {
    case AuthenticationCodeChallengeMethod::S256: return "S256";
  }
  return "unknown";
}

const char *EnumToString(IntegrationType value) {
  switch (value) {
    case IntegrationType::GuildInstall: return "GuildInstall";
    case IntegrationType::UserInstall: return "UserInstall";
  }
  return "unknown";
}

const char *EnumToString(ActivityTypes value) {
  switch (value) {
    case ActivityTypes::Playing: return "Playing";
    case ActivityTypes::Streaming: return "Streaming";
    case ActivityTypes::Listening: return "Listening";
    case ActivityTypes::Watching: return "Watching";
    case ActivityTypes::CustomStatus: return "CustomStatus";
    case ActivityTypes::Competing: return "Competing";
    case ActivityTypes::HangStatus: return "HangStatus";
  }
  return "unknown";
}

const char *EnumToString(StatusDisplayTypes value) {
  switch (value) {
    case StatusDisplayTypes::Name: return "Name";
    case StatusDisplayTypes::State: return "State";
    case StatusDisplayTypes::Details: return "Details";
  }
  return "unknown";
}

const char *EnumToString(ActivityPartyPrivacy value) {
  switch (value) {
    case ActivityPartyPrivacy::Private: return "Private";
    case ActivityPartyPrivacy::Public: return "Public";
  }
  return "unknown";
}

const char *EnumToString(ActivityActionTypes value) {
  switch (value) {
    case ActivityActionTypes::Invalid: return "Invalid";
    case ActivityActionTypes::Join: return "Join";
    case ActivityActionTypes::JoinRequest: return "JoinRequest";
  }
  return "unknown";
}

const char *EnumToString(ActivityGamePlatforms value) {
  switch (value) {
    case ActivityGamePlatforms::Desktop: return "Desktop";
    case ActivityGamePlatforms::Xbox: return "Xbox";
    case ActivityGamePlatforms::Samsung: return "Samsung";
    case ActivityGamePlatforms::IOS: return "IOS";
    case ActivityGamePlatforms::Android: return "Android";
    case ActivityGamePlatforms::Embedded: return "Embedded";
    case ActivityGamePlatforms::PS4: return "PS4";
    case ActivityGamePlatforms::PS5: return "PS5";
  }
  return "unknown";
}

const char *EnumToString(ErrorType value) {
  switch (value) {
    case ErrorType::None: return "None";
    case ErrorType::NetworkError: return "NetworkError";
    case ErrorType::HTTPError: return "HTTPError";
    case ErrorType::ClientNotReady: return "ClientNotReady";
    case ErrorType::Disabled: return "Disabled";
    case ErrorType::ClientDestroyed: return "ClientDestroyed";
    case ErrorType::ValidationError: return "ValidationError";
    case ErrorType::Aborted: return "Aborted";
    case ErrorType::AuthorizationFailed: return "AuthorizationFailed";
    case ErrorType::RPCError: return "RPCError";
  }
  return "unknown";
}

const char *EnumToString(HttpStatusCode value) {
  switch (value) {
    case HttpStatusCode::None: return "None";
    case HttpStatusCode::Ok: return "Ok";
    case HttpStatusCode::Created: return "Created";
    case HttpStatusCode::Accepted: return "Accepted";
    case HttpStatusCode::NoContent: return "NoContent";
    case HttpStatusCode::BadRequest: return "BadRequest";
    case HttpStatusCode::Unauthorized: return "Unauthorized";
    case HttpStatusCode::Forbidden: return "Forbidden";
    case HttpStatusCode::NotFound: return "NotFound";
    case HttpStatusCode::MethodNotAllowed: return "MethodNotAllowed";
    case HttpStatusCode::Conflict: return "Conflict";
    case HttpStatusCode::PayloadTooLarge: return "PayloadTooLarge";
    case HttpStatusCode::UnprocessableEntity: return "UnprocessableEntity";
    case HttpStatusCode::TooManyRequests: return "TooManyRequests";
    case HttpStatusCode::InternalServerError: return "InternalServerError";
    case HttpStatusCode::BadGateway: return "BadGateway";
    case HttpStatusCode::ServiceUnavailable: return "ServiceUnavailable";
    case HttpStatusCode::GatewayTimeout: return "GatewayTimeout";
  }
  return "unknown";
}

const char *EnumToString(AudioSystem value) {
  switch (value) {
    case AudioSystem::Standard: return "Standard";
    case AudioSystem::Game: return "Game";
  }
  return "unknown";
}

const char *EnumToString(LoggingSeverity value) {
  switch (value) {
    case LoggingSeverity::Verbose: return "Verbose";
    case LoggingSeverity::Info: return "Info";
    case LoggingSeverity::Warning: return "Warning";
    case LoggingSeverity::Error: return "Error";
    case LoggingSeverity::None: return "None";
  }
  return "unknown";
}

const char *EnumToString(RelationshipType value) {
  switch (value) {
    case RelationshipType::None: return "None";
    case RelationshipType::Friend: return "Friend";
    case RelationshipType::Blocked: return "Blocked";
    case RelationshipType::PendingIncoming: return "PendingIncoming";
    case RelationshipType::PendingOutgoing: return "PendingOutgoing";
    case RelationshipType::Implicit: return "Implicit";
    case RelationshipType::Suggestion: return "Suggestion";
  }
  return "unknown";
}

const char *EnumToString(StatusType value) {
  switch (value) {
    case StatusType::Online: return "Online";
    case StatusType::Offline: return "Offline";
    case StatusType::Blocked: return "Blocked";
    case StatusType::Idle: return "Idle";
    case StatusType::Dnd: return "Dnd";
    case StatusType::Invisible: return "Invisible";
    case StatusType::Streaming: return "Streaming";
    case StatusType::Unknown: return "Unknown";
  }
  return "unknown";
}

const char *EnumToString(ChannelType value) {
  switch (value) {
    case ChannelType::GuildText: return "GuildText";
    case ChannelType::Dm: return "Dm";
    case ChannelType::GuildVoice: return "GuildVoice";
    case ChannelType::GroupDm: return "GroupDm";
    case ChannelType::GuildCategory: return "GuildCategory";
    case ChannelType::GuildNews: return "GuildNews";
    case ChannelType::GuildStore: return "GuildStore";
    case ChannelType::GuildNewsThread: return "GuildNewsThread";
    case ChannelType::GuildPublicThread: return "GuildPublicThread";
    case ChannelType::GuildPrivateThread: return "GuildPrivateThread";
    case ChannelType::GuildStageVoice: return "GuildStageVoice";
    case ChannelType::GuildDirectory: return "GuildDirectory";
    case ChannelType::GuildForum: return "GuildForum";
    case ChannelType::GuildMedia: return "GuildMedia";
    case ChannelType::Lobby: return "Lobby";
    case ChannelType::EphemeralDm: return "EphemeralDm";
  }
  return "unknown";
}

const char *EnumToString(RelationshipGroupType value) {
  switch (value) {
    case RelationshipGroupType::OnlinePlayingGame: return "OnlinePlayingGame";
    case RelationshipGroupType::OnlineElsewhere: return "OnlineElsewhere";
    case RelationshipGroupType::Offline: return "Offline";
  }
  return "unknown";
}

const char *EnumToString(AdditionalContentType value) {
  switch (value) {
    case AdditionalContentType::Other: return "Other";
    case AdditionalContentType::Attachment: return "Attachment";
    case AdditionalContentType::Poll: return "Poll";
    case AdditionalContentType::VoiceMessage: return "VoiceMessage";
    case AdditionalContentType::Thread: return "Thread";
    case AdditionalContentType::Embed: return "Embed";
    case AdditionalContentType::Sticker: return "Sticker";
  }
  return "unknown";
}

const char *EnumToString(DisclosureTypes value) {
  switch (value) {
    case DisclosureTypes::MessageDataVisibleOnDiscord: return "MessageDataVisibleOnDiscord";
  }
  return "unknown";
}

const char *EnumToString(ExternalIdentityProviderType value) {
  switch (value) {
    case ExternalIdentityProviderType::OIDC: return "OIDC";
    case ExternalIdentityProviderType::EpicOnlineServices: return "EpicOnlineServices";
    case ExternalIdentityProviderType::Steam: return "Steam";
    case ExternalIdentityProviderType::Unity: return "Unity";
    case ExternalIdentityProviderType::DiscordBot: return "DiscordBot";
    case ExternalIdentityProviderType::None: return "None";
    case ExternalIdentityProviderType::Unknown: return "Unknown";
  }
  return "unknown";
}

const char *EnumToString(AudioModeType value) {
  switch (value) {
    case AudioModeType::MODE_UNINIT: return "MODE_UNINIT";
    case AudioModeType::MODE_VAD: return "MODE_VAD";
    case AudioModeType::MODE_PTT: return "MODE_PTT";
  }
  return "unknown";
}

const char *EnumToString(DiscordObjectState value) {
  switch (value) {
    case DiscordObjectState::Invalid: return "Invalid";
    case DiscordObjectState::Owned: return "Owned";
    case DiscordObjectState::View: return "View";
  }
  return "unknown";
}

} // namespace sallyport::sdk
