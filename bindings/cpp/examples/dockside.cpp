/**
 * Dockside, a small terminal game: it signs in, sets a presence, joins a lobby and chats there. Restart the daemon while it runs:
 * the game waits, reconnects, and continues. Twin of bindings/c/examples/dockside.c.
 */
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <sallyport/client.hpp>
#include <sallyport/protocol.hpp>
#include <sallyport/sdk.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t application = 1180000000000000042;
const std::array<const char *, 6> ships = {"Copper Wren",    "Patient Ada",  "Salt Margin",
                                           "Northern Comma", "Quiet Quorum", "Second Breakfast"};
const std::array<const char *, 6> cargoes = {"oranges",      "piano keys",  "umbrellas",
                                             "printing ink", "snow globes", "bicycle bells"};

void say(const std::string &line) { std::cout << line << std::endl; }

class Dockside {
public:
  Dockside(sdk::ClientCreateOptions options, std::string secret, int rounds, std::chrono::milliseconds pause)
      : client_(std::move(options)), secret_(std::move(secret)), rounds_(rounds), pause_(pause) {}

  int play() {
    client_.SetApplicationId(application);
    client_.SetStatusChangedCallback([this](auto status, auto, auto) { on_status(status); });
    client_.SetTokenExpirationCallback([this] { sign_in(); });
    client_.RegisterAuthorizeRequestCallback([this] {
      say("  ~ the platform requests to link your account");
      sign_in();
    });
    client_.SetActivityJoinCallback([](std::string) { say("  ~ a friend joins the pier"); });
    client_.AddLogCallback([](auto message, auto) { std::cerr << message << std::endl; }, sdk::LoggingSeverity::Error);
    sign_in();
    while (!is_over_) {
      /* A game with a picture does this once per frame. */
      client_.RunCallbacks();
      step();
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
    return has_failed_ ? 1 : 0;
  }

private:
  enum class Step { SignIn, Join, Show, Chat, History, Clear };

  void sign_in() {
    if (is_signing_in_) return;
    is_signing_in_ = true;
    say("asking for your permission (a browser page may open) ...");
    const auto verifier = client_.CreateAuthorizationCodeVerifier();
    sdk::AuthorizationArgs args;
    args.SetClientId(application);
    args.SetScopes(sdk::Client::GetDefaultCommunicationScopes());
    args.SetCodeChallenge(verifier.Challenge());
    client_.Authorize(args, [this, verifier](sdk::ClientResult result, std::string code, std::string redirect) {
      if (!has_signed(result)) return;
      client_.GetToken(application, code, verifier.Verifier(), redirect,
                       [this](sdk::ClientResult got, std::string token, std::string, auto type, std::int32_t, std::string) {
                         if (!has_signed(got)) return;
                         client_.UpdateToken(type, token, [this](sdk::ClientResult updated) {
                           is_signing_in_ = false;
                           if (has_signed(updated)) client_.Connect();
                         });
                       });
    });
  }

  /** Ends the sign-in after an error; a transient one is tried again. */
  bool has_signed(const sdk::ClientResult &result) {
    if (result.Successful()) return true;
    is_signing_in_ = false;
    if (result.Retryable()) sign_in();
    else fail("signing in", result);
    return false;
  }

  void on_status(sdk::Client::Status status) {
    if (status == sdk::Client::Status::Reconnecting && !lost_at_) {
      lost_at_ = Clock::now();
      say("  ~ connection to the bridge lost, waiting");
      /* After a restart the lobby has a new id; the secret finds it again. */
      if (step_ != Step::SignIn && step_ != Step::Clear) step_ = Step::Join;
    }
    if (status != sdk::Client::Status::Ready) return;
    if (lost_at_) {
      const std::chrono::duration<double> outage = Clock::now() - *lost_at_;
      std::cout << "  ~ back after " << outage.count() << " s, signed in" << std::endl;
      lost_at_.reset();
      return;
    }
    const auto user = client_.GetCurrentUserV2();
    if (user) say("signed in as " + user->Username());
    if (step_ == Step::SignIn) go_on(Step::Join);
  }

  /** Makes the call of the current step, unless one waits for its answer. */
  void step() {
    if (is_pending_ || is_over_ || Clock::now() < next_at_ || client_.GetStatus() != sdk::Client::Status::Ready) return;
    is_pending_ = true;
    switch (step_) {
      case Step::SignIn: is_pending_ = false; return;
      case Step::Join: return join();
      case Step::Show: return show();
      case Step::Chat: return chat();
      case Step::History: return history();
      case Step::Clear:
        client_.ClearRichPresence();
        say("\n" + std::to_string(score_) + " crates ashore. Fair winds!");
        is_over_ = true;
    }
  }

  void join() {
    client_.CreateOrJoinLobby(secret_, [this](sdk::ClientResult result, std::uint64_t lobby) {
      if (!succeeded("joining the lobby", result)) return;
      lobby_ = lobby;
      say("the crew meets in lobby " + std::to_string(lobby));
      go_on(round_ < rounds_ ? Step::Show : Step::History);
    });
  }

  void show() {
    say("\n[" + std::to_string(round_ + 1) + "/" + std::to_string(rounds_) + "] the " + ship() + " comes alongside");
    sdk::Activity activity;
    activity.SetName("Dockside");
    activity.SetDetails("Unloading the " + ship());
    activity.SetState(std::to_string(score_) + " crates ashore");
    sdk::ActivityParty party;
    party.SetId("pier-9-" + secret_);
    party.SetCurrentSize(1);
    party.SetMaxSize(4);
    activity.SetParty(party);
    client_.UpdateRichPresence(activity, [this](sdk::ClientResult result) {
      if (succeeded("setting the presence", result)) go_on(Step::Chat);
    });
  }

  /** The client sends the message again after a lost connection, and the bridge makes it once. */
  void chat() {
    if (must_look_) return look();
    const std::string text = ship() + ": " + std::to_string(landed()) + " crates of " +
                             cargoes[static_cast<std::size_t>(round_ * 5 + 2) % 6] + " ashore";
    client_.SendLobbyMessageWithMetadata(lobby_, text, {{"mark", mark()}}, [this](sdk::ClientResult result, std::uint64_t) {
      must_look_ = is_unknown(result);
      if (must_look_) go_on(step_);
      else if (succeeded("chatting", result)) count_round();
    });
  }

  /** Reads the history after a message whose outcome is unknown. One that is not there is sent again. */
  void look() {
    client_.GetLobbyMessagesWithLimit(lobby_, 50, [this](sdk::ClientResult result, std::vector<sdk::MessageHandle> messages) {
      if (!succeeded("reading the history", result)) return;
      must_look_ = false;
      for (const auto &message : messages) {
        const auto metadata = message.Metadata();
        const auto found = metadata.find("mark");
        if (found != metadata.end() && found->second == mark()) return count_round();
      }
    });
  }

  void count_round() {
    score_ += landed();
    ++round_;
    go_on(round_ < rounds_ ? Step::Show : Step::History);
  }

  /** Whether a message may have been sent all the same. To send it again could show it twice. */
  static bool is_unknown(const sdk::ClientResult &result) {
    return result.ErrorCode() == static_cast<std::int32_t>(sallyport::ErrorCode::UnknownOutcome) ||
           (result.Type() == sdk::ErrorType::NetworkError && !result.Retryable());
  }

  void history() {
    client_.GetLobbyMessagesWithLimit(lobby_, 50, [this](sdk::ClientResult result, std::vector<sdk::MessageHandle> messages) {
      if (!succeeded("reading the history", result)) return;
      say("\nthe lobby remembers:");
      for (const auto &message : messages) say("  " + message.Author()->Username() + ": " + message.Content());
      go_on(Step::Clear);
    });
  }

  /** What every answer does first. After a transient error the step is repeated. */
  bool succeeded(const char *what, const sdk::ClientResult &result) {
    is_pending_ = false;
    next_at_ = Clock::now() + pause_;
    if (result.Successful()) return true;
    if (result.ErrorCode() == static_cast<std::int32_t>(sallyport::ErrorCode::InvalidLobby)) go_on(Step::Join);
    else if (!result.Retryable()) fail(what, result);
    return false;
  }

  void go_on(Step next) {
    step_ = next;
    is_pending_ = false;
    next_at_ = Clock::now() + pause_;
  }

  void fail(const char *what, const sdk::ClientResult &result) {
    std::cerr << "Dockside failed: " << what << ": " << result.ToString() << std::endl;
    has_failed_ = is_over_ = true;
  }

  std::string mark() const { return run_ + "-" + std::to_string(round_); }
  std::string ship() const { return ships[static_cast<std::size_t>(round_) % ships.size()]; }
  /** The tide swallows a few crates every third time. */
  int landed() const { return 8 + (round_ * 7) % 9 - (round_ % 3 == 2 ? 1 + round_ % 4 : 0); }

  sdk::Client client_;
  std::string secret_;
  /** Begins the mark of each message of this run. */
  std::string run_ = sallyport::Client::make_key();
  int rounds_;
  std::chrono::milliseconds pause_;
  Step step_ = Step::SignIn;
  int round_ = 0;
  int score_ = 0;
  std::uint64_t lobby_ = 0;
  bool is_pending_ = false;
  /** Whether the last message was sent is unknown; the history says it. */
  bool must_look_ = false;
  bool is_signing_in_ = false;
  bool is_over_ = false;
  bool has_failed_ = false;
  Clock::time_point next_at_{};
  std::optional<Clock::time_point> lost_at_;
};

int usage(const char *program) {
  std::cerr << "usage: " << program << " [--fast] [--rounds 1-100] [--secret TEXT] [--runtime-dir FOLDER]" << std::endl;
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  sdk::ClientCreateOptions options;
  options.SetGameVersion("dockside/0.1.0");
  std::string secret = "dockside-pier-9";
  int rounds = 5;
  std::chrono::milliseconds pause{500};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--fast") {
      pause = std::chrono::milliseconds(60);
      continue;
    }
    if (i + 1 >= argc) return usage(argv[0]);
    const char *value = argv[++i];
    if (word == "--rounds") rounds = static_cast<int>(std::strtol(value, nullptr, 10));
    else if (word == "--secret") secret = value;
    else if (word == "--runtime-dir") options.SetRuntimeDirectory(value);
    else return usage(argv[0]);
  }
  if (rounds < 1 || rounds > 100) return usage(argv[0]);
  say("Dockside - pier 9");
  return Dockside(std::move(options), std::move(secret), rounds, pause).play();
}
