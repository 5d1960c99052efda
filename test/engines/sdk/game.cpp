// "Harbour", a small co-op game as the public guides of the platform's SDK teach to write one. It knows nothing of Sallyport.
// harbour host SCOPES-BY-CONSENT | harbour guest TOKEN
#include "discordpp.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

static const uint64_t APPLICATION_ID = 1180000000000000042;
static const char *const LOBBY_SECRET = "harbour-crew";
static const char *const JOIN_SECRET = "harbour-join-secret";

static std::atomic<bool> running{true};
static void signalHandler(int) { running.store(false); }

static void print(const std::string &step, const discordpp::ClientResult &result) {
  std::cout << step << ": " << (result.Successful() ? "ok" : result.Error()) << std::endl;
}

class Harbour {
public:
  explicit Harbour(bool isHost) : isHost(isHost), client(std::make_shared<discordpp::Client>()) {}

  void start(const std::string &token) {
    client->AddLogCallback(
        [](std::string message, discordpp::LoggingSeverity severity) {
          std::cout << "[" << EnumToString(severity) << "] " << message << std::endl;
        },
        discordpp::LoggingSeverity::Warning);
    client->SetApplicationId(APPLICATION_ID);
    client->SetStatusChangedCallback([this](discordpp::Client::Status status, discordpp::Client::Error error, int32_t detail) {
      std::cout << "status " << discordpp::Client::StatusToString(status) << std::endl;
      if (error != discordpp::Client::Error::None)
        std::cout << "error " << discordpp::Client::ErrorToString(error) << " " << detail << std::endl;
      if (status == discordpp::Client::Status::Ready) onReady();
    });
    client->SetTokenExpirationCallback([] { std::cout << "the token expired" << std::endl; });
    client->SetMessageCreatedCallback([this](uint64_t id) { onMessage(id); });
    client->SetMessageDeletedCallback([](uint64_t, uint64_t) {});
    client->SetLobbyMemberAddedCallback([this](uint64_t lobbyId, uint64_t memberId) { onMember(lobbyId, memberId); });
    client->SetActivityInviteCreatedCallback([this](discordpp::ActivityInvite invite) { onInvite(invite); });
    client->SetActivityJoinCallback([](std::string secret) { std::cout << "join " << secret << std::endl; });
    client->SetRelationshipCreatedCallback(
        [](uint64_t userId, bool isDiscord) { std::cout << "friend " << userId << " " << isDiscord << std::endl; });
    client->SetRelationshipGroupsUpdatedCallback([this](uint64_t) { showFriends(); });
    client->SetUserUpdatedCallback([](uint64_t) {});
    client->SetThreadPriority(discordpp::Client::Thread::Network, 0);
    if (token.empty()) authorize();
    else update(discordpp::AuthorizationTokenType::Bearer, token);
  }

  void stop() {
    client->SetStatusChangedCallback(nullptr);
    client->SetTokenExpirationCallback(nullptr);
    client->SetMessageCreatedCallback(nullptr);
    client->SetMessageDeletedCallback(nullptr);
    client->SetLobbyMemberAddedCallback(nullptr);
    client->SetActivityInviteCreatedCallback(nullptr);
    client->SetActivityJoinCallback(nullptr);
    client->SetRelationshipCreatedCallback(nullptr);
    client->SetRelationshipGroupsUpdatedCallback(nullptr);
    client->SetUserUpdatedCallback(nullptr);
    client->ClearRichPresence();
    client->Disconnect();
  }

private:
  void authorize() {
    auto codeVerifier = client->CreateAuthorizationCodeVerifier();
    discordpp::AuthorizationArgs args{};
    args.SetClientId(APPLICATION_ID);
    args.SetScopes(discordpp::Client::GetDefaultCommunicationScopes());
    args.SetCodeChallenge(codeVerifier.Challenge());
    client->Authorize(args, [this, codeVerifier](auto result, auto code, auto redirectUri) {
      print("authorize", result);
      if (!result.Successful()) return;
      client->GetToken(APPLICATION_ID, code, codeVerifier.Verifier(), redirectUri,
                       [this](discordpp::ClientResult exchanged, std::string accessToken, std::string refreshToken,
                              discordpp::AuthorizationTokenType tokenType, int32_t expiresIn, std::string scope) {
                         print("token", exchanged);
                         std::cout << "expires in " << expiresIn << ", refresh " << !refreshToken.empty() << ", " << scope << std::endl;
                         update(tokenType, accessToken);
                       });
    });
  }

  void update(discordpp::AuthorizationTokenType type, std::string token) {
    client->UpdateToken(type, token, [this, type, token](discordpp::ClientResult result) {
      print("update", result);
      client->FetchCurrentUser(type, token, [this](discordpp::ClientResult fetched, uint64_t id, std::string name) {
        print("fetched " + name, fetched);
        std::cout << "authenticated " << client->IsAuthenticated() << " " << (id != 0) << std::endl;
      });
      client->Connect();
    });
  }

  void onReady() {
    auto user = client->GetCurrentUserV2();
    if (!user) return;
    std::cout << "I am " << user->Username() << " "
              << user->AvatarUrl(discordpp::UserHandle::AvatarType::Gif, discordpp::UserHandle::AvatarType::Png) << std::endl;
    client->SetOnlineStatus(discordpp::StatusType::Dnd, [](discordpp::ClientResult result) { print("online status", result); });
    client->UpdateProvisionalAccountDisplayName("Harbour hand", [](discordpp::ClientResult result) { print("name", result); });
    showFriends();
    showPresence();
    meet();
    if (isHost) signInOnDevice();
  }

  void showFriends() {
    using Group = discordpp::RelationshipGroupType;
    for (auto group : {Group::OnlinePlayingGame, Group::OnlineElsewhere, Group::Offline}) {
      for (auto &relationship : client->GetRelationshipsByGroup(group)) {
        auto user = relationship.User();
        if (!user) continue;
        auto activity = user->GameActivity();
        std::cout << EnumToString(group) << ": " << user->DisplayName() << " "
                  << (activity ? activity->Details().value_or("plays") : "plays nothing") << std::endl;
      }
    }
  }

  void showPresence() {
    discordpp::Activity activity;
    activity.SetType(discordpp::ActivityTypes::Playing);
    activity.SetState("In the harbour");
    activity.SetDetails("Unloading");
    discordpp::ActivityTimestamps timestamps;
    timestamps.SetStart(static_cast<uint64_t>(time(nullptr)));
    activity.SetTimestamps(timestamps);
    discordpp::ActivityParty party;
    party.SetId("harbour-party");
    party.SetCurrentSize(1);
    party.SetMaxSize(4);
    activity.SetParty(party);
    discordpp::ActivitySecrets secrets;
    secrets.SetJoin(JOIN_SECRET);
    activity.SetSecrets(secrets);
    activity.SetSupportedPlatforms(discordpp::ActivityGamePlatforms::Desktop);
    client->UpdateRichPresence(activity, [this](discordpp::ClientResult result) {
      print("presence", result);
      isShown = result.Successful();
      inviteGuest();
    });
  }

  void meet() {
    client->CreateOrJoinLobby(LOBBY_SECRET, [this](discordpp::ClientResult result, uint64_t lobbyId) {
      print("lobby", result);
      auto lobby = client->GetLobbyHandle(lobbyId);
      if (!lobby) return;
      for (auto &member : lobby->LobbyMembers()) {
        auto user = member.User();
        std::cout << "member " << (user ? user->DisplayName() : "stranger") << " connected " << member.Connected() << std::endl;
        onMember(lobbyId, member.Id());
      }
      client->SendLobbyMessage(lobbyId, isHost ? "Ahoy" : "Aye", [](discordpp::ClientResult sent, uint64_t) { print("message", sent); });
    });
    client->GetUserGuilds([this](discordpp::ClientResult result, std::vector<discordpp::GuildMinimal> guilds) {
      print("guilds", result);
      if (guilds.empty()) return;
      client->GetGuildChannels(guilds[0].Id(), [](discordpp::ClientResult answer, std::vector<discordpp::GuildChannel> channels) {
        print("channels", answer);
        for (auto &channel : channels)
          if (channel.IsLinkable() && !channel.LinkedLobby()) std::cout << "linkable #" << channel.Name() << std::endl;
      });
    });
  }

  void onMember(uint64_t, uint64_t memberId) {
    auto me = client->GetCurrentUserV2();
    if (!isHost || !me || memberId == me->Id()) return;
    guest = memberId;
    inviteGuest();
  }

  void inviteGuest() {
    if (!isHost || !isShown || guest == 0 || hasInvited) return;
    hasInvited = true;
    client->SendActivityInvite(guest, "Come aboard", [](discordpp::ClientResult result) { print("invite", result); });
  }

  void onMessage(uint64_t id) {
    auto message = client->GetMessageHandle(id);
    if (!message) return;
    auto author = message->Author();
    auto lobby = message->Lobby();
    std::cout << "chat " << (author ? author->DisplayName() : "?") << ": " << message->Content() << " in a lobby of "
              << (lobby ? lobby->LobbyMemberIds().size() : 0) << std::endl;
  }

  void onInvite(const discordpp::ActivityInvite &invite) {
    if (!invite.IsValid() || invite.Type() != discordpp::ActivityActionTypes::Join) return;
    client->AcceptActivityInvite(invite, [](discordpp::ClientResult result, std::string joinSecret) {
      print("accepted " + joinSecret, result);
    });
  }

  void signInOnDevice() {
    discordpp::DeviceAuthorizationArgs args{};
    args.SetClientId(APPLICATION_ID);
    args.SetScopes(discordpp::Client::GetDefaultPresenceScopes());
    client->GetTokenFromDevice(args, [](discordpp::ClientResult result, std::string, std::string, discordpp::AuthorizationTokenType,
                                        int32_t, std::string) {
      std::cout << "device: " << EnumToString(result.Type()) << std::endl;
    });
    client->AbortGetTokenFromDevice();
  }

  bool isHost;
  std::shared_ptr<discordpp::Client> client;
  uint64_t guest = 0;
  bool isShown = false;
  bool hasInvited = false;
};

int main(int argc, char **argv) {
  std::signal(SIGINT, signalHandler);
  std::signal(SIGTERM, signalHandler);
  const std::string role = argc > 1 ? argv[1] : "host";
  Harbour harbour(role == "host");
  harbour.start(argc > 2 ? argv[2] : "");
  while (running) {
    discordpp::RunCallbacks();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  harbour.stop();
  for (int frame = 0; frame < 20; ++frame) discordpp::RunCallbacks();
  std::cout << "bye" << std::endl;
  return 0;
}
