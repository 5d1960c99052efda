/** Objects of the SDK and the JSON that they become: no server. Prints the Test Anything Protocol. */
#include <memory>
#include <type_traits>

#include <sallyport/sdk.hpp>

#include "../../c/tests/tap.h"
#include "../src/sdk/cache.hpp"
#include "sallyport/client.hpp"
#include "sallyport/sallyport.h"

namespace {

template <class T> void test_object(const char *name) {
  const std::string title = name;
  static_assert(std::is_copy_constructible<T>::value && std::is_copy_assignable<T>::value, "copied");
  static_assert(std::is_nothrow_move_constructible<T>::value && std::is_nothrow_move_assignable<T>::value, "moved");
  T copy = T::nullobj;
  OK(!T::nullobj && !copy, (title + "::nullobj is uninitialized, and so is a copy").c_str());
}

void test_authorization_args() {
  sdk::AuthorizationArgs args;
  OK(args && args.ClientId() == 0 && args.Scopes().empty() && !args.State() && !args.Nonce() && !args.CodeChallenge() &&
         !args.IntegrationType() && !args.CustomSchemeParam(),
     "2.1-22: new arguments are valid and empty");
  sdk::AuthorizationCodeChallenge challenge;
  challenge.SetChallenge("c");
  args.SetClientId(42);
  args.SetScopes("openid");
  args.SetState("s");
  args.SetNonce("n");
  args.SetCodeChallenge(challenge);
  args.SetIntegrationType(sdk::IntegrationType::UserInstall);
  args.SetCustomSchemeParam("mygame");
  OK(args.ClientId() == 42 && args.Scopes() == "openid" && args.State() == "s" && args.Nonce() == "n" &&
         args.CodeChallenge()->Challenge() == "c" && args.IntegrationType() == sdk::IntegrationType::UserInstall &&
         args.CustomSchemeParam() == "mygame",
     "2.1-20: each field has a getter and a setter");
  sdk::AuthorizationArgs copy = args;
  copy.SetState(std::nullopt);
  OK(copy && !copy.State() && args.State() == "s", "2.1-21: a copy is another object");
  sdk::AuthorizationArgs moved = std::move(args);
  OK(moved && moved.Scopes() == "openid" && !args, "2.1-21: a move takes the value and leaves an uninitialized object");
  args.SetScopes("x");
  OK(!args, "a setter does not initialize an object");
  args = copy;
  OK(args && args.Scopes() == "openid", "an assignment does");
  args = std::move(moved);
  OK(args && args.State() == "s" && !moved, "2.1-21: move assignment");
  OK(!sdk::AuthorizationArgs::nullobj && sdk::AuthorizationArgs::nullobj.Scopes().empty(),
     "2.1-23: nullobj is uninitialized; its getters are empty");
}

void test_activity() {
  sdk::Activity activity;
  OK(sdk::detail::json_of(activity) == R"({"type":0})", "an empty activity has a type only");
  sdk::ActivityAssets assets;
  assets.SetLargeImage("map");
  assets.SetInviteCoverImage("cover");
  sdk::ActivityTimestamps times;
  times.SetStart(1700000000000);
  sdk::ActivityParty party;
  party.SetId("pier");
  party.SetCurrentSize(2);
  party.SetMaxSize(4);
  party.SetPrivacy(sdk::ActivityPartyPrivacy::Public);
  sdk::ActivitySecrets secrets;
  secrets.SetJoin("join");
  activity.SetName("Dockside");
  activity.SetType(sdk::ActivityTypes::Competing);
  activity.SetState("a \"state\"\n");
  activity.SetDetailsUrl("https://example.org");
  activity.SetStatusDisplayType(sdk::StatusDisplayTypes::Details);
  activity.SetAssets(assets);
  activity.SetTimestamps(times);
  activity.SetParty(party);
  activity.SetSecrets(secrets);
  activity.SetSupportedPlatforms(sdk::ActivityGamePlatforms::Desktop | sdk::ActivityGamePlatforms::PS5);
  SAME(sdk::detail::json_of(activity)->c_str(),
       R"({"name":"Dockside","type":5,"state":"a \"state\"\u000a","details_url":"https://example.org","status_display_type":2,)"
       R"("assets":{"large_image":"map","invite_cover_image":"cover"},"timestamps":{"start":1700000000000},)"
       R"("party":{"id":"pier","privacy":1,"size":[2,4]},"secrets":{"join":"join"},"supported_platforms":["desktop","ps5"]})",
       "an activity as SET_ACTIVITY takes it");
  sdk::ActivityButton button;
  button.SetLabel("Play");
  button.SetUrl("https://example.org");
  sdk::Activity other;
  other.AddButton(button);
  SAME(sdk::detail::json_of(other)->c_str(), R"({"type":0,"buttons":[{"label":"Play","url":"https://example.org"}]})",
       "buttons");
  other.SetState(std::string(3000, 'x'));
  OK(sdk::detail::json_of(other)->size() > 3000, "a long text fits");
  other.SetState("\xff");
  OK(!sdk::detail::json_of(other), "a text that is not UTF-8 gives no JSON");
}

template <class Record> Record parsed(const std::string &text) {
  Record record;
  sallyport_json value;
  OK(sallyport_json_parse(text.data(), text.size(), &value) != 0, "the text is JSON");
  (void)sallyport::records::read(value, record);
  return record;
}

void test_records() {
  namespace records = sallyport::records;
  const auto message = parsed<records::LobbyMessage>(
      R"({"id":"7","type":"wrong","content":"\u00e9","lobby_id":8,"channel_id":"9","author":{"id":"5","username":"ada"},"unknown":[],)"
      R"("metadata":{"a":"b","c":1},"moderation_metadata":null,"flags":0,"lobby_member":{"additional_name":"Captain"}})");
  OK(message.id == 7 && message.type == 0 && message.content == "\xc3\xa9" && message.lobby_id == 8,
     "ids as text and number; a wrong type keeps the default");
  OK(message.metadata && message.metadata->size() == 1 && !message.moderation_metadata && !message.application_id,
     "null and absent are empty");
  sdk::detail::Cache cache;
  const sdk::MessageHandle handle = cache.handle_of(sdk::detail::message_of(message));
  OK(handle && handle.Author()->DisplayName() == "ada" && handle.AdditionalName() == "Captain" &&
         handle.Metadata().at("a") == "b",
     "a message handle");
  OK(!sdk::MessageHandle() && sdk::MessageHandle().Content().empty() && !sdk::MessageHandle().Author(),
     "an empty message handle");
  const auto lobby =
      parsed<records::Lobby>(R"({"id":"1","application_id":"2","metadata":null,"members":[{"id":"3","flags":1},7]})");
  cache.lobbies.emplace(1, sdk::detail::lobby_of(lobby));
  const sdk::LobbyHandle lobbyHandle = *cache.lobby(1);
  OK(lobbyHandle.LobbyMembers().size() == 1 && lobbyHandle.GetLobbyMemberHandle(3)->CanLinkLobby() &&
         !lobbyHandle.GetLobbyMemberHandle(4),
     "a lobby handle");
  const sdk::GuildChannel channel = sdk::detail::channel_of(parsed<records::Channel>(
      R"({"id":"4","type":0,"guild_id":"1","name":"general","position":2,"parent_id":"6","permissions":"3088",)"
      R"("permission_overwrites":[{"id":"1","type":0,"allow":"0","deny":"1024"}]})"));
  OK(channel.Name() == "general" && channel.Position() == 2 && channel.ParentId() == std::uint64_t{6}, "a guild channel");
  OK(channel.IsLinkable() && !channel.IsViewableAndWriteableByAllMembers(), "what a channel allows");
  const auto direct = sdk::detail::message_of(parsed<records::UserMessage>(
      R"({"id":"7","content":"x","channel_id":"9","author":{"id":"5","username":"ada"},"recipient_id":"6",)"
      R"("edited_timestamp":"2026-02-28T12:00:30.5+00:00"})"));
  OK(direct.edited_ms == 1772280030000u, "the time of an edit");
  const auto channelOfMessage = cache.handle_of(direct).Channel();
  OK(channelOfMessage && channelOfMessage->Type() == sdk::ChannelType::EphemeralDm && channelOfMessage->Recipients().size() == 2,
     "the channel of a direct message");
}

void test_friends() {
  namespace records = sallyport::records;
  const auto record = parsed<records::Relationship>(
      R"({"type":1,"user":{"id":"78","username":"grace","discriminator":"0","avatar":"a_hash"},"presence":{"status":"idle",)"
      R"("activity":{"name":"Dockside","type":0,"details":"at pier 9","party":{"id":"p","size":[1,4]},"application_id":"42",)"
      R"("timestamps":{"start":5},"buttons":["Join"],"metadata":{"button_urls":["https://example.org"]}}}})");
  OK(record.presence && record.presence->activity && record.presence->activity->text.find("Dockside") != std::string::npos,
     "a field of any shape is JSON");
  const sdk::UserHandle user(sdk::detail::user_of(record));
  const auto activity = user.GameActivity();
  OK(activity && activity->Name() == "Dockside" && activity->Details() == "at pier 9" && activity->Party()->MaxSize() == 4 &&
         activity->ApplicationId() == std::uint64_t{42} && activity->GetButtons()[0].Url() == "https://example.org",
     "a friend has an activity");
  OK(activity->Equals(*activity) && !activity->Equals(sdk::Activity()), "activities can be compared");
  using Avatar = sdk::UserHandle::AvatarType;
  SAME(user.AvatarUrl(Avatar::Gif, Avatar::Png).c_str(), "https://cdn.discordapp.com/avatars/78/a_hash.gif", "an animated avatar");
  OK(sdk::UserHandle().AvatarUrl(Avatar::Gif, Avatar::Png).find("embed/avatars/0.png") != std::string::npos, "no avatar");
  OK(user.Relationship().DiscordRelationshipType() == sdk::RelationshipType::Friend, "and a relationship");
}

void test_setters() {
  sdk::Client client;
  client.SetStatusChangedCallback(nullptr);
  client.SetTokenExpirationCallback(nullptr);
  client.SetTokenExpirationCallback([](auto...) {});
  client.SetTokenExpirationCallback([](sdk::AuthorizationTokenType) {});
  client.SetAuthorizeDeviceScreenClosedCallback(nullptr);
  client.SetDeviceCodeCallback(nullptr);
  client.SetActivityInviteCreatedCallback(nullptr);
  client.SetActivityInviteUpdatedCallback(nullptr);
  client.SetActivityJoinCallback(nullptr);
  client.SetActivityJoinWithApplicationCallback(nullptr);
  client.SetMessageCreatedCallback(nullptr);
  client.SetMessageUpdatedCallback(nullptr);
  client.SetMessageDeletedCallback(nullptr);
  client.SetLobbyCreatedCallback(nullptr);
  client.SetLobbyUpdatedCallback(nullptr);
  client.SetLobbyDeletedCallback(nullptr);
  client.SetLobbyMemberAddedCallback(nullptr);
  client.SetLobbyMemberUpdatedCallback(nullptr);
  client.SetLobbyMemberRemovedCallback(nullptr);
  client.SetRelationshipCreatedCallback(nullptr);
  client.SetRelationshipDeletedCallback(nullptr);
  client.SetRelationshipGroupsUpdatedCallback(nullptr);
  client.SetUserUpdatedCallback(nullptr);
  client.SetDeviceChangeCallback(nullptr);
  client.SetNoAudioInputCallback(nullptr);
  client.SetVoiceParticipantChangedCallback(nullptr);
  client.RegisterAuthorizeRequestCallback(nullptr);
  client.AddLogCallback(nullptr, sdk::LoggingSeverity::Info);
  client.SetApplicationId(42);
  sdk::RunCallbacks();
  OK(static_cast<bool>(client), "every setter takes nullptr");
}

void test_base() {
  sallyport::Options options;
  const std::string key = sallyport::Client::make_key();
  OK(key.size() == 32 && key.find_first_not_of("0123456789abcdef") == std::string::npos && key != sallyport::Client::make_key(),
     "a key of a call has 32 digits, and each is another one");
  OK(sallyport::Client::check(options).find("application_id") != std::string::npos, "options without an application are refused");
  sallyport::Client none(options);
  std::string error;
  none.call("X", [&](const sallyport::Answer &answer) { error = answer.error.name; });
  none.poll();
  OK(!none && error == "E_ARGUMENT", "and every call of such a client ends with an error");
  options.application_id = 42;
  options.runtime_directory = "/nonexistent";
  auto client = std::make_unique<sallyport::Client>(options);
  client->call("X", [&](const sallyport::Answer &answer) { error = answer.error.name; });
  OK(error == "E_ARGUMENT", "no callback inside a function");
  client->poll();
  OK(error == "E_NOT_READY" && static_cast<bool>(*client), "without a connection a call fails");
  int ended = 0;
  client->set_activity("{}", [&](const sallyport::Answer &answer) { ended = answer.error.code; });
  client->poll();
  OK(ended == 0, "a presence is kept");
  client->close();
  client->poll();
  OK(ended == SALLYPORT_E_CLOSED, "until the client is closed");
  auto subscription = std::make_unique<sallyport::Subscription>(client->subscribe("ACTIVITY_JOIN", [](const sallyport::Event &) {}));
  OK(!*subscription, "a closed client subscribes nothing");
  client.reset();
  subscription->end();
}

void test_clients() {
  int called = 0;
  sdk::Client none(sdk::detail::Uninitialized{});
  OK(!none && !sdk::Client::nullobj, "an uninitialized client is false");
  none.UpdateRichPresence(sdk::Activity(),
                          [&](sdk::ClientResult result) { called += result.Type() == sdk::ErrorType::ClientDestroyed; });
  none.GetUserGuilds([&](sdk::ClientResult result, std::vector<sdk::GuildMinimal>) {
    called += result.Type() == sdk::ErrorType::ClientDestroyed;
  });
  none.GetToken(1, "", "", "", [&](sdk::ClientResult result, auto, auto, auto, auto, auto) {
    called += result.Type() == sdk::ErrorType::ClientDestroyed;
  });
  OK(called == 3, "its calls end at once with ClientDestroyed");
  none.SetApplicationId(1);
  none.Connect();
  none.Disconnect();
  none.ClearRichPresence();
  none.RegisterAuthorizeRequestCallback([] {});
  none.RemoveAuthorizeRequestCallback();
  none.SetHttpRequestTimeout(5);
  none.RunCallbacks();
  OK(none.GetStatus() == sdk::Client::Status::Disconnected && !none.GetCurrentUserV2() && !none.GetCurrentUser() &&
         none.GetRelationships().empty() && !none.GetLobbyHandle(1) && !none.GetMessageHandle(1) &&
         !none.RegisterLaunchCommand(1, "x"),
     "its other functions do nothing");

  called = 0;
  auto client = std::make_unique<sdk::Client>();
  client->LeaveLobby(1, [&](sdk::ClientResult result) { called += result.Type() == sdk::ErrorType::ClientNotReady; });
  OK(called == 0, "no callback inside the function");
  sdk::RunCallbacks();
  OK(called == 1, "a call without an application ends with ClientNotReady");
  client->LeaveLobby(1, [&](sdk::ClientResult) { ++called; });
  client.reset();
  sdk::RunCallbacks();
  OK(called == 1, "no callback after the destruction");

  sallyport::Options base_options;
  base_options.application_id = 42;
  sallyport::Client base(base_options);
  sallyport::CallOptions lost_key;
  lost_key.key = "";
  int code = 0;
  base.call("SEND_LOBBY_MESSAGE", "{}", [&](const sallyport::Answer &answer) { code = answer.error.code; }, lost_key);
  base.poll();
  OK(code == SALLYPORT_E_ARGUMENT, "an empty key is refused");
  base.call("SEND_LOBBY_MESSAGE", [&](const sallyport::Answer &answer) { code = answer.error.code; });
  base.poll();
  OK(code == SALLYPORT_E_NOT_READY, "no key is none");

  sdk::Client one;
  sdk::Client other(std::move(one));
  OK(!one && other, "a client can be moved");
  const auto verifier = other.CreateAuthorizationCodeVerifier();
  char challenge[SALLYPORT_PKCE_SIZE];
  OK(sallyport_pkce_challenge(verifier.Verifier().c_str(), challenge) == SALLYPORT_OK &&
         verifier.Challenge().Challenge() == challenge,
     "4.3-3: the challenge is that of the verifier");
  SAME(sdk::Client::GetDefaultCommunicationScopes().c_str(), "openid sdk.social_layer", "scopes for communication");
  SAME(sdk::Client::GetDefaultPresenceScopes().c_str(), "openid sdk.social_layer_presence", "scopes for presence");
  OK(sallyport_process_id() != 0, "a process has an id");
}

} // namespace

int main() {
  test_object<sdk::AuthorizationArgs>("AuthorizationArgs");
  test_object<sdk::AuthorizationCodeChallenge>("AuthorizationCodeChallenge");
  test_object<sdk::AuthorizationCodeVerifier>("AuthorizationCodeVerifier");
  test_object<sdk::ClientCreateOptions>("ClientCreateOptions");
  test_object<sdk::ClientResult>("ClientResult");
  test_object<sdk::Activity>("Activity");
  test_object<sdk::ActivityAssets>("ActivityAssets");
  test_object<sdk::ActivityParty>("ActivityParty");
  test_object<sdk::ActivityInvite>("ActivityInvite");
  test_object<sdk::UserHandle>("UserHandle");
  test_object<sdk::RelationshipHandle>("RelationshipHandle");
  test_object<sdk::LobbyHandle>("LobbyHandle");
  test_object<sdk::LobbyMemberHandle>("LobbyMemberHandle");
  test_object<sdk::MessageHandle>("MessageHandle");
  test_object<sdk::GuildChannel>("GuildChannel");
  test_object<sdk::GuildMinimal>("GuildMinimal");
  test_authorization_args();
  test_activity();
  test_records();
  test_friends();
  test_setters();
  test_base();
  test_clients();
  return tap_end();
}
