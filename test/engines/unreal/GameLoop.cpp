/**
 * Plays the plugin as the engine does, on one thread. The argument names one of the scenes at the end. One line per fact; then the program ends
 * by itself.
 */
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "DocksideActor.h"
#include "Engine/Engine.h"
#include "SallyportCalls.h"
#include "SallyportJson.h"
#include "SallyportSettings.h"
#include "Scenes.h"

static constexpr float Frame = 0.008f;
static constexpr int MostFrames = 12000;

/** Prints how nodes end, and what the events tell. */
class UListener : public UObject
{
public:
    void OnSucceeded(const FString& Result, const FSallyportError& Error)
    {
        std::printf("node: %s%s\n", TCHAR_TO_UTF8(*Result), Error.Code == 0 ? "" : " with an error");
        Ends++;
    }
    void OnFailed(const FString&, const FSallyportError& Error)
    {
        std::printf("node failed: %s\n", Shown(Error).c_str());
        Ends++;
    }
    void OnNotAvailable(const FString& Reason)
    {
        std::printf("event: not available: %s\n", TCHAR_TO_UTF8(*Reason));
        Outages++;
    }
    void OnSignedIn(const FSallyportRpcUser& User) { std::printf("event: signed in: %s\n", TCHAR_TO_UTF8(*User.Username)); }
    void OnRefused(const FSallyportError& Error) { std::printf("event: refused: %s\n", Shown(Error).c_str()); }
    void OnSignInFailed(const FSallyportError& Error) { std::printf("event: failed: %s\n", Shown(Error).c_str()); }
    void OnSignedOut() { std::printf("event: signed out\n"); }

    void Hear(USallyportSubsystem* Sallyport)
    {
        Sallyport->OnNotAvailable.AddDynamic(this, &UListener::OnNotAvailable);
        Sallyport->OnSignedIn.AddDynamic(this, &UListener::OnSignedIn);
        Sallyport->OnSignInRefused.AddDynamic(this, &UListener::OnRefused);
        Sallyport->OnSignInFailed.AddDynamic(this, &UListener::OnSignInFailed);
        Sallyport->OnSignedOut.AddDynamic(this, &UListener::OnSignedOut);
    }
    static std::string Shown(const FSallyportError& Error)
    {
        std::string Text = TCHAR_TO_UTF8(*Error.Name);
        Text += Error.bIsNotAvailable ? " not available" : Error.bIsRetryable ? " retryable" : " refused";
        if (Error.RetryAfterSeconds > 0) Text += " after " + std::to_string(static_cast<int>(Error.RetryAfterSeconds * 1000)) + " ms";
        return Text;
    }

    int Ends = 0;
    int Outages = 0;
};

static UListener* Listener;
static UWorld* World;
static AActor* Actor;

/** Runs frames until the condition, or too long. */
template <class Condition> static void RunUntil(Condition IsOver)
{
    for (int Count = 0; Count < MostFrames && !IsOver(); Count++)
    {
        FTSTicker::GetCoreTicker().Tick(Frame);
        if (Actor != nullptr) Actor->Tick(Frame);
        std::fflush(stdout);
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
}

static void Start(USallyportCallBase* Node)
{
    Node->Succeeded.AddDynamic(Listener, &UListener::OnSucceeded);
    Node->Failed.AddDynamic(Listener, &UListener::OnFailed);
    Node->Activate();
}

static void RunNode(USallyportCallBase* Node)
{
    const int Before = Listener->Ends;
    Start(Node);
    RunUntil([&] { return Listener->Ends > Before; });
    std::printf("node is over: %d\n", Node->bIsOver ? 1 : 0);
}

/** A game with its subsystem, unless the engine would make none. */
static USallyportSubsystem* MakeGame(UGameInstance* Game)
{
    auto* Sallyport = NewObject<USallyportSubsystem>();
    if (!Sallyport->ShouldCreateSubsystem(Game)) return nullptr;
    Game->Subsystem = Sallyport;
    FSubsystemCollectionBase Collection;
    Sallyport->Initialize(Collection);
    return Sallyport;
}

static void PlaySample(USallyportSubsystem*)
{
    auto* Dockside = new ADocksideActor();
    Dockside->PlayedGame = World->GetGameInstance();
    Dockside->Pause = 0.32f;
    Dockside->BeginPlay();
    Actor = Dockside;
    RunUntil([] { return Stub::HasLogged("Fair winds!") || Stub::HasLogged("Dockside failed"); });
    Actor = nullptr;
}

static void RunNodes(USallyportSubsystem* Sallyport)
{
    RunUntil([&] { return Sallyport->IsReady(); });
    RunNode(USallyportSignIn::SallyportSignIn(World));
    RunNode(USallyportCall::SallyportJoinLobby(World, TEXT("a \"pier\" \u00fc")));
    RunNode(USallyportCall::SallyportCall(World, TEXT("GET_LOBBY_MESSAGES"), TEXT("{\"lobby_id\":\"1\"}")));
    RunNode(USallyportCall::SallyportCall(World, TEXT("NO_SUCH_COMMAND"), FString()));
    RunNode(USallyportCall::SallyportCall(World, TEXT("GET_USER"), TEXT("no JSON")));
    RunNode(USallyportCall::SallyportCall(nullptr, TEXT("GET_USER"), FString()));
    Sallyport->Call(TEXT("GET_USER"), TEXT("{}"), [](const FSallyportError* Error, const FString&) {
        std::printf("with a key: %s\n", Error == nullptr ? "sent" : TCHAR_TO_UTF8(*Error->Name));
    }, USallyportSubsystem::MakeKey());
    Sallyport->Call(TEXT("SEND_LOBBY_MESSAGE"), TEXT("{}"), [](const FSallyportError* Error, const FString&) {
        std::printf("with an empty key: %s\n", Error == nullptr ? "sent" : TCHAR_TO_UTF8(*Error->Name));
    }, FString());
    std::printf("signed in: %d\n", Sallyport->IsSignedIn() ? 1 : 0);
    std::printf("user: %d\n", Sallyport->GetCurrentUser().Id.IsEmpty() ? 0 : 1);
    /* The player travels while a node waits: the old world goes. */
    UGameInstance* Game = World->GetGameInstance();
    auto* Waiting = USallyportSignIn::SallyportSignInSilently(World);
    const int Before = Listener->Ends;
    Start(Waiting);
    delete World;
    World = nullptr;
    GEngine->World = nullptr;
    RunUntil([&] { return Listener->Ends > Before; });
    World = new UWorld();
    World->Game = Game;
    GEngine->World = World;
    Sallyport->Disconnect();
    std::printf("disconnected: %s\n", TCHAR_TO_UTF8(*Sallyport->GetNotAvailableReason()));
    RunNode(USallyportSignIn::SallyportSignIn(World));
    Sallyport->Connect();
    RunUntil([&] { return Sallyport->IsReady(); });
    std::printf("connected again: %d\n", Sallyport->IsReady() ? 1 : 0);
}

/** The test is the server of this. */
static void RunSignIns(USallyportSubsystem* Sallyport)
{
    RunUntil([&] { return Sallyport->IsReady(); });
    RunNode(USallyportSignIn::SallyportSignIn(World));
    RunNode(USallyportSignIn::SallyportSignIn(World));
    RunNode(USallyportSignIn::SallyportSignIn(World));
    RunNode(USallyportSignIn::SallyportSignInSilently(World));
    RunNode(USallyportSignIn::SallyportAskToSignIn(World));
    RunNode(USallyportSignIn::SallyportSignOut(World));
    std::printf("signed in: %d\n", Sallyport->IsSignedIn() ? 1 : 0);
}

static FSallyportDone Shows(const char* What, int& Ends)
{
    return [What, &Ends](const FSallyportError* Error, const FString&) {
        std::printf("%s: %s\n", What, Error == nullptr ? "shown" : TCHAR_TO_UTF8(*Error->Name));
        Ends++;
    };
}

/** The test starts the daemon late, and kills it once. */
static void RunLate(USallyportSubsystem* Sallyport)
{
    int Ends = 0;
    Sallyport->ShowActivity(TEXT("{\"details\":\"first\"}"), Shows("first", Ends));
    Sallyport->ShowActivity(TEXT("{\"details\":\"second\"}"), Shows("second", Ends));
    RunUntil([&] { return Ends == 2; });
    RunUntil([] { return Listener->Outages == 2; });
    Sallyport->ShowActivity(TEXT("{\"details\":\"third\"}"), Shows("third", Ends));
    RunUntil([&] { return Ends == 3; });
}

static void RunStop(USallyportSubsystem* Sallyport)
{
    RunUntil([&] { return Sallyport->IsReady(); });
    Start(USallyportSignIn::SallyportSignIn(World));
}

/** Without a bridge, an id, or on another platform. */
static void RunAlone(USallyportSubsystem* Sallyport)
{
    RunUntil([] { return Listener->Outages > 0; });
    RunNode(USallyportSignIn::SallyportSignIn(World));
    Sallyport->SetPresence(TEXT("d"), TEXT("s"));
    Sallyport->SetPresence(TEXT("d"), TEXT("t"));
    Sallyport->AcceptInvite(FSallyportInviteReceived());
    std::printf("subscription: %d\n", Sallyport->Subscribe(TEXT("LOBBY_UPDATE"), FString()) > 0 ? 1 : 0);
    std::printf("supported: %d\n", USallyportSubsystem::IsSupported() ? 1 : 0);
    std::printf("text: %s\n", TCHAR_TO_UTF8(*USallyportJson::GetText(TEXT("{\"a\":[\"b\"]}"), TEXT("a.0"))));
}

/** Two players in the editor are one process. */
static void RunPlayers(USallyportSubsystem* Sallyport)
{
    auto* Other = new UGameInstance();
    auto* Second = MakeGame(Other);
    Listener->Hear(Second);
    RunUntil([] { return Listener->Outages > 1; });
    Sallyport->Disconnect();
    Second->Connect();
    std::printf("second: %s\n", TCHAR_TO_UTF8(*Second->GetNotAvailableReason()));
    Second->Deinitialize();
}

struct FScene
{
    const char* Name;
    void (*Run)(USallyportSubsystem*);
};

static constexpr FScene Scenes[] = {{"play", PlaySample}, {"nodes", RunNodes}, {"sign-in", RunSignIns}, {"late", RunLate},
                                    {"stop", RunStop},    {"alone", RunAlone}, {"unset", RunAlone},     {"players", RunPlayers}};

static void Play(const char* What)
{
    auto* Game = new UGameInstance();
    World = new UWorld();
    World->Game = Game;
    UEngine Engine;
    Engine.World = World;
    GEngine = &Engine;
    Listener = new UListener();
    const bool bIsServer = std::strcmp(What, "server") == 0;
    Stub::bIsServer = bIsServer;
    if (std::strcmp(What, "unset") != 0) GetMutableDefault<USallyportSettings>()->ApplicationId = TEXT("1180000000000000042");
    USallyportSubsystem* Sallyport = MakeGame(Game);
    if (Sallyport == nullptr)
    {
        RunNode(USallyportSignIn::SallyportSignIn(World));
        auto* Dockside = new ADocksideActor();
        Dockside->PlayedGame = Game;
        Dockside->BeginPlay();
        Dockside->Tick(1.0f);
    }
    else
    {
        Listener->Hear(Sallyport);
        for (const FScene& Scene : Scenes)
            if (std::strcmp(What, Scene.Name) == 0) Scene.Run(Sallyport);
        Sallyport->Deinitialize();
    }
    std::printf("tickers: %d\n", static_cast<int>(FTSTicker::GetCoreTicker().Count()));
    GEngine = nullptr;
}

int main(int Count, char** Words)
{
    const char* What = Count > 1 ? Words[1] : "play";
    if (std::strcmp(What, "values") == 0) PrintValues();
    else Play(What);
    Stub::DestroyAll();
    std::puts("over");
    return 0;
}
