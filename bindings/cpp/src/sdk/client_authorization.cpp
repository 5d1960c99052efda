/** Client: authorization and tokens. */
#include "core.hpp"
#include "sallyport/sallyport.h"

namespace sallyport::sdk {

using detail::Reply;
using detail::Task;
using detail::end;
using detail::failure;
using detail::set;
using detail::task;
using Json = JsonWriter;

namespace {

/** The words of a list that spaces separate. */
std::vector<std::string> words_of(const std::string &text) {
  std::vector<std::string> words;
  for (std::size_t start = text.find_first_not_of(' '); start != std::string::npos;) {
    const std::size_t end = text.find(' ', start);
    words.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(' ', end);
  }
  return words;
}

/** The task for a callback with the tokens of a reply. */
Task tokens_task(const Client::TokenExchangeCallback &callback, const Reply &reply) {
  records::StoredTokens tokens;
  if (reply.result.Successful()) (void)reply.data.read(tokens);
  return task(callback, reply.result, tokens.access_token, tokens.refresh_token.value_or(""), AuthorizationTokenType::Bearer,
              static_cast<std::int32_t>(tokens.expires_in), tokens.scope);
}

void end_exchange(detail::Core *core, const Client::TokenExchangeCallback &callback, const ClientResult &result) {
  const std::string none;
  end(core, callback, result, none, none, AuthorizationTokenType::Bearer, std::int32_t{0}, none);
}

/** A call that ends with tokens. `application` 0 is that of the client. */
template <class Fill>
void exchange(detail::Core *core, const char *command, std::uint64_t application, Fill fill,
              const Client::TokenExchangeCallback &callback) {
  if (core == nullptr) return end_exchange(core, callback, ClientResult{});
  if (core->application == 0) core->use_application(application);
  const auto filled = [&](Json &json) {
    if (application != 0) json.field("application_id", Id{application});
    fill(json);
  };
  core->call(command, filled, [callback](const Reply &reply) { return tokens_task(callback, reply); });
}

} // namespace

AuthorizationCodeVerifier Client::CreateAuthorizationCodeVerifier() {
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

std::string Client::GetDefaultCommunicationScopes() { return scopes::communication_scopes; }
std::string Client::GetDefaultPresenceScopes() { return scopes::presence_scopes; }

void Client::Authorize(AuthorizationArgs args, AuthorizationCallback callback) {
  const std::string none;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, none, none);
  if (!args) return end(core_.get(), callback, failure(ErrorType::ValidationError, "the arguments are uninitialized"), none, none);
  if (core_->application == 0) core_->use_application(args.ClientId());
  const std::uint64_t application = args.ClientId() == 0 ? core_->application : args.ClientId();
  const auto fill = [&](Json &json) {
    json.field("client_id", Id{application});
    json.field("response_type", "code");
    if (!args.Scopes().empty()) json.field("scopes", words_of(args.Scopes()));
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
  const std::int64_t limit = limits::authorization_ms + 5000;
  core_->call(
      commands::authorize, fill,
      [callback](const Reply &reply) {
        records::Authorization grant;
        (void)reply.data.read(grant);
        if (reply.result.Successful() && grant.code.empty())
          return task(callback, failure(ErrorType::AuthorizationFailed, "the bridge sent no code; authorize again"),
                      std::string{}, std::string{});
        return task(callback, reply.result, grant.code, grant.redirect_uri.value_or(""));
      },
      limit);
}

void Client::AbortAuthorize() {
  detail::call(
      core_.get(), commands::abort_authorize, [](Json &) {}, nullptr);
}

void Client::GetToken(std::uint64_t applicationId, std::string code, std::string codeVerifier, std::string redirectUri,
                             TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("code", code);
    json.field("code_verifier", codeVerifier);
    json.field("redirect_uri", redirectUri);
  };
  exchange(core_.get(), commands::get_token, applicationId, fill, callback);
}

void Client::GetTokenFromProvisionalMerge(std::uint64_t applicationId, std::string code, std::string codeVerifier,
                                                 std::string redirectUri, AuthenticationExternalAuthType externalAuthType,
                                                 std::string externalToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("code", code);
    json.field("code_verifier", codeVerifier);
    json.field("redirect_uri", redirectUri);
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
  };
  exchange(core_.get(), commands::get_token, applicationId, fill, callback);
}

void Client::RefreshToken(std::uint64_t applicationId, std::string refreshToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) { json.field("refresh_token", refreshToken); };
  exchange(core_.get(), commands::refresh_token, applicationId, fill, callback);
}

void Client::GetProvisionalToken(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                                        std::string externalToken, TokenExchangeCallback callback) {
  const auto fill = [&](Json &json) {
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
  };
  exchange(core_.get(), commands::get_provisional_token, applicationId, fill, callback);
}

void Client::ExchangeChildToken(std::string parentToken, std::uint64_t childApplicationId,
                                       ExchangeChildTokenCallback callback) {
  if (core_ == nullptr)
    return end(core_.get(), callback, ClientResult{}, std::string{}, AuthorizationTokenType::Bearer, std::int32_t{0}, std::string{});
  const auto fill = [&](Json &json) {
    json.field("parent_token", parentToken);
    json.field("child_application_id", Id{childApplicationId});
  };
  core_->call(commands::exchange_child_token, fill, [callback](const Reply &reply) {
    records::StoredTokens tokens;
    if (reply.result.Successful()) (void)reply.data.read(tokens);
    return task(callback, reply.result, tokens.access_token, AuthorizationTokenType::Bearer,
                static_cast<std::int32_t>(tokens.expires_in), tokens.scope);
  });
}

void Client::RevokeToken(std::uint64_t applicationId, std::string token, ResultCallback callback) {
  if (core_ != nullptr && core_->application == 0) core_->use_application(applicationId);
  const auto fill = [&](Json &json) {
    json.field("token", token);
    if (applicationId != 0) json.field("application_id", Id{applicationId});
  };
  detail::call(core_.get(), commands::revoke_token, fill, callback);
}

void Client::UnmergeIntoProvisionalAccount(std::uint64_t applicationId, AuthenticationExternalAuthType externalAuthType,
                                                  std::string externalToken, ResultCallback callback) {
  if (core_ != nullptr && core_->application == 0) core_->use_application(applicationId);
  const auto fill = [&](Json &json) {
    json.field("external_auth_type", detail::text_of(externalAuthType));
    json.field("external_auth_token", externalToken);
    if (applicationId != 0) json.field("application_id", Id{applicationId});
  };
  detail::call(core_.get(), commands::unmerge_provisional_account, fill, callback);
}

void Client::UpdateToken(AuthorizationTokenType tokenType, std::string token, ResultCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{});
  if (tokenType != AuthorizationTokenType::Bearer)
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "a game signs in with a Bearer token"));
  core_->update_token(token, callback);
}

void Client::SignInSilently(ResultCallback callback) {
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{});
  core_->sign_in_silently(std::move(callback));
}

void Client::SignOut(ResultCallback callback) {
  detail::call(core_.get(), commands::forget_tokens, [](Json &) {}, callback);
}

bool Client::IsAuthenticated() { return core_ != nullptr && core_->is_signed_in(); }

void Client::FetchCurrentUser(AuthorizationTokenType tokenType, std::string token,
                              std::function<void(ClientResult, std::uint64_t, std::string)> callback) {
  const std::string none;
  if (core_ == nullptr) return end(core_.get(), callback, ClientResult{}, std::uint64_t{0}, none);
  if (tokenType != AuthorizationTokenType::Bearer || !core_->is_own_token(token))
    return end(core_.get(), callback, failure(ErrorType::ValidationError, "sign in with the token first: UpdateToken"),
               std::uint64_t{0}, none);
  core_->call(
      commands::get_current_user, [](Json &) {},
      [callback](const Reply &reply) {
        records::RpcUser user;
        if (reply.result.Successful()) (void)reply.data.read(user);
        return task(callback, reply.result, user.id, user.global_name.value_or(user.username));
      });
}

/** AUTHORIZE_DEVICE, then GET_TOKEN_FROM_DEVICE, which waits for the user. */
static void device_tokens(detail::Core *core, const DeviceAuthorizationArgs &args, std::optional<AuthenticationExternalAuthType> type,
                          std::string token, Client::TokenExchangeCallback callback) {
  if (core == nullptr) return end_exchange(core, callback, ClientResult{});
  if (!args) return end_exchange(core, callback, failure(ErrorType::ValidationError, "the arguments are uninitialized"));
  if (core->device)
    return end_exchange(core, callback, failure(ErrorType::ClientNotReady, "another device authorization runs; abort it first"));
  if (core->application == 0) core->use_application(args.ClientId());
  const auto waits = std::make_shared<Client::TokenExchangeCallback>(std::move(callback));
  core->device = waits;
  const auto finish = [core, waits](const Reply &reply) -> Task {
    if (core->device != waits) return nullptr;
    core->device.reset();
    return tokens_task(*waits, reply);
  };
  const auto fill = [&](Json &json) {
    if (args.ClientId() != 0) json.field("client_id", Id{args.ClientId()});
    if (!args.Scopes().empty()) json.field("scopes", words_of(args.Scopes()));
  };
  core->call(commands::authorize_device, fill, [core, waits, finish, type, token](const Reply &reply) -> Task {
    if (!reply.result.Successful() || core->device != waits) return finish(reply);
    std::string code;
    std::string page;
    (void)reply.data.read("user_code", code);
    (void)reply.data.read("verification_uri", page);
    core->log(LoggingSeverity::Info, "the user signs in on another device, at " + page);
    const auto rest = [&](Json &json) {
      json.field("user_code", code);
      if (!type) return;
      json.field("external_auth_type", detail::text_of(*type));
      json.field("external_auth_token", token);
    };
    core->call(commands::get_token_from_device, rest, finish, limits::authorization_ms + 5000);
    return [shown = core->callbacks.device_code, code, page] {
      if (shown) shown(code, page);
    };
  });
}

void Client::GetTokenFromDevice(DeviceAuthorizationArgs args, TokenExchangeCallback callback) {
  device_tokens(core_.get(), args, std::nullopt, {}, std::move(callback));
}

void Client::GetTokenFromDeviceProvisionalMerge(DeviceAuthorizationArgs args, AuthenticationExternalAuthType externalAuthType,
                                                std::string externalToken, TokenExchangeCallback callback) {
  device_tokens(core_.get(), args, externalAuthType, std::move(externalToken), std::move(callback));
}

void Client::AbortGetTokenFromDevice() {
  if (core_ == nullptr || !core_->device) return;
  const auto ended = std::exchange(core_->device, nullptr);
  end_exchange(core_.get(), *ended, failure(ErrorType::Aborted, "the game aborted the device authorization"));
}

void Client::SetDeviceCodeCallback(std::function<void(std::string, std::string)> callback) {
  set(core_.get(), &detail::Callbacks::device_code, std::move(callback), {});
}

void Client::OpenAuthorizeDeviceScreen(std::uint64_t, std::string) {
  if (core_ != nullptr)
    core_->log(LoggingSeverity::Error, "OpenAuthorizeDeviceScreen: no screen opens; show the code of SetDeviceCodeCallback");
}

void Client::CloseAuthorizeDeviceScreen() {}

void Client::SetAuthorizeDeviceScreenClosedCallback(std::function<void()> callback) {
  set(core_.get(), &detail::Callbacks::device_screen_closed, std::move(callback), {});
}

void Client::ProvisionalUserMergeCompleted(bool) {}

void Client::UpdateProvisionalAccountDisplayName(std::string name, ResultCallback callback) {
  detail::call(
      core_.get(), commands::update_provisional_account_display_name, [&](Json &json) { json.field("global_name", name); }, callback);
}

void Client::SetTokenExpirationCallback(TokenExpirationCallback callback) {
  set(core_.get(), &detail::Callbacks::token_expired, callback.take(), {});
}

void Client::RegisterAuthorizeRequestCallback(std::function<void()> callback) {
  if (!callback) return RemoveAuthorizeRequestCallback();
  set(core_.get(), &detail::Callbacks::authorize_request, std::move(callback), {events::authorize_request});
}

void Client::RemoveAuthorizeRequestCallback() {
  if (core_ == nullptr) return;
  core_->callbacks.authorize_request = nullptr;
  core_->unsubscribe(events::authorize_request);
}

} // namespace sallyport::sdk
