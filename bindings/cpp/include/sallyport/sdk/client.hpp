/**
 * The client of the SDK over a Sallyport bridge.
 *
 * Threads: use all clients of a process from one thread at a time. A game with a thread per client calls its
 *   `client.RunCallbacks()` there instead of `sdk::RunCallbacks()`.
 * Callbacks: run inside RunCallbacks only. They may call everything; RunCallbacks inside one does nothing. They may destroy the
 *   client. After the destruction of a client no callback of it runs: those that wait are discarded.
 * Calls: a function with a callback calls it once, unless the client is destroyed before. A call waits for the bridge as long as
 *   SetHttpRequestTimeout says. A call whose connection is lost ends with a retryable NetworkError, because the bridge may have
 *   executed it; it is not repeated.
 * Exceptions: the library throws none and works without them. One that a callback throws leaves RunCallbacks; the callbacks
 *   behind it run the next time.
 */
#ifndef SALLYPORT_SDK_CLIENT_HPP
#define SALLYPORT_SDK_CLIENT_HPP

#include <functional>
#include <initializer_list>

#include "sallyport/sdk/call.hpp"
#include "sallyport/sdk/detail/core_events.hpp"
#include "sallyport/sdk/detail/registry.hpp"

namespace sdk {

/** Runs the callbacks of all clients. Once per frame of the game; it never waits. */
inline void RunCallbacks() {
  for (const auto &core : detail::all_cores()) core->run();
}

class Client {
public:
  using Status = detail::ClientStatus;
  using Error = detail::ClientError;

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

  Client() : Client(ClientCreateOptions{}) {}
  explicit Client(ClientCreateOptions options) : Client(std::make_shared<detail::Core>(std::move(options))) {}
  /** An uninitialized client: calls end with ClientDestroyed at once. */
  explicit Client(detail::Uninitialized) {}
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;
  /** A client that was moved from is uninitialized. */
  Client(Client &&other) noexcept = default;
  Client &operator=(Client &&other) noexcept {
    if (this != &other) {
      drop();
      core_ = std::move(other.core_);
    }
    return *this;
  }
  ~Client() { drop(); }
  static const Client nullobj;
  explicit operator bool() const noexcept { return core_ != nullptr; }

  /** Runs the callbacks of this client only. */
  void RunCallbacks() {
    if (const auto core = core_) core->run();
  }

  /* client_connection.hpp */
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
  void AddLogCallback(std::function<void(std::string message, LoggingSeverity)> callback, LoggingSeverity minSeverity);
  /** Milliseconds, 1 to 300,000; default 30,000. */
  void SetHttpRequestTimeout(std::int32_t milliseconds);
  /** The process whose window shows the consent; default: this one. */
  void SetGameWindowPid(std::int32_t processId);

  /* client_authorization.hpp */
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
  /**
   * Called when the sign-in ended because its token expired. Get another one, then UpdateToken and Connect. Takes a function without
   * parameters or with the AuthorizationTokenType, or nullptr.
   */
  template <class Callback> void SetTokenExpirationCallback(Callback callback);
  /** Called when the user requests to link the account in the platform's client, also after a restart of the bridge. */
  void RegisterAuthorizeRequestCallback(std::function<void()> callback);
  void RemoveAuthorizeRequestCallback();

  /* client_presence.hpp */
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
  void SetActivityJoinCallback(std::function<void(std::string joinSecret)> callback);
  void
  SetActivityJoinWithApplicationCallback(std::function<void(std::uint64_t applicationId, std::string joinSecret)> callback);
  /** True if the command was sent to the bridge, or waits for it; a refusal is logged. */
  bool RegisterLaunchCommand(std::uint64_t applicationId, std::string command);
  bool RegisterLaunchSteamApplication(std::uint64_t applicationId, std::uint32_t steamAppId);

  /* client_messages.hpp */
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
  void SetMessageCreatedCallback(IdCallback callback);
  void SetMessageUpdatedCallback(IdCallback callback);
  void SetMessageDeletedCallback(TwoIdsCallback callback);
  void SetLobbyCreatedCallback(IdCallback callback);
  void SetLobbyUpdatedCallback(IdCallback callback);
  void SetLobbyDeletedCallback(IdCallback callback);
  void SetLobbyMemberAddedCallback(TwoIdsCallback callback);
  void SetLobbyMemberUpdatedCallback(TwoIdsCallback callback);
  void SetLobbyMemberRemovedCallback(TwoIdsCallback callback);

  /* client_users.hpp */
  /** Empty until the status is Ready. */
  std::optional<UserHandle> GetCurrentUserV2() const;
  /** Uninitialized until the status is Ready. */
  UserHandle GetCurrentUser() const;
  std::optional<UserHandle> GetUser(std::uint64_t userId) const;
  std::vector<RelationshipHandle> GetRelationships() const;
  RelationshipHandle GetRelationshipHandle(std::uint64_t userId) const;
  void SetRelationshipCreatedCallback(RelationshipCallback callback);
  void SetRelationshipDeletedCallback(RelationshipCallback callback);
  void SetUserUpdatedCallback(IdCallback callback);
  /** The user that the bridge knows for this application without a sign-in of the game, e.g. that of the desktop client. */
  void GetDesktopClientUser(std::uint64_t applicationId, UserCallback callback) const;
  /** The same under the name of the public interface. */
  void GetDiscordClientConnectedUser(std::uint64_t applicationId, UserCallback callback) const;
  /** In the order of the platform's client. */
  void GetGuildChannels(std::uint64_t guildId, ChannelsCallback callback);
  void GetUserGuilds(GuildsCallback callback);

  /* call.hpp: a bridge carries no audio. These are logged as errors, and their callbacks get Disabled. */
  Call StartCall(std::uint64_t channelId);
  Call StartCallWithAudioCallbacks(std::uint64_t lobbyId, AudioReceivedCallback received, AudioCapturedCallback captured);
  void SetInputDevice(std::string deviceId, ResultCallback callback);
  void SetOutputDevice(std::string deviceId, ResultCallback callback);
  void SetEngineManagedAudioSession(bool isEngineManaged);
  void SetAecDump(bool isOn);
  void SetVoiceLogDir(std::string path, LoggingSeverity minSeverity);

protected:
  /** A program may derive from the inside of its client to see every state and event, as the adapter of the conformance kit. */
  explicit Client(std::shared_ptr<detail::Core> core) : core_(std::move(core)) { detail::register_core(core_); }

  std::shared_ptr<detail::Core> core_;

private:
  /** What the callbacks hold may use this client while it is freed. */
  void drop() noexcept {
    if (const auto core = std::move(core_)) core->drop();
  }

  using Core = detail::Core;
  using Answer = detail::Answer;
  using Task = detail::Task;
  using Json = detail::JsonWriter;

  /** The task for a callback with values after the result. */
  template <class Callback, class... Values>
  static Task task(const Callback &callback, const ClientResult &result, Values... values) {
    if (!callback) return nullptr;
    return [callback, result, values...] { callback(result, values...); };
  }

  /** Ends a call that this client does not make, in the next RunCallbacks; at once without a client. */
  template <class Callback, class... Values>
  void end(const Callback &callback, const ClientResult &result, Values... values) const {
    if (core_ != nullptr) return core_->connection.add(task(callback, result, values...));
    if (callback) callback(detail::failure(ErrorType::ClientDestroyed, "the client is uninitialized"), values...);
  }

  /** Makes a call whose answer has nothing for the callback but the result. */
  template <class Fill> void call(const char *command, Fill fill, const ResultCallback &callback) {
    if (core_ == nullptr) return end(callback, ClientResult{});
    core_->call(command, fill, [callback](const Answer &answer) { return task(callback, answer.result); });
  }

  template <class Fill>
  void exchange(const char *command, std::uint64_t application, Fill fill, const TokenExchangeCallback &callback);
  template <class Record, class Fill> void send_message(const char *command, Fill fill, const SentCallback &callback);
  template <class Record>
  void history(const char *command, const char *key, std::uint64_t id, std::int32_t limit, const MessagesCallback &callback);
  template <class Fill> bool register_launch(const char *command, std::uint64_t application, Fill fill);
  void subscribe(std::initializer_list<const char *> events);
  template <class Callback>
  void set(Callback detail::Callbacks::*member, Callback callback, std::initializer_list<const char *> events);
  Call no_audio(const char *function) const;
};

inline const Client Client::nullobj{detail::Uninitialized{}};

namespace detail {

/** The name of the type in the protocol. */
inline const char *text_of(AuthenticationExternalAuthType type) {
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

} // namespace detail
} // namespace sdk

#endif
