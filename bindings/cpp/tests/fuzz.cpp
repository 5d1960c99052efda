/**
 * For libFuzzer: the whole client with the interface of the SDK, and a hostile server in one thread. The bytes are a script: each first byte
 * is an action of the server or of the game. Each callback of a call must run once.
 */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include <sallyport/sdk.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

const char *const READY =
    R"({"cmd":"DISPATCH","evt":"READY","nonce":null,"data":{"v":1,"user":{"id":"1"},"bridge":{"name":"s"},"contract":"1.0"}})";
const char *const EVENTS[] = {"LOBBY_CREATE",         "LOBBY_UPDATE",        "LOBBY_DELETE",        "LOBBY_MEMBER_ADD",    "LOBBY_MEMBER_UPDATE",
                              "LOBBY_MEMBER_REMOVE",  "LOBBY_MESSAGE_CREATE", "LOBBY_MESSAGE_UPDATE", "LOBBY_MESSAGE_DELETE",
                              "RELATIONSHIP_UPDATE",  "GAME_RELATIONSHIP_UPDATE", "ACTIVITY_INVITE", "ACTIVITY_JOIN", "ACTIVITY_JOIN_REQUEST",
                              "CURRENT_USER_UPDATE",  "TOKEN_REVOKED",       "AUTHORIZE_REQUEST",   "GAME_DIRECT_MESSAGE_CREATE"};
const std::uint64_t ID = 7;

class Script {
public:
  Script(const std::uint8_t *data, std::size_t size) : next_(data), left_(size) {}
  bool is_over() const { return left_ == 0; }
  unsigned byte() {
    if (left_ == 0) return 0;
    --left_;
    return *next_++;
  }
  /** So many of the next bytes as the next two say. */
  std::string text() {
    std::size_t length = byte();
    length = length * 256 + byte();
    if (length > left_) length = left_;
    std::string found(reinterpret_cast<const char *>(next_), length);
    next_ += length;
    left_ -= length;
    return found;
  }

private:
  const std::uint8_t *next_;
  std::size_t left_;
};

char folder[] = "/tmp/sallyport-fuzz-XXXXXX";

std::string path() { return std::string(folder) + "/discord-ipc-0"; }

void remove_folder() {
  (void)unlink(path().c_str());
  (void)rmdir(folder);
}

class Server {
public:
  Server() {
    if (mkdtemp(folder) == nullptr) abort();
    (void)std::atexit(remove_folder);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    listener_ = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listener_ < 0 || bind(listener_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) abort();
    if (listen(listener_, 8) != 0) abort();
    (void)fcntl(listener_, F_SETFL, O_NONBLOCK);
  }

  void end() {
    if (peer_ >= 0) (void)close(peer_);
    peer_ = -1;
    nonces_.clear();
  }

  /** Takes a new connection, and the nonces of what the client sent. */
  void serve() {
    static char received[65'536];
    const int fd = accept(listener_, nullptr, nullptr);
    if (fd >= 0) {
      end();
      peer_ = fd;
      (void)fcntl(peer_, F_SETFL, O_NONBLOCK);
    }
    if (peer_ < 0) return;
    for (ssize_t got = 0; (got = recv(peer_, received, sizeof received, 0)) > 0;) {
      const std::string text(received, static_cast<std::size_t>(got));
      const std::string key = "\"nonce\":\"";
      for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
        nonces_.push_back(text.substr(at + key.size(), text.find('"', at + key.size()) - at - key.size()));
    }
  }

  void send_text(const std::string &text) const {
    const auto length = static_cast<std::uint32_t>(text.size());
    std::string bytes{1, 0, 0, 0};
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(length >> (8 * i) & 255);
    bytes += text;
    if (peer_ >= 0) (void)send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  /** Answers the oldest call that has no answer. */
  void answer(const char *event, const std::string &data) {
    if (nonces_.empty()) return;
    send_text(R"({"cmd":"X","evt":)" + std::string(event) + R"(,"nonce":")" + nonces_.front() + R"(","data":)" + data + "}");
    nonces_.erase(nonces_.begin());
  }

private:
  int listener_ = -1;
  int peer_ = -1;
  std::vector<std::string> nonces_;
};

class Game {
public:
  Game() {
    sdk::ClientCreateOptions options;
    options.SetRuntimeDirectory(folder);
    client_ = std::make_unique<sdk::Client>(std::move(options));
    client_->SetApplicationId(42);
    client_->SetMessageCreatedCallback([this](std::uint64_t id) { read_message(id); });
    client_->SetLobbyUpdatedCallback([this](std::uint64_t id) { read_lobby(id); });
    client_->SetActivityJoinCallback([this](const std::string &) { client_->ClearRichPresence(); });
    client_->SetActivityInviteCreatedCallback([this](sdk::ActivityInvite invite) {
      client_->AcceptActivityInvite(std::move(invite), [](sdk::ClientResult, const std::string &) {});
    });
  }

  void poll() { client_->RunCallbacks(); }

  void play(unsigned action) {
    switch (action) {
    case 0: client_->UpdateToken(sdk::AuthorizationTokenType::Bearer, "t", done()); break;
    case 1: client_->Connect(); break;
    case 2: client_->CreateOrJoinLobby("s", [end = done()](sdk::ClientResult result, std::uint64_t) { end(std::move(result)); }); break;
    case 3: client_->SendLobbyMessage(ID, "x", [end = done()](sdk::ClientResult result, std::uint64_t) { end(std::move(result)); }); break;
    case 4: client_->UpdateRichPresence(sdk::Activity(), done()); break;
    case 5: client_->SignInSilently(done()); break;
    case 6:
      client_->GetLobbyMessagesWithLimit(
          ID, 5, [end = done()](sdk::ClientResult result, const std::vector<sdk::MessageHandle> &) { end(std::move(result)); });
      break;
    case 7:
      client_->GetUserGuilds(
          [end = done()](sdk::ClientResult result, const std::vector<sdk::GuildMinimal> &) { end(std::move(result)); });
      break;
    case 8: client_->SignOut(done()); break;
    default: read(); break;
    }
  }

  /** Ends the client. What waited has ended then. */
  void close() {
    client_->Disconnect();
    for (int turn = 0; turn < 4; ++turn) poll();
    client_.reset();
    if (begun_ != ended_) abort();
  }

private:
  std::function<void(sdk::ClientResult)> done() {
    ++begun_;
    return [this](const sdk::ClientResult &) { ++ended_; };
  }

  void read_message(std::uint64_t id) const {
    const auto message = client_->GetMessageHandle(id);
    if (!message) return;
    (void)message->Content();
    (void)message->Author();
    (void)message->Lobby();
  }

  void read_lobby(std::uint64_t id) const {
    const auto lobby = client_->GetLobbyHandle(id);
    if (!lobby) return;
    for (const auto &member : lobby->LobbyMembers()) {
      (void)member.User();
      (void)member.Metadata();
    }
  }

  void read() const {
    for (const auto id : client_->GetLobbyIds()) read_lobby(id);
    for (const auto &relationship : client_->GetRelationships()) {
      const auto user = relationship.User();
      if (!user) continue;
      (void)user->DisplayName();
      (void)user->GameActivity();
    }
    (void)client_->GetRelationshipsByGroup(sdk::RelationshipGroupType::OnlinePlayingGame);
    (void)client_->GetCurrentUserV2();
  }

  std::unique_ptr<sdk::Client> client_;
  long begun_ = 0;
  long ended_ = 0;
};

void play_server(Server &server, unsigned action, Script &script) {
  switch (action) {
  case 0: server.send_text(READY); break;
  case 1: server.answer("null", script.text()); break;
  case 2: server.answer("\"ERROR\"", script.text()); break;
  case 3: {
    const char *const event = EVENTS[script.byte() % (sizeof EVENTS / sizeof EVENTS[0])];
    server.send_text(R"({"cmd":"DISPATCH","nonce":null,"evt":")" + std::string(event) + R"(","data":)" + script.text() + "}");
    break;
  }
  case 4: server.answer("null", "{}"); break;
  default: server.end(); break;
  }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static Server server;
  Script script(data, size);
  Game game;
  game.poll();
  server.serve();
  while (!script.is_over()) {
    const unsigned action = script.byte() % 16;
    if (action < 6) play_server(server, action, script);
    else game.play(action - 6);
    game.poll();
    server.serve();
  }
  game.close();
  server.end();
  server.serve();
  server.end();
  return 0;
}
