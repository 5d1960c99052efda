/** Enumerations of the SDK, with the numbers of its public interface, and their names as text. */
#ifndef SALLYPORT_SDK_ENUMS_HPP
#define SALLYPORT_SDK_ENUMS_HPP

#include <cstdint>

namespace sdk {

enum class AuthorizationTokenType : std::int32_t { User = 0, Bearer = 1 };

enum class AuthenticationExternalAuthType : std::int32_t {
  OIDC = 0,
  EpicOnlineServicesAccessToken = 1,
  EpicOnlineServicesIdToken = 2,
  SteamSessionTicket = 3,
  UnityServicesIdToken = 4,
  DiscordBotIssuedAccessToken = 5,
  AppleIdToken = 6,
  PlayStationNetworkIdToken = 7
};

enum class AuthenticationCodeChallengeMethod : std::int32_t { S256 = 0 };

/** Where an application is installed. */
enum class IntegrationType : std::int32_t { GuildInstall = 0, UserInstall = 1 };

enum class ActivityTypes : std::int32_t {
  Playing = 0,
  Streaming = 1,
  Listening = 2,
  Watching = 3,
  CustomStatus = 4,
  Competing = 5,
  HangStatus = 6
};

/** Which text of an activity the member list shows. */
enum class StatusDisplayTypes : std::int32_t { Name = 0, State = 1, Details = 2 };

enum class ActivityPartyPrivacy : std::int32_t { Private = 0, Public = 1 };

enum class ActivityActionTypes : std::int32_t { Invalid = 0, Join = 1, JoinRequest = 5 };

/** Bits: combine them with `|`. */
enum class ActivityGamePlatforms : std::int32_t {
  Desktop = 1,
  Xbox = 2,
  Samsung = 4,
  IOS = 8,
  Android = 16,
  Embedded = 32,
  PS4 = 64,
  PS5 = 128
};

constexpr ActivityGamePlatforms operator|(ActivityGamePlatforms one, ActivityGamePlatforms other) {
  return static_cast<ActivityGamePlatforms>(static_cast<std::int32_t>(one) | static_cast<std::int32_t>(other));
}
constexpr ActivityGamePlatforms operator&(ActivityGamePlatforms one, ActivityGamePlatforms other) {
  return static_cast<ActivityGamePlatforms>(static_cast<std::int32_t>(one) & static_cast<std::int32_t>(other));
}

enum class ErrorType : std::int32_t {
  None = 0,
  /** No answer: no bridge, a lost connection, or a timeout. */
  NetworkError = 1,
  /** The platform answered with an HTTP error. */
  HTTPError = 2,
  ClientNotReady = 3,
  /** A bridge cannot serve this. */
  Disabled = 4,
  ClientDestroyed = 5,
  ValidationError = 6,
  Aborted = 7,
  AuthorizationFailed = 8,
  /** The bridge refused the call; `ErrorCode` is its code. */
  RPCError = 9
};

enum class HttpStatusCode : std::int32_t {
  None = 0,
  Ok = 200,
  Created = 201,
  Accepted = 202,
  NoContent = 204,
  BadRequest = 400,
  Unauthorized = 401,
  Forbidden = 403,
  NotFound = 404,
  MethodNotAllowed = 405,
  Conflict = 409,
  PayloadTooLarge = 413,
  UnprocessableEntity = 422,
  TooManyRequests = 429,
  InternalServerError = 500,
  BadGateway = 502,
  ServiceUnavailable = 503,
  GatewayTimeout = 504
};

enum class AudioSystem : std::int32_t { Standard = 0, Game = 1 };

enum class LoggingSeverity : std::int32_t { Verbose = 1, Info = 2, Warning = 3, Error = 4, None = 5 };

enum class RelationshipType : std::int32_t {
  None = 0,
  Friend = 1,
  Blocked = 2,
  PendingIncoming = 3,
  PendingOutgoing = 4,
  Implicit = 5,
  Suggestion = 6
};

enum class StatusType : std::int32_t {
  Online = 0,
  Offline = 1,
  Blocked = 2,
  Idle = 3,
  Dnd = 4,
  Invisible = 5,
  Streaming = 6,
  Unknown = 7
};

enum class LobbyMemberFlags : std::int32_t { None = 0, CanLinkLobby = 1 };

enum class ChannelType : std::int32_t {
  GuildText = 0,
  Dm = 1,
  GuildVoice = 2,
  GroupDm = 3,
  GuildCategory = 4,
  GuildNews = 5,
  GuildStore = 6,
  GuildNewsThread = 10,
  GuildPublicThread = 11,
  GuildPrivateThread = 12,
  GuildStageVoice = 13,
  GuildDirectory = 14,
  GuildForum = 15,
  GuildMedia = 16,
  Lobby = 17,
  EphemeralDm = 18
};

inline const char *EnumToString(LoggingSeverity value) {
  switch (value) {
    case LoggingSeverity::Verbose: return "Verbose";
    case LoggingSeverity::Info: return "Info";
    case LoggingSeverity::Warning: return "Warning";
    case LoggingSeverity::Error: return "Error";
    case LoggingSeverity::None: return "None";
  }
  return "unknown";
}

inline const char *EnumToString(ErrorType value) {
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

inline const char *EnumToString(RelationshipType value) {
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

inline const char *EnumToString(StatusType value) {
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

} // namespace sdk

#endif
