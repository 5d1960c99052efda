/**
 * A program as the documentation of the platform's SDK teaches it: sign-in, presence, lobby, messages, invites. Two lines differ,
 * the include and the alias of the namespace. Prints one line per step; ends with 0 when all steps succeeded.
 */
#include <sallyport/sdk.hpp>
namespace discordpp = sdk;

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <thread>

static const uint64_t APPLICATION_ID = 1180000000000000042;
static bool isRunning = true;
static int exitCode = 1;

static void stop(int code) {
  exitCode = code;
  isRunning = false;
}

static void expect(const discordpp::ClientResult &result, const char *step) {
  std::cout << step << ": " << result.ToString() << std::endl;
  if (!result.Successful()) stop(1);
}

static void readGuilds(std::shared_ptr<discordpp::Client> client) {
  client->GetUserGuilds([client](discordpp::ClientResult result, std::vector<discordpp::GuildMinimal> guilds) {
    expect(result, "guilds");
    if (guilds.empty()) return stop(1);
    client->GetGuildChannels(guilds[0].Id(), [name = guilds[0].Name()](discordpp::ClientResult answer,
                                                                       std::vector<discordpp::GuildChannel> channels) {
      expect(answer, "channels");
      for (const auto &channel : channels)
        if (channel.Type() == discordpp::ChannelType::GuildText)
          std::cout << "  " << name << " has #" << channel.Name() << " at " << channel.Position() << std::endl;
      stop(channels.empty() ? 1 : 0);
    });
  });
}

static void chat(std::shared_ptr<discordpp::Client> client) {
  client->SetMessageCreatedCallback([client](uint64_t messageId) {
    auto message = client->GetMessageHandle(messageId);
    if (message) std::cout << "message from " << message->Author()->DisplayName() << ": " << message->Content() << std::endl;
  });
  client->CreateOrJoinLobby("the-secret-of-the-lobby", [client](discordpp::ClientResult result, uint64_t lobbyId) {
    expect(result, "lobby");
    auto lobby = client->GetLobbyHandle(lobbyId);
    if (lobby) std::cout << "  members: " << lobby->LobbyMemberIds().size() << std::endl;
    client->SendLobbyMessage(lobbyId, "Hello from C++", [client, lobbyId](discordpp::ClientResult sent, uint64_t messageId) {
      expect(sent, "message");
      if (messageId == 0) stop(1);
      client->GetLobbyMessagesWithLimit(
          lobbyId, 50, [client](discordpp::ClientResult read, std::vector<discordpp::MessageHandle> messages) {
            expect(read, "history");
            for (const auto &message : messages)
              std::cout << "  " << message.Author()->Username() << ": " << message.Content() << std::endl;
            readGuilds(client);
          });
    });
  });
}

static void showPresence(std::shared_ptr<discordpp::Client> client) {
  discordpp::Activity activity;
  activity.SetType(discordpp::ActivityTypes::Playing);
  activity.SetState("In a competitive match");
  activity.SetDetails("Rank: Diamond II");

  discordpp::ActivityTimestamps timestamps;
  timestamps.SetStart(static_cast<uint64_t>(time(nullptr)));
  activity.SetTimestamps(timestamps);

  discordpp::ActivityAssets assets;
  assets.SetLargeImage("map-mainframe");
  assets.SetLargeText("Mainframe");
  activity.SetAssets(assets);

  discordpp::ActivityParty party;
  party.SetId("party1234");
  party.SetCurrentSize(1);
  party.SetMaxSize(4);
  activity.SetParty(party);

  discordpp::ActivitySecrets secrets;
  secrets.SetJoin("join-secret-1234");
  activity.SetSecrets(secrets);
  activity.SetSupportedPlatforms(discordpp::ActivityGamePlatforms::Desktop | discordpp::ActivityGamePlatforms::Xbox);

  client->UpdateRichPresence(activity, [client](discordpp::ClientResult result) {
    expect(result, "presence");
    chat(client);
  });
}

int main() {
  auto client = std::make_shared<discordpp::Client>();

  client->AddLogCallback(
      [](auto message, auto severity) { std::cerr << "[" << EnumToString(severity) << "] " << message << std::endl; },
      discordpp::LoggingSeverity::Info);

  client->SetStatusChangedCallback(
      [client](discordpp::Client::Status status, discordpp::Client::Error error, int32_t errorDetail) {
        std::cout << "status: " << discordpp::Client::StatusToString(status) << std::endl;
        if (status == discordpp::Client::Status::Ready) {
          auto user = client->GetCurrentUserV2();
          std::cout << "signed in as " << (user ? user->Username() : "?") << ", with " << client->GetRelationships().size()
                    << " relationships" << std::endl;
          showPresence(client);
        } else if (error != discordpp::Client::Error::None) {
          std::cerr << "error: " << discordpp::Client::ErrorToString(error) << " " << errorDetail << std::endl;
        }
      });

  client->SetActivityInviteCreatedCallback([client](discordpp::ActivityInvite invite) {
    client->AcceptActivityInvite(invite, [](discordpp::ClientResult result, std::string) { expect(result, "accept"); });
  });
  client->SetActivityJoinCallback([client](std::string joinSecret) {
    client->CreateOrJoinLobby(joinSecret, [](discordpp::ClientResult result, uint64_t) { expect(result, "join"); });
  });
  client->RegisterLaunchCommand(APPLICATION_ID, "dockside-sample://launch");

  auto codeVerifier = client->CreateAuthorizationCodeVerifier();
  discordpp::AuthorizationArgs args{};
  args.SetClientId(APPLICATION_ID);
  args.SetScopes(discordpp::Client::GetDefaultCommunicationScopes());
  args.SetCodeChallenge(codeVerifier.Challenge());

  client->Authorize(args, [client, codeVerifier](auto result, auto code, auto redirectUri) {
    expect(result, "authorize");
    if (!result.Successful()) return;
    client->GetToken(APPLICATION_ID, code, codeVerifier.Verifier(), redirectUri,
                     [client](discordpp::ClientResult exchanged, std::string accessToken, std::string refreshToken,
                              discordpp::AuthorizationTokenType tokenType, int32_t expiresIn, std::string scopes) {
                       expect(exchanged, "token");
                       std::cout << "  expires in " << expiresIn / 86400 << " days, " << (refreshToken.empty() ? "no" : "a")
                                 << " refresh token, " << (scopes.empty() ? "no scopes" : "with scopes") << std::endl;
                       client->UpdateToken(tokenType, accessToken, [client](discordpp::ClientResult updated) {
                         expect(updated, "update");
                         if (updated.Successful()) client->Connect();
                       });
                     });
  });

  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (isRunning && std::chrono::steady_clock::now() < end) {
    discordpp::RunCallbacks();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return exitCode;
}
