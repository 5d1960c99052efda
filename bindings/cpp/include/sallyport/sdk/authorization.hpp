/** Arguments of an authorization, and options of a client. */
#ifndef SALLYPORT_SDK_AUTHORIZATION_HPP
#define SALLYPORT_SDK_AUTHORIZATION_HPP

#include <optional>

#include "sallyport/sdk/object.hpp"

namespace sallyport::sdk {

/** The public half of a proof key (RFC 7636). */
class AuthorizationCodeChallenge : public detail::Object {
public:
  AuthorizationCodeChallenge() = default;
  explicit AuthorizationCodeChallenge(detail::Uninitialized none) : Object(none) {}
  static const AuthorizationCodeChallenge nullobj;

  AuthenticationCodeChallengeMethod Method() const { return method_; }
  void SetMethod(AuthenticationCodeChallengeMethod value) { method_ = value; }
  std::string Challenge() const { return challenge_; }
  void SetChallenge(std::string value) { challenge_ = std::move(value); }

private:
  AuthenticationCodeChallengeMethod method_ = AuthenticationCodeChallengeMethod::S256;
  std::string challenge_;
};

/** A proof key. The verifier is a secret until GetToken. */
class AuthorizationCodeVerifier : public detail::Object {
public:
  AuthorizationCodeVerifier() = default;
  explicit AuthorizationCodeVerifier(detail::Uninitialized none) : Object(none) {}
  static const AuthorizationCodeVerifier nullobj;

  AuthorizationCodeChallenge Challenge() const { return challenge_; }
  void SetChallenge(AuthorizationCodeChallenge value) { challenge_ = std::move(value); }
  std::string Verifier() const { return verifier_; }
  void SetVerifier(std::string value) { verifier_ = std::move(value); }

private:
  AuthorizationCodeChallenge challenge_;
  std::string verifier_;
};

/** Arguments of Client::Authorize. */
class AuthorizationArgs : public detail::Object {
public:
  AuthorizationArgs() = default;
  explicit AuthorizationArgs(detail::Uninitialized none) : Object(none) {}
  static const AuthorizationArgs nullobj;

  /** The application; 0 (default): that of Client::SetApplicationId. */
  std::uint64_t ClientId() const { return client_id_; }
  void SetClientId(std::uint64_t value) { client_id_ = value; }
  /** Separated by spaces; empty: the default scopes for communication. The user must grant each. */
  std::string Scopes() const { return scopes_; }
  void SetScopes(std::string value) { scopes_ = std::move(value); }
  /** Unset (recommended): the bridge generates a random one. At most 1,024 characters. */
  std::optional<std::string> State() const { return state_; }
  void SetState(std::optional<std::string> value) { state_ = std::move(value); }
  /** Only for games with a backend that checks ID tokens. At most 1,024 characters. */
  std::optional<std::string> Nonce() const { return nonce_; }
  void SetNonce(std::optional<std::string> value) { nonce_ = std::move(value); }
  /** Needed for GetToken; see Client::CreateAuthorizationCodeVerifier. */
  std::optional<AuthorizationCodeChallenge> CodeChallenge() const { return code_challenge_; }
  void SetCodeChallenge(std::optional<AuthorizationCodeChallenge> value) { code_challenge_ = std::move(value); }
  std::optional<sdk::IntegrationType> IntegrationType() const { return integration_type_; }
  void SetIntegrationType(std::optional<sdk::IntegrationType> value) { integration_type_ = value; }
  /** The redirect becomes `<scheme>:/authorize/callback`; unset: a port of this machine. */
  std::optional<std::string> CustomSchemeParam() const { return custom_scheme_; }
  void SetCustomSchemeParam(std::optional<std::string> value) { custom_scheme_ = std::move(value); }

private:
  std::uint64_t client_id_ = 0;
  std::string scopes_;
  std::optional<std::string> state_;
  std::optional<std::string> nonce_;
  std::optional<AuthorizationCodeChallenge> code_challenge_;
  std::optional<sdk::IntegrationType> integration_type_;
  std::optional<std::string> custom_scheme_;
};

/** Arguments of Client::GetTokenFromDevice. */
class DeviceAuthorizationArgs : public detail::Object {
public:
  DeviceAuthorizationArgs() = default;
  explicit DeviceAuthorizationArgs(detail::Uninitialized none) : Object(none) {}
  static const DeviceAuthorizationArgs nullobj;

  /** The application; 0 (default): that of Client::SetApplicationId. */
  std::uint64_t ClientId() const { return client_id_; }
  void SetClientId(std::uint64_t value) { client_id_ = value; }
  /** Separated by spaces; empty: the default scopes for communication. */
  std::string Scopes() const { return scopes_; }
  void SetScopes(std::string value) { scopes_ = std::move(value); }

private:
  std::uint64_t client_id_ = 0;
  std::string scopes_;
};

/** Options of a new Client. Those of audio and threads have no effect: the library has neither. */
class ClientCreateOptions : public detail::Object {
public:
  ClientCreateOptions() = default;
  explicit ClientCreateOptions(detail::Uninitialized none) : Object(none) {}
  static const ClientCreateOptions nullobj;

  std::optional<std::uint64_t> CpuAffinityMask() const { return cpu_affinity_mask_; }
  void SetCpuAffinityMask(std::optional<std::uint64_t> value) { cpu_affinity_mask_ = value; }
  AudioSystem ExperimentalAudioSystem() const { return audio_system_; }
  void SetExperimentalAudioSystem(AudioSystem value) { audio_system_ = value; }
  bool ExperimentalAndroidPreventCommsForBluetooth() const { return prevents_comms_; }
  void SetExperimentalAndroidPreventCommsForBluetooth(bool value) { prevents_comms_ = value; }
  /** The only directory to search for the bridge; unset: the discovery rule. Not used on Windows. */
  std::optional<std::string> RuntimeDirectory() const { return runtime_directory_; }
  void SetRuntimeDirectory(std::optional<std::string> value) { runtime_directory_ = std::move(value); }
  /** Calls that wait for an answer, or for a connection, at the same time: 1 to 4,096. */
  std::int32_t MaxPendingCalls() const { return max_pending_calls_; }
  void SetMaxPendingCalls(std::int32_t value) { max_pending_calls_ = value; }
  /** Whether the platform's own client shows the presence when no bridge runs. Only a bridge does anything else. */
  bool PresenceThroughPlatformClient() const { return uses_platform_client_; }
  void SetPresenceThroughPlatformClient(bool value) { uses_platform_client_ = value; }
  /** The platform's own bases. A bridge has those of its settings, so that these have no effect. */
  std::string WebBase() const { return web_base_; }
  void SetWebBase(std::string value) { web_base_ = std::move(value); }
  std::string ApiBase() const { return api_base_; }
  void SetApiBase(std::string value) { api_base_ = std::move(value); }
  /** Name and version of the game, which the dashboard of the bridge shows; unset: this library. */
  std::optional<std::string> GameVersion() const { return game_version_; }
  void SetGameVersion(std::optional<std::string> value) { game_version_ = std::move(value); }

private:
  std::optional<std::uint64_t> cpu_affinity_mask_;
  AudioSystem audio_system_ = AudioSystem::Standard;
  bool prevents_comms_ = false;
  std::int32_t max_pending_calls_ = 1024;
  bool uses_platform_client_ = true;
  std::string web_base_, api_base_;
  std::optional<std::string> runtime_directory_;
  std::optional<std::string> game_version_;
};

} // namespace sallyport::sdk

#endif
