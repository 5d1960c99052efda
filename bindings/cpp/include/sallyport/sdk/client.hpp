/**
 * The client of the SDK over a Sallyport bridge.
 *
 * Threads: use all clients of a process from one thread at a time. A game with a thread per client calls its
 *   `client.RunCallbacks()` there instead of `sdk::RunCallbacks()`.
 * Callbacks: run inside RunCallbacks only. They may call everything; RunCallbacks inside one does nothing. They may destroy the
 *   client. After the destruction of a client no callback of it runs: those that wait are discarded.
 * Calls: a function with a callback calls it once, unless the client is destroyed before. A call waits for the bridge as long as
 *   SetHttpRequestTimeout says. After a lost connection a write that takes a key is sent again, and the bridge makes it once.
 *   Other calls end with a NetworkError, because the bridge may have executed them. It is retryable, but not for such a write.
 * Presence: kept without a connection; its callback runs once, when it is shown, refused or replaced by a newer one.
 * Exceptions: the library throws none and works without them. One that a callback throws leaves RunCallbacks; the callbacks
 *   behind it run the next time.
 */
#ifndef SALLYPORT_SDK_CLIENT_HPP
#define SALLYPORT_SDK_CLIENT_HPP

#include <functional>
#include <memory>

#include "sallyport/sdk/authorization.hpp"
#include "sallyport/sdk/handles.hpp"
#include "sallyport/sdk/voice.hpp"

namespace sallyport {
class Client;
}

namespace sallyport::sdk {

namespace detail {
class Core;
}

/** Runs the callbacks of all clients. Once per frame of the game; it never waits. */
void RunCallbacks();

/** Takes a function without parameters or with the AuthorizationTokenType, or nullptr. */
class TokenExpirationCallback {
public:
  TokenExpirationCallback() = default;
  TokenExpirationCallback(std::nullptr_t) {}
  template <class Callback, class = std::enable_if_t<std::is_invocable_v<Callback &> ||
                                                     std::is_invocable_v<Callback &, AuthorizationTokenType>>>
  TokenExpirationCallback(Callback callback) {
    if constexpr (std::is_invocable_v<Callback &>) {
      call_ = std::move(callback);
    } else if (const std::function<void(AuthorizationTokenType)> given = std::move(callback)) {
      call_ = [given] { given(AuthorizationTokenType::Bearer); };
    }
  }
  std::function<void()> take() { return std::move(call_); }

private:
  std::function<void()> call_;
};

class Client {
public:
  enum class Status : std::int32_t {
    Disconnected = 0,
    Connecting = 1,
    Connected = 2,
    Ready = 3,
    Reconnecting = 4,
    Disconnecting = 5,
    HttpWait = 6
  };
  enum class Error : std::int32_t { None = 0, ConnectionFailed = 1, UnexpectedClose = 2, ConnectionCanceled = 3 };
  enum class Thread : std::int32_t { Client = 0, Voice = 1, Network = 2 };

  using ResultCallback = std::function<void(ClientResult)>;
  using AuthorizationCallback = std::function<void(ClientResult, std::string code, std::string redirectUri)>;
  using TokenExchangeCallback =
      std::function<void(ClientResult, std::string accessToken, std::string refreshToken, AuthorizationTokenType tokenType,
                         std::int32_t expiresIn, std::string scopes)>;
  using ExchangeChildTokenCallback = std::function<void(ClientResult, std::string accessToken, AuthorizationTokenType tokenType,
                                                        std::int32_t expiresIn, std::string scopes)>;
  using UserCallback = std::function<void(ClientResult, std::optional<UserHandle>)>;
  using LobbyCallback = std::function<void(ClientResult, std::uint64_t lobbyId)>;
  using SentCallback = std::function<void(ClientResult, std::uint64_t messageId)>;
  using MessagesCallback = std::function<void(ClientResult, std::vector<MessageHandle>)>;
  using SummariesCallback = std::function<void(ClientResult, std::vector<UserMessageSummary>)>;
  using ChannelsCallback = std::function<void(ClientResult, std::vector<GuildChannel>)>;
  using GuildsCallback = std::function<void(ClientResult, std::vector<GuildMinimal>)>;
  using SecretCallback = std::function<void(ClientResult, std::string)>;
  using IdCallback = std::function<void(std::uint64_t)>;
  using TwoIdsCallback = std::function<void(std::uint64_t, std::uint64_t)>;
  using RelationshipCallback = std::function<void(std::uint64_t userId, bool isPlatformRelationship)>;

  Client();
  explicit Client(ClientCreateOptions options);
  /** An uninitialized client: calls end with ClientDestroyed at once. */
  explicit Client(detail::Uninitialized) {}
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;
  /** A client that was moved from is uninitialized. */
  Client(Client &&other) noexcept = default;
  Client &operator=(Client &&other) noexcept;
  ~Client();
  static const Client nullobj;
  explicit operator bool() const noexcept { return core_ != nullptr; }

  /** Runs the callbacks of this client only. */
  void RunCallbacks();
  /**
   * The client below, on the same connection: every command and event by name. Null without an application. Valid until
   * Disconnect, another application, or the end of this client. Its `poll` is RunCallbacks; do not give it other callbacks.
   */
  sallyport::Client *Base();

  /* Connection */
  void SetApplicationId(std::uint64_t applicationId);
  std::uint64_t GetApplicationId() const;
  /** After the callback of UpdateToken: loads the relationships, and then the status is Ready. */
  void Connect();
  /** Closes the connection to the bridge, which ends the presence. Pending calls end with Aborted. */
  void Disconnect();
  Status GetStatus() const;
  void SetStatusChangedCallback(std::function<void(Status, Error, std::int32_t errorDetail)> callback);
  static std::string StatusToString(Status status);
  static std::string ErrorToString(Error error);
  static std::string ThreadToString(Thread thread);
  void AddLogCallback(std::function<void(std::string message, LoggingSeverity)> callback, LoggingSeverity minSeverity);
  /** False: the library writes no files; use AddLogCallback. */
  bool SetLogDir(std::string path, LoggingSeverity minSeverity);
  /** The version of this library. */
  static std::int32_t GetVersionMajor();
  static std::int32_t GetVersionMinor();
  static std::int32_t GetVersionPatch();
  /** Empty: a release is named by its version. */
  static std::string GetVersionHash();
  /** Whether the bridge, or the platform's client itself, named the user of the platform's client. */
  void IsDiscordAppInstalled(std::function<void(bool)> callback);
  /** Disabled: the page is one of the platform's own client. */
  void OpenConnectedGamesSettingsInDiscord(ResultCallback callback);
  /** Milliseconds, 1 to 300,000; default 30,000. */
  void SetHttpRequestTimeout(std::int32_t milliseconds);
  /** The process whose window shows the consent; default: this one. */
  void SetGameWindowPid(std::int32_t processId);

  /* Authorization */
  AuthorizationCodeVerifier CreateAuthorizationCodeVerifier();
  static std::string GetDefaultCommunicationScopes();
  static std::string GetDefaultPresenceScopes();
  /** Asks the user; up to five minutes. */
  void Authorize(AuthorizationArgs args, AuthorizationCallback callback);
  void AbortAuthorize();
  void GetToken(std::uint64_t applicationId, std::string code, std::string codeVerifier, std::string redirectUri,
                TokenExchangeCallback callback);
  void RefreshToken(std::uint64_t applicationId, std::string refreshToken, TokenExchangeCallback callback);
  void GetProvisionalToken(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                           std::string externalToken, TokenExchangeCallback callback);
  void GetTokenFromProvisionalMerge(std::uint64_t applicationId, std::string code, std::string codeVerifier,
                                    std::string redirectUri, AuthenticationExternalAuthType externalAuthType,
                                    std::string externalToken, TokenExchangeCallback callback);
  void ExchangeChildToken(std::string parentToken, std::uint64_t childApplicationId, ExchangeChildTokenCallback callback);
  void RevokeToken(std::uint64_t applicationId, std::string token, ResultCallback callback);
  void UnmergeIntoProvisionalAccount(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                                     std::string externalToken, ResultCallback callback);
  /** Signs the connection in. Only Bearer tokens. */
  void UpdateToken(AuthorizationTokenType tokenType, std::string token, ResultCallback callback);
  /** Not of the public interface: signs in with the stored grant of this program, without a token in the game. INVALID_TOKEN if there is none. */
  void SignInSilently(ResultCallback callback);
  /** Not of the public interface: the bridge revokes and forgets the tokens of this program. */
  void SignOut(ResultCallback callback);
  /** Whether the connection is signed in. */
  bool IsAuthenticated();
  /** The user of a token. With the token of the sign-in only: another one ends with ValidationError. */
  void FetchCurrentUser(AuthorizationTokenType tokenType, std::string token,
                        std::function<void(ClientResult, std::uint64_t id, std::string name)> callback);
  /** Logs the code and the page where the user enters it on another device, and waits for up to five minutes. */
  void GetTokenFromDevice(DeviceAuthorizationArgs args, TokenExchangeCallback callback);
  void GetTokenFromDeviceProvisionalMerge(DeviceAuthorizationArgs args, AuthenticationExternalAuthType externalAuthType,
                                          std::string externalToken, TokenExchangeCallback callback);
  /** The callback of GetTokenFromDevice gets Aborted. */
  void AbortGetTokenFromDevice();
  /** Not of the public interface: called with what the user must be shown during GetTokenFromDevice. */
  void SetDeviceCodeCallback(std::function<void(std::string userCode, std::string verificationUri)> callback);
  /** Opens nothing: the game shows the code of SetDeviceCodeCallback. Logged as an error. */
  void OpenAuthorizeDeviceScreen(std::uint64_t clientId, std::string userCode);
  void CloseAuthorizeDeviceScreen();
  /** Kept, and never called: no screen opens. */
  void SetAuthorizeDeviceScreenClosedCallback(std::function<void()> callback);
  /** No effect: the merge of an account ends with the answer to GetTokenFromProvisionalMerge. */
  void ProvisionalUserMergeCompleted(bool success);
  void UpdateProvisionalAccountDisplayName(std::string name, ResultCallback callback);
  /** Called when the sign-in ended because its token expired. Get another one, then UpdateToken and Connect. */
  void SetTokenExpirationCallback(TokenExpirationCallback callback);
  /** Called when the user requests to link the account in the platform's client, also after a restart of the bridge. */
  void RegisterAuthorizeRequestCallback(std::function<void()> callback);
  void RemoveAuthorizeRequestCallback();

  /* Presence and invites */
  void UpdateRichPresence(Activity activity, ResultCallback callback);
  void ClearRichPresence();
  void SendActivityInvite(std::uint64_t userId, std::string content, ResultCallback callback);
  void SendActivityJoinRequest(std::uint64_t userId, ResultCallback callback);
  /** Accepts the request of a user to join. */
  void SendActivityJoinRequestReply(ActivityInvite invite, ResultCallback callback);
  /** The join secret comes here and, as for every join, to the callback of SetActivityJoinCallback. */
  void AcceptActivityInvite(ActivityInvite invite, SecretCallback callback);
  /** Invites (Join), and users who request to join (JoinRequest). */
  void SetActivityInviteCreatedCallback(std::function<void(ActivityInvite)> callback);
  /** Kept, and never called: the bridge is told of new invites only. */
  void SetActivityInviteUpdatedCallback(std::function<void(ActivityInvite)> callback);
  /** What others see; not Unknown, Blocked or Streaming, which end with ValidationError. */
  void SetOnlineStatus(StatusType status, ResultCallback callback);
  void SetActivityJoinCallback(std::function<void(std::string joinSecret)> callback);
  void
  SetActivityJoinWithApplicationCallback(std::function<void(std::uint64_t applicationId, std::string joinSecret)> callback);
  /** True if the command was sent to the bridge, or waits for it; a refusal is logged. */
  bool RegisterLaunchCommand(std::uint64_t applicationId, std::string command);
  bool RegisterLaunchSteamApplication(std::uint64_t applicationId, std::uint32_t steamAppId);

  /* Lobbies and messages */
  void CreateOrJoinLobby(std::string secret, LobbyCallback callback);
  void CreateOrJoinLobbyWithMetadata(std::string secret, Metadata lobbyMetadata, Metadata memberMetadata,
                                     LobbyCallback callback);
  void LeaveLobby(std::uint64_t lobbyId, ResultCallback callback);
  void LinkChannelToLobby(std::uint64_t lobbyId, std::uint64_t channelId, ResultCallback callback);
  void UnlinkChannelFromLobby(std::uint64_t lobbyId, ResultCallback callback);
  std::vector<std::uint64_t> GetLobbyIds() const;
  std::optional<LobbyHandle> GetLobbyHandle(std::uint64_t lobbyId) const;
  /** At most 2,000 characters. */
  void SendLobbyMessage(std::uint64_t lobbyId, std::string content, SentCallback callback);
  void SendLobbyMessageWithMetadata(std::uint64_t lobbyId, std::string content, Metadata metadata, SentCallback callback);
  void SendUserMessage(std::uint64_t recipientId, std::string content, SentCallback callback);
  void SendUserMessageWithMetadata(std::uint64_t recipientId, std::string content, Metadata metadata, SentCallback callback);
  void EditUserMessage(std::uint64_t recipientId, std::uint64_t messageId, std::string content, ResultCallback callback);
  void DeleteUserMessage(std::uint64_t recipientId, std::uint64_t messageId, ResultCallback callback);
  /** Newest first; at most 200, of the last 72 hours. A limit of 0 or less: 200. */
  void GetLobbyMessagesWithLimit(std::uint64_t lobbyId, std::int32_t limit, MessagesCallback callback);
  void GetUserMessagesWithLimit(std::uint64_t recipientId, std::int32_t limit, MessagesCallback callback);
  void GetUserMessageSummaries(SummariesCallback callback);
  /** A message of the last 1,024 that this client saw. */
  std::optional<MessageHandle> GetMessageHandle(std::uint64_t messageId) const;
  /** The channel of a message that this client saw. */
  std::optional<ChannelHandle> GetChannelHandle(std::uint64_t channelId) const;
  /** Whether GetMessageHandle has it, and the platform's client can be asked. */
  bool CanOpenMessageInDiscord(std::uint64_t messageId);
  /** Shows the message in the platform's client. `mergeRequired` is never called: a provisional account gets the error of the bridge. */
  void OpenMessageInDiscord(std::uint64_t messageId, std::function<void()> mergeRequired, ResultCallback callback);
  /** No effect: the bridge shows no notifications of messages. */
  void SetShowingChat(bool isShowing);
  /** An invite to the guild of the linked channel. `mergeRequired` is called for a provisional account, before the callback. */
  void JoinLinkedLobbyGuild(std::uint64_t lobbyId, std::function<void()> mergeRequired, SecretCallback callback);
  void SetMessageCreatedCallback(IdCallback callback);
  void SetMessageUpdatedCallback(IdCallback callback);
  void SetMessageDeletedCallback(TwoIdsCallback callback);
  void SetLobbyCreatedCallback(IdCallback callback);
  void SetLobbyUpdatedCallback(IdCallback callback);
  void SetLobbyDeletedCallback(IdCallback callback);
  void SetLobbyMemberAddedCallback(TwoIdsCallback callback);
  void SetLobbyMemberUpdatedCallback(TwoIdsCallback callback);
  void SetLobbyMemberRemovedCallback(TwoIdsCallback callback);

  /* Users and relationships */
  /** Empty until the status is Ready. */
  std::optional<UserHandle> GetCurrentUserV2() const;
  /** Uninitialized until the status is Ready. */
  UserHandle GetCurrentUser() const;
  std::optional<UserHandle> GetUser(std::uint64_t userId) const;
  std::vector<RelationshipHandle> GetRelationships() const;
  /** The friends of a group, by name. */
  std::vector<RelationshipHandle> GetRelationshipsByGroup(RelationshipGroupType group) const;
  /** Friends whose name or display name contains the text, in any case. */
  std::vector<UserHandle> SearchFriendsByUsername(std::string text) const;
  RelationshipHandle GetRelationshipHandle(std::uint64_t userId) const;
  void SetRelationshipCreatedCallback(RelationshipCallback callback);
  void SetRelationshipDeletedCallback(RelationshipCallback callback);
  void SetUserUpdatedCallback(IdCallback callback);
  /** Called when a friend may be in another group of GetRelationshipsByGroup. */
  void SetRelationshipGroupsUpdatedCallback(IdCallback callback);
  void SendDiscordFriendRequest(std::string username, ResultCallback callback);
  void SendDiscordFriendRequestById(std::uint64_t userId, ResultCallback callback);
  void AcceptDiscordFriendRequest(std::uint64_t userId, ResultCallback callback);
  void RejectDiscordFriendRequest(std::uint64_t userId, ResultCallback callback);
  void CancelDiscordFriendRequest(std::uint64_t userId, ResultCallback callback);
  /** Ends both friendships: that of the platform and that of this application. */
  void RemoveDiscordAndGameFriend(std::uint64_t userId, ResultCallback callback);
  void SendGameFriendRequest(std::string username, ResultCallback callback);
  void SendGameFriendRequestById(std::uint64_t userId, ResultCallback callback);
  void AcceptGameFriendRequest(std::uint64_t userId, ResultCallback callback);
  void RejectGameFriendRequest(std::uint64_t userId, ResultCallback callback);
  void CancelGameFriendRequest(std::uint64_t userId, ResultCallback callback);
  void RemoveGameFriend(std::uint64_t userId, ResultCallback callback);
  void BlockUser(std::uint64_t userId, ResultCallback callback);
  void UnblockUser(std::uint64_t userId, ResultCallback callback);
  /** The user that the bridge knows for this application without a sign-in of the game, e.g. that of the desktop client. */
  void GetDesktopClientUser(std::uint64_t applicationId, UserCallback callback) const;
  /** The same under the name of the public interface. */
  void GetDiscordClientConnectedUser(std::uint64_t applicationId, UserCallback callback) const;
  /** In the order of the platform's client. */
  void GetGuildChannels(std::uint64_t guildId, ChannelsCallback callback);
  void GetUserGuilds(GuildsCallback callback);

  /*
   * Voice: a bridge carries no audio. These are logged as errors; callbacks with a result get Disabled, getters return what is
   * empty, and setters keep nothing.
   */
  Call StartCall(std::uint64_t channelId);
  Call StartCallWithAudioCallbacks(std::uint64_t lobbyId, AudioReceivedCallback received, AudioCapturedCallback captured);
  void EndCall(std::uint64_t channelId, std::function<void()> callback);
  void EndCalls(std::function<void()> callback);
  Call GetCall(std::uint64_t channelId) const;
  std::vector<Call> GetCalls() const;
  void GetInputDevices(std::function<void(std::vector<AudioDevice>)> callback);
  void GetOutputDevices(std::function<void(std::vector<AudioDevice>)> callback);
  void GetCurrentInputDevice(std::function<void(AudioDevice)> callback);
  void GetCurrentOutputDevice(std::function<void(AudioDevice)> callback);
  void SetInputDevice(std::string deviceId, ResultCallback callback);
  void SetOutputDevice(std::string deviceId, ResultCallback callback);
  static std::string GetDefaultAudioDeviceId();
  float GetInputVolume() const;
  void SetInputVolume(float volume);
  float GetOutputVolume() const;
  void SetOutputVolume(float volume);
  bool GetSelfDeafAll() const;
  void SetSelfDeafAll(bool isDeaf);
  bool GetSelfMuteAll() const;
  void SetSelfMuteAll(bool isMuted);
  void SetAecDump(bool isOn);
  void SetAutomaticGainControl(bool isOn);
  void SetEchoCancellation(bool isOn);
  void SetNoiseCancellation(bool isOn);
  void SetNoiseSuppression(bool isOn);
  void SetEngineManagedAudioSession(bool isEngineManaged);
  void SetOpusHardwareCoding(bool encode, bool decode);
  void SetNoAudioInputThreshold(float threshold);
  bool SetSpeakerMode(bool isOn);
  bool ShowAudioRoutePicker();
  void SetThreadPriority(Thread thread, std::int32_t priority);
  void SetDeviceChangeCallback(std::function<void(std::vector<AudioDevice>, std::vector<AudioDevice>)> callback);
  void SetNoAudioInputCallback(std::function<void(bool)> callback);
  void SetVoiceParticipantChangedCallback(std::function<void(std::uint64_t, std::uint64_t, bool)> callback);
  void AddVoiceLogCallback(std::function<void(std::string, LoggingSeverity)> callback, LoggingSeverity minSeverity);
  void SetVoiceLogDir(std::string path, LoggingSeverity minSeverity);

private:
  friend class detail::Core;

  std::shared_ptr<detail::Core> core_;
};

} // namespace sallyport::sdk

#endif
