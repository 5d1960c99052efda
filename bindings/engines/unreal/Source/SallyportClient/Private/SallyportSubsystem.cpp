#include "SallyportSubsystem.h"

#include "Engine/GameInstance.h"
#include "Misc/App.h"
#include "SallyportJson.h"
#include "SallyportLog.h"
#include "SallyportPending.h"
#include "SallyportSettings.h"

DEFINE_LOG_CATEGORY(LogSallyport);

namespace
{
    /** The subsystem looks until it finds the bridge. */
    constexpr int64_t NoLimit = -1;
    constexpr int MostSubscriptions = 256;

    const TCHAR* const NotHere = TEXT("not available on this platform");
    const TCHAR* const NoId = TEXT("there is no application id; set one in Project Settings > Plugins > Sallyport");
    const TCHAR* const Disconnected = TEXT("the game disconnected; it can call Connect");
    const TCHAR* const Taken = TEXT("another player of this process has the connection; start one player, or each in a process of its own");

    /** Several players in the editor are one process, and the bridge shows one presence of a process. */
    const USallyportSubsystem* Owner = nullptr;

    void Ignore(sallyport_client*, const char*, sallyport_json, void*)
    {
    }
}

bool USallyportSubsystem::IsSupported()
{
#if defined(SALLYPORT_NO_SYSTEM)
    return false;
#else
    return true;
#endif
}

bool USallyportSubsystem::ShouldCreateSubsystem(UObject* Outer) const
{
    const UGameInstance* Game = Cast<UGameInstance>(Outer);
    const bool bIsServer = IsRunningDedicatedServer() || (Game != nullptr && Game->IsDedicatedServerInstance());
    return !bIsServer && Super::ShouldCreateSubsystem(Outer);
}

void USallyportSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
    Super::Initialize(Collection);
    Ticker = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateUObject(this, &USallyportSubsystem::Tick));
    if (MakeClient() && GetDefault<USallyportSettings>()->bConnectAtStart) Connect();
}

void USallyportSubsystem::Deinitialize()
{
    FTSTicker::GetCoreTicker().RemoveTicker(Ticker);
    Disconnect();
    Super::Deinitialize();
}

bool USallyportSubsystem::MakeClient()
{
    if (Client != nullptr) return true;
    const USallyportSettings* Settings = GetDefault<USallyportSettings>();
    if (!IsSupported()) NotAvailableReason = NotHere;
    else if (Settings->ApplicationId.IsEmpty()) NotAvailableReason = NoId;
    else if (Owner != nullptr) NotAvailableReason = Taken;
    else NotAvailableReason = FString();
    bIsOut = false;
    if (!NotAvailableReason.IsEmpty()) return false;

    const FTCHARToUTF8 ApplicationId(*Settings->ApplicationId);
    const FTCHARToUTF8 Game(FApp::GetProjectName());
    sallyport_options Options;
    sallyport_options_init(&Options, sizeof(Options));
    Options.application_id = ApplicationId.Get();
    Options.require_bridge = Settings->bRequireBridge ? 1 : 0;
    Options.allow_packaged_client = Settings->bAllowPackagedClient ? 1 : 0;
    Options.max_subscriptions = MostSubscriptions;
    Options.sdk_version = Game.Get();
    Options.on_state = &USallyportSubsystem::OnClientState;
    Options.on_account = [](sallyport_client*, sallyport_account Account, void* Context) {
        USallyportSubsystem* Self = static_cast<USallyportSubsystem*>(Context);
        if (Account == SALLYPORT_REVOKED) Self->OnRevoked.Broadcast();
        else if (Account == SALLYPORT_SIGNED_OUT) Self->OnSignedOut.Broadcast();
    };
    Options.on_event = &USallyportSubsystem::OnClientEvent;
    Options.user = this;
    if (const char* Invalid = sallyport_check_options(&Options))
    {
        NotAvailableReason = FString(UTF8_TO_TCHAR(Invalid)) + TEXT("; correct Project Settings > Plugins > Sallyport");
        return false;
    }
    Client = sallyport_create(&Options);
    if (Client == nullptr)
    {
        NotAvailableReason = TEXT("there is no memory for the connection");
        return false;
    }
    Owner = this;
    for (const char* Event : {SALLYPORT_EVENT_ACTIVITY_JOIN, SALLYPORT_EVENT_ACTIVITY_INVITE, SALLYPORT_EVENT_ACTIVITY_JOIN_REQUEST,
                              SALLYPORT_EVENT_AUTHORIZE_REQUEST})
        (void)sallyport_subscribe(Client, Event, nullptr, &Ignore, nullptr);
    return true;
}

void USallyportSubsystem::Connect()
{
    if (MakeClient()) (void)sallyport_connect(Client, NoLimit);
}

void USallyportSubsystem::Disconnect()
{
    if (Client == nullptr) return;
    if (Owner == this) Owner = nullptr;
    NotAvailableReason = Disconnected;
    /* The game did that itself, so no event tells of it. */
    bIsOut = true;
    CurrentUser = FSallyportRpcUser();
    /* Pending calls end inside this. A call that they make finds no client. */
    sallyport_client* Ended = Client;
    Client = nullptr;
    sallyport_destroy(Ended);
}

bool USallyportSubsystem::IsReady() const
{
    return Client != nullptr && sallyport_get_state(Client)->name == SALLYPORT_READY;
}

bool USallyportSubsystem::IsSignedIn() const
{
    return Client != nullptr && sallyport_get_account(Client) == SALLYPORT_SIGNED_IN;
}

FSallyportRpcUser USallyportSubsystem::GetCurrentUser() const
{
    return IsSignedIn() ? CurrentUser : FSallyportRpcUser();
}

void USallyportSubsystem::SetPresence(const FString& Details, const FString& State)
{
    FSallyportPresence Presence;
    Presence.Details = Details;
    Presence.State = State;
    SetRichPresence(Presence);
}

void USallyportSubsystem::SetRichPresence(const FSallyportPresence& Presence)
{
    SetActivity(USallyportRecords::WritePresence(Presence));
}

void USallyportSubsystem::SetActivity(const FString& Json)
{
    if (Client != nullptr) ShowActivity(Json, &SallyportPending::LogRefusal);
}

void USallyportSubsystem::ClearPresence()
{
    SetActivity(FString());
}

void USallyportSubsystem::ShowActivity(const FString& Json, FSallyportDone Done)
{
    const FTCHARToUTF8 Activity(*Json);
    SallyportPending::Run(Client, NotAvailableReason, MoveTemp(Done), [&](sallyport_result_fn OnResult, void* Context) {
        return sallyport_set_activity(Client, Json.IsEmpty() ? nullptr : Activity.Get(), OnResult, Context);
    });
}

void USallyportSubsystem::AcceptInvite(const FSallyportInviteReceived& Invite)
{
    FString Args = USallyportJson::WithInteger(FString(), TEXT("type"), Invite.Type);
    Args = USallyportJson::WithText(Args, TEXT("user_id"), Invite.User.Id);
    Args = USallyportJson::WithText(Args, TEXT("session_id"), Invite.SessionId);
    Args = USallyportJson::WithText(Args, TEXT("channel_id"), Invite.ChannelId);
    Args = USallyportJson::WithText(Args, TEXT("message_id"), Invite.MessageId);
    if (!Invite.ApplicationId.IsEmpty()) Args = USallyportJson::WithText(Args, TEXT("application_id"), Invite.ApplicationId);
    Call(TEXT(SALLYPORT_COMMAND_ACCEPT_ACTIVITY_INVITE), Args, &SallyportPending::LogRefusal);
}

void USallyportSubsystem::AnswerJoinRequest(const FString& UserId, bool bIsAccepted)
{
    const char* Command = bIsAccepted ? SALLYPORT_COMMAND_SEND_ACTIVITY_JOIN_INVITE : SALLYPORT_COMMAND_CLOSE_ACTIVITY_JOIN_REQUEST;
    Call(UTF8_TO_TCHAR(Command), USallyportJson::WithText(FString(), TEXT("user_id"), UserId), &SallyportPending::LogRefusal);
}

int32 USallyportSubsystem::Subscribe(const FString& Event, const FString& ArgsJson)
{
    if (Client == nullptr) return 0;
    const FTCHARToUTF8 Args(*ArgsJson);
    const int Subscription = sallyport_subscribe(Client, TCHAR_TO_UTF8(*Event), ArgsJson.IsEmpty() ? nullptr : Args.Get(), &Ignore, nullptr);
    if (Subscription > 0) return Subscription;
    UE_LOG(LogSallyport, Warning, TEXT("%s was not subscribed: %s"), *Event, UTF8_TO_TCHAR(sallyport_last_error(Client)->message));
    return 0;
}

void USallyportSubsystem::Unsubscribe(int32 Subscription)
{
    if (Client != nullptr) (void)sallyport_unsubscribe(Client, Subscription);
}

void USallyportSubsystem::Call(const FString& Command, const FString& ArgsJson, FSallyportDone Done, const TOptional<FString>& Key)
{
    const FTCHARToUTF8 Name(*Command);
    const FTCHARToUTF8 Args(*ArgsJson);
    const FTCHARToUTF8 OwnKey(Key.IsSet() ? *Key.GetValue() : TEXT(""));
    SallyportPending::Run(Client, NotAvailableReason, MoveTemp(Done), [&](sallyport_result_fn OnResult, void* Context) {
        return sallyport_call_keyed(Client, Name.Get(), ArgsJson.IsEmpty() ? nullptr : Args.Get(), Key.IsSet() ? OwnKey.Get() : nullptr, 0,
                                    OnResult, Context);
    });
}

FString USallyportSubsystem::MakeKey()
{
    char Key[SALLYPORT_KEY_SIZE];
    return sallyport_key_create(Key) == SALLYPORT_OK ? FString(UTF8_TO_TCHAR(Key)) : FString();
}

FSallyportDone USallyportSubsystem::WithEvents(FSallyportDone Done, bool bReportsFailure)
{
    TWeakObjectPtr<USallyportSubsystem> Weak(this);
    return [Weak, Done, bReportsFailure](const FSallyportError* Error, const FString& Json) {
        if (USallyportSubsystem* Self = Weak.Get())
        {
            if (Error == nullptr)
            {
                Self->CurrentUser = USallyportRecords::ReadAuthentication(Json).User;
                Self->OnSignedIn.Broadcast(Self->CurrentUser);
            }
            else if (bReportsFailure) (Error->Code > 0 && !Error->bIsRetryable ? Self->OnSignInRefused : Self->OnSignInFailed).Broadcast(*Error);
        }
        if (Done) Done(Error, Json);
    };
}

void USallyportSubsystem::SignIn(FSallyportDone Done)
{
    const FTCHARToUTF8 Scopes(*GetDefault<USallyportSettings>()->Scopes);
    SallyportPending::Run(
        Client, NotAvailableReason, WithEvents(MoveTemp(Done), true),
        [&](sallyport_result_fn OnResult, void* Context) { return sallyport_sign_in(Client, Scopes.Get(), OnResult, Context); });
}

void USallyportSubsystem::AskToSignIn(FSallyportDone Done)
{
    const FTCHARToUTF8 Scopes(*GetDefault<USallyportSettings>()->Scopes);
    SallyportPending::Run(
        Client, NotAvailableReason, WithEvents(MoveTemp(Done), true),
        [&](sallyport_result_fn OnResult, void* Context) { return sallyport_ask_to_sign_in(Client, Scopes.Get(), OnResult, Context); });
}

void USallyportSubsystem::SignInSilently(FSallyportDone Done)
{
    SallyportPending::Run(
        Client, NotAvailableReason, WithEvents(MoveTemp(Done), false),
        [&](sallyport_result_fn OnResult, void* Context) { return sallyport_sign_in_silently(Client, OnResult, Context); });
}

void USallyportSubsystem::SignOut(FSallyportDone Done)
{
    if (!Done) Done = &SallyportPending::LogRefusal;
    SallyportPending::Run(Client, NotAvailableReason, MoveTemp(Done), [&](sallyport_result_fn OnResult, void* Context) { return sallyport_sign_out(Client, OnResult, Context); });
}

bool USallyportSubsystem::Tick(float)
{
    if (Client != nullptr) (void)sallyport_poll(Client, 0);
    else if (!bIsOut && !NotAvailableReason.IsEmpty()) BecomeNotAvailable(NotAvailableReason);
    return true;
}

void USallyportSubsystem::BecomeNotAvailable(const FString& Reason)
{
    NotAvailableReason = Reason;
    bIsOut = true;
    if (Client != nullptr) UE_LOG(LogSallyport, Log, TEXT("Not available: %s. The game goes on; it tries again."), *Reason);
    else UE_LOG(LogSallyport, Warning, TEXT("Not available: %s. The game goes on."), *Reason);
    OnNotAvailable.Broadcast(Reason);
}

void USallyportSubsystem::OnClientState(sallyport_client* From, const sallyport_state* State, void* Context)
{
    USallyportSubsystem* Self = static_cast<USallyportSubsystem*>(Context);
    if (State->name == SALLYPORT_READY)
    {
        Self->bIsOut = false;
        Self->NotAvailableReason = FString();
        UE_LOG(LogSallyport, Log, TEXT("Connected to %s."), UTF8_TO_TCHAR(sallyport_server_path(From)));
        Self->OnReady.Broadcast();
    }
    else if (State->name == SALLYPORT_WAITING && !Self->bIsOut)
        Self->BecomeNotAvailable(State->error == nullptr ? FString() : FString(UTF8_TO_TCHAR(State->error->message)));
}

void USallyportSubsystem::OnClientEvent(sallyport_client*, const char* Event, sallyport_json Data, void* Context)
{
    USallyportSubsystem* Self = static_cast<USallyportSubsystem*>(Context);
    const FString Name = UTF8_TO_TCHAR(Event);
    const FString Json = SallyportText::OfJson(Data);
    if (Name == TEXT(SALLYPORT_EVENT_ACTIVITY_JOIN)) Self->OnJoin.Broadcast(USallyportRecords::ReadJoinReceived(Json).Secret);
    else if (Name == TEXT(SALLYPORT_EVENT_ACTIVITY_INVITE)) Self->OnInvite.Broadcast(USallyportRecords::ReadInviteReceived(Json));
    else if (Name == TEXT(SALLYPORT_EVENT_ACTIVITY_JOIN_REQUEST))
        Self->OnJoinRequest.Broadcast(USallyportRecords::ReadJoinRequestReceived(Json).User);
    else if (Name == TEXT(SALLYPORT_EVENT_AUTHORIZE_REQUEST)) Self->OnAuthorizeRequest.Broadcast();
    Self->OnEvent.Broadcast(Name, Json);
}
