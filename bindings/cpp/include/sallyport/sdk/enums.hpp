/** Enumerations of the SDK, with the numbers of its public interface, and their names as text. */
#ifndef SALLYPORT_SDK_ENUMS_HPP
#define SALLYPORT_SDK_ENUMS_HPP

#include <cstdint>

namespace sallyport::sdk {

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

/** Groups of a list of friends. */
enum class RelationshipGroupType : std::int32_t { OnlinePlayingGame = 0, OnlineElsewhere = 1, Offline = 2 };

enum class AdditionalContentType : std::int32_t {
  Other = 0,
  Attachment = 1,
  Poll = 2,
  VoiceMessage = 3,
  Thread = 4,
  Embed = 5,
  Sticker = 6
};

enum class DisclosureTypes : std::int32_t { MessageDataVisibleOnDiscord = 3 };

enum class ExternalIdentityProviderType : std::int32_t {
  OIDC = 0,
  EpicOnlineServices = 1,
  Steam = 2,
  Unity = 3,
  DiscordBot = 4,
  None = 5,
  Unknown = 6
};

enum class AudioModeType : std::int32_t { MODE_UNINIT = 0, MODE_VAD = 1, MODE_PTT = 2 };

enum class DiscordObjectState : std::int32_t { Invalid = 0, Owned = 1, View = 2 };

const char *EnumToString(ActivityActionTypes value);
const char *EnumToString(ActivityGamePlatforms value);
const char *EnumToString(ActivityPartyPrivacy value);
const char *EnumToString(ActivityTypes value);
const char *EnumToString(AdditionalContentType value);
const char *EnumToString(AudioModeType value);
const char *EnumToString(AudioSystem value);
const char *EnumToString(AuthenticationCodeChallengeMethod value);
const char *EnumToString(AuthenticationExternalAuthType value);
const char *EnumToString(AuthorizationTokenType value);
const char *EnumToString(ChannelType value);
const char *EnumToString(DisclosureTypes value);
const char *EnumToString(DiscordObjectState value);
const char *EnumToString(ErrorType value);
const char *EnumToString(ExternalIdentityProviderType value);
const char *EnumToString(HttpStatusCode value);
const char *EnumToString(IntegrationType value);
const char *EnumToString(LoggingSeverity value);
const char *EnumToString(RelationshipGroupType value);
const char *EnumToString(RelationshipType value);
const char *EnumToString(StatusDisplayTypes value);
const char *EnumToString(StatusType value);

} // namespace sallyport::sdk

#endif
