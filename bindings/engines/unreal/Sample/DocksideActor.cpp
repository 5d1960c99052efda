#include "DocksideActor.h"

#include "Engine/GameInstance.h"
#include "SallyportJson.h"

DEFINE_LOG_CATEGORY_STATIC(LogDockside, Log, All);

static const TCHAR* Ships[] = {TEXT("Copper Wren"), TEXT("Patient Ada"), TEXT("Salt Margin"),
                               TEXT("Northern Comma"), TEXT("Quiet Quorum"), TEXT("Second Breakfast")};
static const TCHAR* Cargoes[] = {TEXT("oranges"), TEXT("piano keys"), TEXT("umbrellas"),
                                 TEXT("printing ink"), TEXT("snow globes"), TEXT("bicycle bells")};

/** The lobby went with its daemon. */
static constexpr int32 InvalidLobby = 4013;

/** Whether a message may have been sent all the same. To send it again could show it twice. */
static bool IsUnknown(const FSallyportError& Error)
{
    return Error.Name == TEXT("UNKNOWN_OUTCOME") || Error.Name == TEXT("E_CONNECTION_LOST") || Error.Name == TEXT("E_TIMEOUT");
}

/** The tide swallows a few crates every third time. */
static int32 LandedIn(int32 Round)
{
    return 8 + (Round * 7) % 9 - (Round % 3 == 2 ? 1 + Round % 4 : 0);
}

ADocksideActor::ADocksideActor()
{
    PrimaryActorTick.bCanEverTick = true;
}

void ADocksideActor::BeginPlay()
{
    Super::BeginPlay();
    const UGameInstance* Game = GetGameInstance();
    Sallyport = Game == nullptr ? nullptr : Game->GetSubsystem<USallyportSubsystem>();
    /* As on a dedicated server. */
    if (Sallyport == nullptr) return;
    Run = USallyportSubsystem::MakeKey();
    Sallyport->OnReady.AddDynamic(this, &ADocksideActor::OnReady);
    Sallyport->OnNotAvailable.AddDynamic(this, &ADocksideActor::OnNotAvailable);
    Sallyport->OnJoin.AddDynamic(this, &ADocksideActor::OnJoin);
    Sallyport->OnInvite.AddDynamic(this, &ADocksideActor::OnInvite);
    Sallyport->OnJoinRequest.AddDynamic(this, &ADocksideActor::OnJoinRequest);
    Sallyport->OnAuthorizeRequest.AddDynamic(this, &ADocksideActor::OnAuthorizeRequest);
}

void ADocksideActor::Tick(float DeltaSeconds)
{
    Super::Tick(DeltaSeconds);
    Left -= DeltaSeconds;
    if (Left <= 0.0f && !bIsPending && Sallyport != nullptr && Sallyport->IsReady()) Play();
}

void ADocksideActor::Play()
{
    const TCHAR* Ship = Ships[Round % 6];
    Left = Pause;
    bIsPending = Step != EStep::Show && Step != EStep::Over;
    switch (Step)
    {
    case EStep::SignIn:
        Sallyport->SignIn(Then(EStep::Join, [](const FString& Json) {
            UE_LOG(LogDockside, Log, TEXT("signed in as %s"), *USallyportJson::GetText(Json, TEXT("user.username")));
        }));
        break;
    case EStep::Join:
        Sallyport->Call(TEXT("CREATE_OR_JOIN_LOBBY"), USallyportJson::WithText(FString(), TEXT("secret"), Secret),
                        Then(Round < Rounds ? EStep::Show : EStep::History, [this](const FString& Json) {
                            Lobby = USallyportRecords::ReadLobby(Json).Id;
                            UE_LOG(LogDockside, Log, TEXT("the crew meets in lobby %s"), *Lobby);
                        }));
        break;
    case EStep::Show:
        UE_LOG(LogDockside, Log, TEXT("[%d/%d] the %s comes alongside"), Round + 1, Rounds, Ship);
        Sallyport->SetPresence(FString(TEXT("Unloading the ")) + Ship, FString::FromInt(Score) + TEXT(" crates ashore"));
        Step = EStep::Chat;
        break;
    case EStep::Chat:
        if (bMustLook) Look();
        else Chat();
        break;
    case EStep::History:
        Sallyport->Call(TEXT("GET_LOBBY_MESSAGES"), GetHistoryArgs(),
                        Then(EStep::Over, [this](const FString& Json) {
                            for (const FSallyportLobbyMessage& Message : USallyportRecords::ReadLobbyMessageList(Json, TEXT("")))
                                UE_LOG(LogDockside, Log, TEXT("the lobby remembers: %s"), *Message.Content);
                            Sallyport->ClearPresence();
                            UE_LOG(LogDockside, Log, TEXT("%d crates ashore. Fair winds!"), Score);
                        }));
        break;
    case EStep::Over:
        break;
    }
}

void ADocksideActor::Chat()
{
    const FString Content = FString(Ships[Round % 6]) + TEXT(": ") + FString::FromInt(LandedIn(Round)) + TEXT(" crates of ") +
                            Cargoes[(Round * 5 + 2) % 6] + TEXT(" ashore");
    FString Args = USallyportJson::WithText(USallyportJson::WithText(FString(), TEXT("lobby_id"), Lobby), TEXT("content"), Content);
    Args = USallyportJson::WithJson(Args, TEXT("metadata"), USallyportJson::WithText(FString(), TEXT("mark"), GetMark()));
    const FSallyportDone Sent = Then(EStep::Chat, [this](const FString&) { CountRound(); });
    TWeakObjectPtr<ADocksideActor> Weak(this);
    /* The client sends the message again after a lost connection, and the bridge makes it once. */
    Sallyport->Call(TEXT("SEND_LOBBY_MESSAGE"), Args, [Weak, Sent](const FSallyportError* Error, const FString& Json) {
        ADocksideActor* Self = Weak.Get();
        if (Self == nullptr) return;
        Self->bMustLook = Error != nullptr && IsUnknown(*Error);
        if (Self->bMustLook) Self->bIsPending = false;
        else Sent(Error, Json);
    });
}

void ADocksideActor::Look()
{
    Sallyport->Call(TEXT("GET_LOBBY_MESSAGES"), GetHistoryArgs(), Then(EStep::Chat, [this](const FString& Json) {
        bMustLook = false;
        for (const FSallyportLobbyMessage& Message : USallyportRecords::ReadLobbyMessageList(Json, TEXT("")))
        {
            const FString* Mark = Message.Metadata.Find(TEXT("mark"));
            if (Mark == nullptr || !(*Mark == GetMark())) continue;
            CountRound();
            return;
        }
    }));
}

FString ADocksideActor::GetHistoryArgs() const
{
    return USallyportJson::WithInteger(USallyportJson::WithText(FString(), TEXT("lobby_id"), Lobby), TEXT("limit"), 50);
}

FString ADocksideActor::GetMark() const
{
    return Run + TEXT("-") + FString::FromInt(Round);
}

void ADocksideActor::CountRound()
{
    Score += LandedIn(Round);
    Round++;
    Step = Round < Rounds ? EStep::Show : EStep::History;
}

FSallyportDone ADocksideActor::Then(EStep Next, TFunction<void(const FString& Json)> Use)
{
    TWeakObjectPtr<ADocksideActor> Weak(this);
    return [Weak, Next, Use](const FSallyportError* Error, const FString& Json) {
        ADocksideActor* Self = Weak.Get();
        if (Self == nullptr) return;
        Self->bIsPending = false;
        if (Error == nullptr)
        {
            Self->Step = Next;
            if (Use) Use(Json);
        }
        else if (Error->Code == InvalidLobby) Self->Step = EStep::Join;
        else if (!Error->bIsRetryable && !Error->bIsNotAvailable)
        {
            UE_LOG(LogDockside, Warning, TEXT("Dockside failed: %s"), *Error->Message);
            Self->Step = EStep::Over;
        }
    };
}

void ADocksideActor::OnReady()
{
    if (bIsLost) UE_LOG(LogDockside, Log, TEXT("~ the bridge is here%s"), Sallyport->IsSignedIn() ? TEXT(", signed in again") : TEXT(""));
    /* After a restart the lobby has a new id; the secret finds it again. */
    if (bIsLost && Step > EStep::Join && Step < EStep::Over) Step = EStep::Join;
    bIsLost = false;
}

void ADocksideActor::OnNotAvailable(const FString& Reason)
{
    bIsLost = true;
    UE_LOG(LogDockside, Log, TEXT("~ no bridge, waiting: %s"), *Reason);
}

void ADocksideActor::OnJoin(const FString&)
{
    UE_LOG(LogDockside, Log, TEXT("~ you join the pier of a friend"));
}

void ADocksideActor::OnInvite(const FSallyportInviteReceived& Invite)
{
    UE_LOG(LogDockside, Log, TEXT("~ %s invites you"), *Invite.User.Username);
    Sallyport->AcceptInvite(Invite);
}

void ADocksideActor::OnJoinRequest(const FSallyportRpcUser& User)
{
    Sallyport->AnswerJoinRequest(User.Id, true);
}

void ADocksideActor::OnAuthorizeRequest()
{
    if (!bIsPending) Step = EStep::SignIn;
}
