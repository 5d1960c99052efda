/**
 * A client that a test drives over its standard streams: one command per line in, one JSON object per line out. It counts the
 * callbacks that exist, and can misuse the client inside callbacks.
 */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <sallyport/sdk.hpp>
#include <sallyport/write.hpp>

namespace {

/** A text as JSON. */
std::string quoted(const std::string &text) {
  const auto object = sallyport::json_object([&](auto &json) { json.field("x", text); });
  return object ? object->substr(5, object->size() - 6) : "null";
}

int alive = 0;

/** Held by every callback; what is alive at the end was not freed. */
struct Held {
  Held() { ++alive; }
  Held(const Held &) { ++alive; }
  Held &operator=(const Held &) = default;
  ~Held() { --alive; }
};

class Probe {
public:
  explicit Probe(const char *runtime) {
    options_.SetRuntimeDirectory(runtime);
    options_.SetGameVersion("probe/1.0");
    client_ = std::make_unique<sdk::Client>(options_);
  }

  bool obey(const std::string &line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "quit") return false;
    if (word == "inside") {
      words >> inside_;
      return true;
    }
    if (client_ == nullptr) {
      say("\"error\":\"no client\"");
      return true;
    }
    std::string argument;
    words >> argument;
    if (!connection(word, argument) && !calls(word, argument) && !listeners(word) && !getters(word, argument))
      say("\"error\":\"unknown\"");
    return true;
  }

  void run() {
#if defined(__cpp_exceptions)
    try {
      sdk::RunCallbacks();
    } catch (const std::runtime_error &error) {
      say("\"caught\":" + quoted(error.what()));
    }
#else
    sdk::RunCallbacks();
#endif
  }

private:
  static void say(const std::string &members) { std::cout << "{" << members << "}" << std::endl; }

  std::function<void(sdk::ClientResult)> done() {
    return [this, number = ++count_, held = Held()](sdk::ClientResult result) { report(number, result, ""); };
  }

  /** What every callback prints, and the misuse that the test chose. */
  void report(int number, const sdk::ClientResult &result, const std::string &more) {
    std::ostringstream line;
    line << "\"result\":" << number << ",\"ok\":" << (result.Successful() ? "true" : "false") << ",\"type\":\""
         << EnumToString(result.Type()) << "\",\"code\":" << result.ErrorCode()
         << ",\"http\":" << static_cast<int>(result.Status()) << ",\"retryable\":" << (result.Retryable() ? "true" : "false")
         << ",\"retry_after\":" << result.RetryAfter() << ",\"error\":" << quoted(result.Error())
         << ",\"text\":" << quoted(result.ToString()) << more;
    say(line.str());
    misuse();
  }

  void misuse() {
    const std::string what = std::exchange(inside_, "");
    if (what == "run") sdk::RunCallbacks();
    if (what == "destroy") client_.reset();
    if (what == "move") client_ = std::make_unique<sdk::Client>(std::move(*client_));
    if (what == "disconnect") client_->Disconnect();
    if (what == "call") client_->LeaveLobby(9, done());
    if (what == "replace") client_->RegisterAuthorizeRequestCallback([held = Held()] { say("\"event\":\"replaced\""); });
#if defined(__cpp_exceptions)
    if (what == "throw") throw std::runtime_error("thrown by a callback");
#endif
    if (!what.empty()) say("\"after\":\"" + what + "\"");
  }

  bool connection(const std::string &word, const std::string &text) {
    const std::uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (word == "app") client_->SetApplicationId(number);
    else if (word == "connect") client_->Connect();
    else if (word == "disconnect") client_->Disconnect();
    else if (word == "timeout") client_->SetHttpRequestTimeout(static_cast<std::int32_t>(number));
    else if (word == "token") client_->UpdateToken(sdk::AuthorizationTokenType::Bearer, text, done());
    else if (word == "user-token") client_->UpdateToken(sdk::AuthorizationTokenType::User, "x", done());
    else if (word == "move") {
      sdk::Client moved(std::move(*client_));
      client_->LeaveLobby(1, done());
      *client_ = std::move(moved);
    } else if (word == "destroy") client_.reset();
    else return false;
    return true;
  }

  bool calls(const std::string &word, const std::string &text) {
    const std::uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (word == "authorize") {
      sdk::AuthorizationArgs args;
      args.SetScopes("openid sdk.social_layer");
      args.SetCodeChallenge(client_->CreateAuthorizationCodeVerifier().Challenge());
      args.SetIntegrationType(sdk::IntegrationType::UserInstall);
      args.SetState("my-state");
      client_->Authorize(args, [this, n = ++count_, held = Held()](auto result, auto code, auto redirect) {
        report(n, result, ",\"value\":" + quoted(code + " " + redirect));
      });
    } else if (word == "null-args") {
      client_->Authorize(sdk::AuthorizationArgs::nullobj,
                         [this, n = ++count_](auto result, auto, auto) { report(n, result, ""); });
      client_->UpdateRichPresence(sdk::Activity::nullobj, done());
      client_->AcceptActivityInvite(sdk::ActivityInvite::nullobj,
                                    [this, n = ++count_](auto result, auto) { report(n, result, ""); });
      client_->SendActivityJoinRequestReply(sdk::ActivityInvite::nullobj, done());
      client_->LeaveLobby(1, nullptr);
    } else if (word == "abort") client_->AbortAuthorize();
    else if (word == "presence") {
      sdk::Activity activity;
      activity.SetState(text);
      client_->UpdateRichPresence(activity, done());
    } else if (word == "bad-text")
      client_->SendLobbyMessage(1, "\xff", [this, n = ++count_](auto result, auto) { report(n, result, ""); });
    else if (word == "clear") client_->ClearRichPresence();
    else if (word == "lobby")
      client_->CreateOrJoinLobbyWithMetadata(text, {{"map", "pier"}}, {},
                                             [this, n = ++count_, held = Held()](auto result, auto id) {
                                               report(n, result, ",\"value\":\"" + std::to_string(id) + "\"");
                                             });
    else if (word == "leave") client_->LeaveLobby(number, done());
    else if (word == "history")
      client_->GetLobbyMessagesWithLimit(number, 0, [this, n = ++count_, held = Held()](auto result, auto messages) {
        std::string ids;
        for (const auto &one : messages) ids += std::to_string(one.Id()) + " ";
        report(n, result, ",\"value\":" + quoted(ids));
      });
    else if (word == "accept")
      client_->AcceptActivityInvite(invite_, [this, n = ++count_, held = Held()](auto result, auto secret) {
        report(n, result, ",\"value\":" + quoted(secret));
      });
    else if (word == "invite") client_->SendActivityInvite(number, "come", done());
    else if (word == "ask") client_->SendActivityJoinRequest(number, done());
    else if (word == "reply") client_->SendActivityJoinRequestReply(invite_, done());
    else if (word == "launch")
      say(client_->RegisterLaunchCommand(number, "/usr/bin/game") ? "\"launch\":true" : "\"launch\":false");
    else if (word == "desktop-user")
      client_->GetDesktopClientUser(client_->GetApplicationId(), [this, n = ++count_, held = Held()](auto result, auto user) {
        report(n, result, ",\"value\":" + quoted(user ? user->DisplayName() : "none"));
      });
    else if (word == "voice") {
      client_->SetInputDevice("microphone", done());
      say(client_->StartCall(1) ? "\"call\":true" : "\"call\":false");
    } else return false;
    return true;
  }

  bool listeners(const std::string &word) {
    const Held held;
    const auto ids = [held](const std::string &name) {
      return [name, held](std::uint64_t one, auto... others) {
        std::string line = "\"event\":\"" + name + "\",\"ids\":\"" + std::to_string(one);
        (void)std::initializer_list<int>{(line += " " + std::to_string(others), 0)...};
        say(line + "\"");
      };
    };
    if (word == "on-link")
      client_->RegisterAuthorizeRequestCallback([this, held] {
        say("\"event\":\"link\"");
        misuse();
      });
    else if (word == "off-link") client_->RemoveAuthorizeRequestCallback();
    else if (word == "on-status")
      client_->SetStatusChangedCallback([this, held](auto status, auto error, auto detail) {
        say("\"status\":\"" + sdk::Client::StatusToString(status) + "\",\"reason\":\"" + sdk::Client::ErrorToString(error) +
            "\",\"detail\":" + std::to_string(detail));
        if (status == sdk::Client::Status::Ready) misuse();
      });
    else if (word == "on-log")
      client_->AddLogCallback(
          [held](auto text, auto severity) {
            say("\"log\":" + quoted(text) + ",\"severity\":\"" + EnumToString(severity) + "\"");
          },
          sdk::LoggingSeverity::Info);
    else if (word == "off-expired") client_->SetTokenExpirationCallback(nullptr);
    else if (word == "on-expired") client_->SetTokenExpirationCallback([held] { say("\"event\":\"expired\""); });
    else if (word == "on-invite")
      client_->SetActivityInviteCreatedCallback([this, held](sdk::ActivityInvite invite) {
        invite_ = invite;
        say("\"event\":\"invite\",\"type\":" + std::to_string(static_cast<int>(invite.Type())) + ",\"sender\":\"" +
            std::to_string(invite.SenderId()) + "\",\"application\":\"" + std::to_string(invite.ApplicationId()) + "\"");
      });
    else if (word == "on-join")
      client_->SetActivityJoinCallback([held](auto secret) { say("\"event\":\"join\",\"secret\":" + quoted(secret)); });
    else if (word == "on-message") {
      client_->SetMessageCreatedCallback(ids("message"));
      client_->SetMessageDeletedCallback(ids("deleted"));
    } else if (word == "on-lobby") {
      client_->SetLobbyMemberAddedCallback(ids("member added"));
      client_->SetLobbyDeletedCallback(ids("lobby deleted"));
    } else if (word == "on-relationship") {
      client_->SetRelationshipCreatedCallback(ids("friend"));
      client_->SetRelationshipDeletedCallback(ids("no friend"));
    } else return false;
    return true;
  }

  bool getters(const std::string &word, const std::string &text) {
    const std::uint64_t id = std::strtoull(text.c_str(), nullptr, 10);
    if (word == "user") {
      const auto user = client_->GetCurrentUserV2();
      say("\"user\":" + quoted(user ? user->DisplayName() : "none") +
          ",\"v1\":" + (client_->GetCurrentUser() ? "true" : "false"));
    } else if (word == "relationships") {
      std::string all;
      for (const auto &one : client_->GetRelationships())
        all += one.User()->Username() + " " + EnumToString(one.DiscordRelationshipType()) + " " +
               EnumToString(one.User()->Status()) + " ";
      say("\"relationships\":" + quoted(all));
    } else if (word == "lobby-members") {
      const auto lobby = client_->GetLobbyHandle(id);
      std::string members = lobby ? "" : "none";
      if (lobby)
        for (const auto member : lobby->LobbyMemberIds()) members += std::to_string(member) + " ";
      say("\"members\":" + quoted(members));
    } else if (word == "message") {
      const auto message = client_->GetMessageHandle(id);
      say("\"message\":" +
          quoted(message ? message->Author()->Username() + ": " + message->Content() + " " + message->AdditionalName()
                         : "none"));
    } else return false;
    return true;
  }

  sdk::ClientCreateOptions options_;
  std::unique_ptr<sdk::Client> client_;
  sdk::ActivityInvite invite_ = sdk::ActivityInvite::nullobj;
  std::string inside_;
  int count_ = 0;
};

/** Reads what came; empty at the end of the input. */
bool read_lines(std::string &pending, Probe &probe) {
  char bytes[4096];
  const ssize_t got = read(0, bytes, sizeof bytes);
  if (got == 0) return false;
  if (got > 0) pending.append(bytes, static_cast<std::size_t>(got));
  for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
    const std::string line = pending.substr(0, end);
    pending.erase(0, end + 1);
    if (!probe.obey(line)) return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  (void)fcntl(0, F_SETFL, fcntl(0, F_GETFL, 0) | O_NONBLOCK);
  {
    Probe probe(argv[1]);
    std::string pending;
    while (read_lines(pending, probe)) {
      probe.run();
      const timespec pause = {0, 2000000};
      (void)nanosleep(&pause, nullptr);
    }
  }
  std::cout << "{\"left\":" << alive << "}" << std::endl;
  return alive == 0 ? 0 : 1;
}
