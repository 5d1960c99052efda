/** Client: authorization and tokens. */
#ifndef SALLYPORT_SDK_CLIENT_AUTHORIZATION_HPP
#define SALLYPORT_SDK_CLIENT_AUTHORIZATION_HPP

#include "sallyport/sdk/client.hpp"

namespace sdk {

inline AuthorizationCodeVerifier Client::CreateAuthorizationCodeVerifier() {
  sallyport_pkce pkce;
  if (sallyport_pkce_create(&pkce) != SALLYPORT_OK) {
    if (core_ != nullptr) core_->log(LoggingSeverity::Error, "the system has no random source for a verifier");
    return AuthorizationCodeVerifier::nullobj;
  }
  AuthorizationCodeChallenge challenge;
  challenge.SetChallenge(pkce.challenge);
  AuthorizationCodeVerifier verifier;
  verifier.SetChallenge(std::move(challenge));
  verifier.SetVerifier(pkce.verifier);
  return verifier;
}

inline std::string Client::GetDefaultCommunicationScopes() { return sallyport::scopes::communication_scopes; }
inline std::string Client::GetDefaultPresenceScopes() { return sallyport::scopes::presence_scopes; }

inline void Client::Authorize(AuthorizationArgs args, AuthorizationCallback callback) {
  const std::string none;
  if (core_ == nullptr) return end(callback, ClientResult{}, none, none);
  if (!args) return end(callback, detail::failure(ErrorType::ValidationError, "the arguments are uninitialized"), none, none);
  if (core_->application == 0) core_->use_application(args.ClientId());
  const std::uint64_t application = args.ClientId() == 0 ? core_->application : args.ClientId();
  const auto fill = [&](Json &json) {
    json.field("client_id", detail::Id{application});
    json.field("response_type", "code");
    if (!args.Scopes().empty()) json.field("scopes", detail::words_of(args.Scopes()));
    json.field("state", args.State());
    json.field("nonce", args.Nonce());
    if (const auto challenge = args.CodeChallenge()) {
      json.field("code_challenge", challenge->Challenge());
      json.field("code_challenge_method", "S256");
    }
    if (const auto type = args.IntegrationType()) json.field("integration_type", static_cast<std::int64_t>(*type));
    json.field("custom_scheme", args.CustomSchemeParam());
    if (core_->window_process > 0) json.field("pid", static_cast<std::int64_t>(core_->window_process));
  };
  /* The bridge ends it first, with an error that says more. */
  const std::int64_t limit = sallyport::limits::authorization_ms + 5000;
  core_->call(
      sallyport::commands::authorize, fill,
      [callback](const Answer &answer) {
        sallyport::records::Authorization grant;
        (void)sallyport::records::read(answer.data, grant);
        if (answer.result.Successful() && grant.code.empty())
          return task(callback, detail::failure(ErrorType::AuthorizationFailed, "the bridge sent no code; authorize again"),
                      std::string{}, std::string{});
        return task(callback, answer.result, grant.code, grant.redirect_uri.value_or(""));
      },
      limit);
}

inline void Client::AbortAuthorize() {
  call(
      sallyport::commands::abort_authorize, [](Json &) {}, nullptr);
}

/** A call that ends with tokens. `application` 0 is that of the client. */
template <class Fill>
void Client::exchange(const char *command, std::uint64_t application, Fill fill, const TokenExchangeCallback &callback) {
  const std::string none;
  if (core_ == nullptr) return end(callback, ClientResult{}, none, none, AuthorizationTokenType::Bearer, std::int32_t{0}, none);
  if (core_->application == 0) core_->use_application(application);
  const auto filled = [&](Json &json) {
    if (application != 0) json.field("application_id", detail::Id{application});
    fill(json);
  };
  core_->call(command, filled, [callback](const Answer &answer) {
    sallyport::records::StoredTokens tokens;
    if (answer.result.Successful()) (void)sallyport::records::read(answer.data, tokens);
    return task(callback, answer.result, tokens.access_token, tokens.refresh_token.value_or(""), AuthorizationTokenType::Bearer,
                static_cast<std::int32_t>(tokens.expires_in), tokens.scope);
  });
}

inline void Client::GetToken(std::uint64_t applicationId, std::string code, std::string codeVerifier, std::string redirectUri,
                             TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("code", code);
    json.field("code_verifier", codeVerifier);
    json.field("redirect_uri", redirectUri);
  };
  exchange(sallyport::commands::get_token, applicationId, fill, callback);
}

inline void Client::GetTokenFromProvisionalMerge(std::uint64_t applicationId, std::string code, std::string codeVerifier,
                                                 std::string redirectUri, AuthenticationExternalAuthType externalAuthType,
                                                 std::string externalToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("code", code);
    json.field("code_verifier", codeVerifier);
    json.field("redirect_uri", redirectUri);
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
  };
  exchange(sallyport::commands::get_token, applicationId, fill, callback);
}

inline void Client::RefreshToken(std::uint64_t applicationId, std::string refreshToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) { json.field("refresh_token", refreshToken); };
  exchange(sallyport::commands::refresh_token, applicationId, fill, callback);
}

inline void Client::GetProvisionalToken(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                                        std::string externalToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
  };
  exchange(sallyport::commands::get_provisional_token, applicationId, fill, callback);
}

inline void Client::ExchangeChildToken(std::string parentToken, std::uint64_t childApplicationId,
                                       ExchangeChildTokenCallback callback) {
  if (core_ == nullptr)
    return end(callback, ClientResult{}, std::string{}, AuthorizationTokenType::Bearer, std::int32_t{0}, std::string{});
  const auto fill = [&](Json &json) {
    json.field("parent_token", parentToken);
    json.field("child_application_id", detail::Id{childApplicationId});
  };
  core_->call(sallyport::commands::exchange_child_token, fill, [callback](const Answer &answer) {
    sallyport::records::StoredTokens tokens;
    if (answer.result.Successful()) (void)sallyport::records::read(answer.data, tokens);
    return task(callback, answer.result, tokens.access_token, AuthorizationTokenType::Bearer,
                static_cast<std::int32_t>(tokens.expires_in), tokens.scope);
  });
}

inline void Client::RevokeToken(std::uint64_t applicationId, std::string token, ResultCallback callback) {
  if (core_ != nullptr && core_->application == 0) core_->use_application(applicationId);
  const auto fill = [&](Json &json) {
    json.field("token", token);
    if (applicationId != 0) json.field("application_id", detail::Id{applicationId});
  };
  call(sallyport::commands::revoke_token, fill, callback);
}

inline void Client::UnmergeIntoProvisionalAccount(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                                                  std::string externalToken, ResultCallback callback) {
  if (core_ != nullptr && core_->application == 0) core_->use_application(applicationId);
  const auto fill = [&](Json &json) {
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
    if (applicationId != 0) json.field("application_id", detail::Id{applicationId});
  };
  call(sallyport::commands::unmerge_provisional_account, fill, callback);
}

inline void Client::UpdateToken(AuthorizationTokenType tokenType, std::string token, ResultCallback callback) {
  if (core_ == nullptr) return end(callback, ClientResult{});
  if (tokenType != AuthorizationTokenType::Bearer)
    return end(callback, detail::failure(ErrorType::ValidationError, "a game signs in with a Bearer token"));
  core_->update_token(token, callback);
}

template <class Callback> void Client::SetTokenExpirationCallback(Callback callback) {
  std::function<void()> expired;
  if constexpr (std::is_invocable_v<Callback &>) {
    expired = std::move(callback);
  } else if constexpr (!std::is_null_pointer_v<Callback>) {
    if (const std::function<void(AuthorizationTokenType)> given = std::move(callback))
      expired = [given] { given(AuthorizationTokenType::Bearer); };
  }
  set(&detail::Callbacks::token_expired, std::move(expired), {});
}

inline void Client::RegisterAuthorizeRequestCallback(std::function<void()> callback) {
  if (!callback) return RemoveAuthorizeRequestCallback();
  set(&detail::Callbacks::authorize_request, std::move(callback), {sallyport::events::authorize_request});
}

inline void Client::RemoveAuthorizeRequestCallback() {
  if (core_ == nullptr) return;
  core_->callbacks.authorize_request = nullptr;
  core_->connection.unsubscribe(sallyport::events::authorize_request);
}

} // namespace sdk

#endif
