#include "SallyportSubsystem.h"

#include "SallyportSettings.h"
#include "SallyportText.h"
#include "Misc/App.h"

DEFINE_LOG_CATEGORY(LogSallyport);

namespace
{
    /** The subsystem looks until it finds the bridge. */
    constexpr int64_t NoLimit = -1;

    bool IsNotAvailable(int Code)
    {
        return Code == SALLYPORT_E_NOT_READY || Code == SALLYPORT_E_NO_SERVER || Code == SALLYPORT_E_FOREIGN_SERVER ||
               Code == SALLYPORT_E_CONNECTION_LOST || Code == SALLYPORT_E_SERVER_CLOSED || Code == SALLYPORT_E_CLOSED;
    }

    FSallyportError ErrorOf(const sallyport_error& Error)
    {
        FSallyportError Result;
        Result.Code = Error.code;
        Result.Name = UTF8_TO_TCHAR(Error.name);
        Result.Message = UTF8_TO_TCHAR(Error.message);
        Result.bIsRetryable = Error.is_retryable != 0;
        Result.bIsNotAvailable = IsNotAvailable(Error.code);
        return Result;
    }

    /** A call that waits. The client calls back exactly once for each call that it takes. */
    struct FPending
    {
        FSallyportDone Done;
    };

    void OnResult(sallyport_client*, const sallyport_error* Error, sallyport_json Data, void* User)
    {
        const TUniquePtr<FPending> Pending(static_cast<FPending*>(User));
        const FString Json = SallyportText::OfJson(Data);
        if (Error == nullptr)
        {
            Pending->Done(nullptr, Json);
            return;
        }
        const FSallyportError Failure = ErrorOf(*Error);
        Pending->Done(&Failure, Json);
    }

    /** Ends a call that the client did not take. */
    void Settle(int Code, const sallyport_client* Client, FPending* Pending)
    {
        if (Code >= SALLYPORT_OK) return;
        const TUniquePtr<FPending> Refused(Pending);
        const FSallyportError Failure = ErrorOf(*sallyport_last_error(Client));
        Refused->Done(&Failure, FString());
    }

    /** Without an application id there is no client. */
    void EndWithoutClient(const FSallyportDone& Done)
    {
        FSallyportError Failure;
        Failure.Code = SALLYPORT_E_NOT_READY;
        Failure.Name = TEXT("E_NOT_READY");
        Failure.Message = TEXT("there is no application id; set one in Project Settings > Plugins > Sallyport");
        Failure.bIsNotAvailable = true;
        Done(&Failure, FString());
    }

    /** A lost connection is no refusal: the client repeats the presence by itself. */
    void LogRefusal(const FSallyportError* Error, const FString&)
    {
        if (Error != nullptr && !Error->bIsNotAvailable) UE_LOG(LogSallyport, Warning, TEXT("%s"), *Error->Message);
    }
}

void USallyportSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
    Super::Initialize(Collection);
    const USallyportSettings* Settings = GetDefault<USallyportSettings>();
    if (Settings->ApplicationId.IsEmpty())
    {
        UE_LOG(LogSallyport, Warning, TEXT("There is no application id; set one in Project Settings > Plugins > Sallyport."));
        return;
    }
    const FTCHARToUTF8 ApplicationId(*Settings->ApplicationId);
    const FTCHARToUTF8 Game(FApp::GetProjectName());
    sallyport_options Options;
    sallyport_options_init(&Options, sizeof(Options));
    Options.application_id = ApplicationId.Get();
    Options.require_bridge = Settings->bRequireBridge ? 1 : 0;
    Options.allow_packaged_client = Settings->bAllowPackagedClient ? 1 : 0;
    Options.sdk_version = Game.Get();
    Options.on_state = &USallyportSubsystem::OnClientState;
    Options.on_account = [](sallyport_client*, sallyport_account Account, void* User) {
        if (Account == SALLYPORT_REVOKED) static_cast<USallyportSubsystem*>(User)->OnRevoked.Broadcast();
    };
    Options.on_event = &USallyportSubsystem::OnClientEvent;
    Options.user = this;
    Client = sallyport_create(&Options);
    if (Client == nullptr)
    {
        UE_LOG(LogSallyport, Warning, TEXT("The application id %s is no number; correct it in the project settings."), *Settings->ApplicationId);
        return;
    }
    for (const char* Event : {SALLYPORT_EVENT_ACTIVITY_JOIN, SALLYPORT_EVENT_ACTIVITY_JOIN_REQUEST, SALLYPORT_EVENT_AUTHORIZE_REQUEST})
        sallyport_subscribe(Client, Event, nullptr, [](sallyport_client*, const char*, sallyport_json, void*) {}, nullptr);
    Ticker = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateUObject(this, &USallyportSubsystem::Tick));
    if (Settings->bConnectAtStart) Connect();
}

void USallyportSubsystem::Deinitialize()
{
    FTSTicker::GetCoreTicker().RemoveTicker(Ticker);
    /* Pending calls end inside this. A call that they make finds no client. */
    sallyport_client* Ended = Client;
    Client = nullptr;
    sallyport_destroy(Ended);
    Super::Deinitialize();
}

void USallyportSubsystem::Connect()
{
    if (Client != nullptr) (void)sallyport_connect(Client, NoLimit);
}

bool USallyportSubsystem::IsReady() const
{
    return Client != nullptr && sallyport_get_state(Client)->name == SALLYPORT_READY;
}

bool USallyportSubsystem::IsSignedIn() const
{
    return Client != nullptr && sallyport_get_account(Client) == SALLYPORT_SIGNED_IN;
}

void USallyportSubsystem::SetPresence(const FString& Details, const FString& State)
{
    SetActivity(SallyportText::Object({{TEXT("details"), Details}, {TEXT("state"), State}}));
}

void USallyportSubsystem::SetActivity(const FString& Json)
{
    Present(TCHAR_TO_UTF8(*Json));
}

void USallyportSubsystem::ClearPresence()
{
    Present(nullptr);
}

void USallyportSubsystem::Present(const char* Json)
{
    if (Client == nullptr) return;
    FPending* Pending = new FPending{&LogRefusal};
    Settle(sallyport_set_activity(Client, Json, &OnResult, Pending), Client, Pending);
}

void USallyportSubsystem::AnswerJoinRequest(const FString& UserId, bool bIsAccepted)
{
    const char* Command = bIsAccepted ? SALLYPORT_COMMAND_SEND_ACTIVITY_JOIN_INVITE : SALLYPORT_COMMAND_CLOSE_ACTIVITY_JOIN_REQUEST;
    Call(UTF8_TO_TCHAR(Command), SallyportText::Object({{TEXT("user_id"), UserId}}), &LogRefusal);
}

int32 USallyportSubsystem::Subscribe(const FString& Event, const FString& ArgsJson)
{
    if (Client == nullptr) return 0;
    const FTCHARToUTF8 Args(*ArgsJson);
    const int Subscription = sallyport_subscribe(
        Client, TCHAR_TO_UTF8(*Event), ArgsJson.IsEmpty() ? nullptr : Args.Get(),
        [](sallyport_client*, const char*, sallyport_json, void*) {}, nullptr);
    if (Subscription > 0) return Subscription;
    UE_LOG(LogSallyport, Warning, TEXT("%s was not subscribed: %s"), *Event, UTF8_TO_TCHAR(sallyport_last_error(Client)->message));
    return 0;
}

void USallyportSubsystem::Unsubscribe(int32 Subscription)
{
    if (Client != nullptr) (void)sallyport_unsubscribe(Client, Subscription);
}

void USallyportSubsystem::Call(const FString& Command, const FString& ArgsJson, FSallyportDone Done)
{
    if (Client == nullptr)
    {
        EndWithoutClient(Done);
        return;
    }
    const FTCHARToUTF8 Args(*ArgsJson);
    FPending* Pending = new FPending{MoveTemp(Done)};
    Settle(sallyport_call(Client, TCHAR_TO_UTF8(*Command), ArgsJson.IsEmpty() ? nullptr : Args.Get(), &OnResult, Pending), Client, Pending);
}

void USallyportSubsystem::SignIn(FSallyportDone Done)
{
    if (Client == nullptr)
    {
        EndWithoutClient(Done);
        return;
    }
    const FTCHARToUTF8 Scopes(*GetDefault<USallyportSettings>()->Scopes);
    FPending* Pending = new FPending{MoveTemp(Done)};
    Settle(sallyport_sign_in(Client, Scopes.Get(), &OnResult, Pending), Client, Pending);
}

FString USallyportSubsystem::FieldOf(const FString& Json, const FString& Path)
{
    const FTCHARToUTF8 Text(*Json);
    sallyport_json Value;
    if (sallyport_json_parse(Text.Get(), static_cast<size_t>(Text.Length()), &Value) == 0) return FString();
    return SallyportText::OfValue(sallyport_json_at(Value, TCHAR_TO_UTF8(*Path)));
}

bool USallyportSubsystem::Tick(float)
{
    if (Client != nullptr) (void)sallyport_poll(Client, 0);
    return true;
}

void USallyportSubsystem::OnClientState(sallyport_client* From, const sallyport_state* State, void* User)
{
    USallyportSubsystem* Self = static_cast<USallyportSubsystem*>(User);
    if (State->name == SALLYPORT_READY)
    {
        Self->bIsOut = false;
        UE_LOG(LogSallyport, Log, TEXT("Connected to %s."), UTF8_TO_TCHAR(sallyport_server_path(From)));
        Self->OnReady.Broadcast();
    }
    else if (State->name == SALLYPORT_WAITING && !Self->bIsOut)
    {
        Self->bIsOut = true;
        const FString Reason = State->error == nullptr ? FString() : FString(UTF8_TO_TCHAR(State->error->message));
        UE_LOG(LogSallyport, Log, TEXT("Not available: %s. The game goes on; it tries again."), *Reason);
        Self->OnNotAvailable.Broadcast(Reason);
    }
}

void USallyportSubsystem::OnClientEvent(sallyport_client*, const char* Event, sallyport_json Data, void* User)
{
    USallyportSubsystem* Self = static_cast<USallyportSubsystem*>(User);
    const FString Name = UTF8_TO_TCHAR(Event);
    if (Name == TEXT(SALLYPORT_EVENT_ACTIVITY_JOIN)) Self->OnJoin.Broadcast(SallyportText::OfValue(sallyport_json_at(Data, "secret")));
    else if (Name == TEXT(SALLYPORT_EVENT_ACTIVITY_JOIN_REQUEST))
        Self->OnJoinRequest.Broadcast(SallyportText::OfValue(sallyport_json_at(Data, "user.id")));
    else if (Name == TEXT(SALLYPORT_EVENT_AUTHORIZE_REQUEST)) Self->OnAuthorizeRequest.Broadcast();
    Self->OnEvent.Broadcast(Name, SallyportText::OfJson(Data));
}
