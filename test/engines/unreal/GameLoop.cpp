/**
 * Plays the plugin as the engine does, on one thread. The argument says what is played: `play`, `nodes`, `absent`, `unset` or `stop`. One
 * line per fact; then the program ends by itself.
 */
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "DocksideActor.h"
#include "Engine/Engine.h"
#include "SallyportCalls.h"
#include "SallyportSettings.h"

static constexpr float Frame = 0.008f;
static constexpr int MostFrames = 12000;

/** Prints how a node ended. */
class UListener : public UObject
{
public:
    void OnText(const FString& Text)
    {
        std::printf("node: %s\n", TCHAR_TO_UTF8(*Text));
        Ends++;
    }
    void OnFailed(const FSallyportError& Error)
    {
        std::printf("node failed: %s %s\n", TCHAR_TO_UTF8(*Error.Name), Error.bIsNotAvailable ? "not available" : "refused");
        Ends++;
    }
    void OnNotAvailable(const FString&) { bIsOut = true; }

    int Ends = 0;
    bool bIsOut = false;
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
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
}

static void Start(USallyportCallBase* Node)
{
    Node->Succeeded.AddDynamic(Listener, &UListener::OnText);
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

static void RunNodes(const USallyportSubsystem* Sallyport)
{
    RunUntil([&] { return Sallyport->IsReady(); });
    RunNode(USallyportSignIn::SallyportSignIn(World));
    RunNode(USallyportJoinLobby::SallyportJoinLobby(World, TEXT("a \"pier\" \u00fc")));
    RunNode(USallyportCall::SallyportCall(World, TEXT("GET_LOBBY_MESSAGES"), TEXT("{\"lobby_id\":\"1\"}")));
    RunNode(USallyportCall::SallyportCall(World, TEXT("NO_SUCH_COMMAND"), FString()));
    RunNode(USallyportCall::SallyportCall(World, TEXT("GET_USER"), TEXT("no JSON")));
    RunNode(USallyportCall::SallyportCall(nullptr, TEXT("GET_USER"), FString()));
    std::printf("signed in: %d\n", Sallyport->IsSignedIn() ? 1 : 0);
}

static void Play(const char* What)
{
    auto* Game = new UGameInstance();
    World = new UWorld();
    World->Game = Game;
    UEngine Engine;
    Engine.World = World;
    GEngine = &Engine;
    Listener = new UListener();
    if (std::strcmp(What, "unset") != 0) GetMutableDefault<USallyportSettings>()->ApplicationId = TEXT("1180000000000000042");
    auto* Sallyport = NewObject<USallyportSubsystem>();
    Game->Subsystem = Sallyport;
    FSubsystemCollectionBase Collection;
    Sallyport->Initialize(Collection);
    Sallyport->OnNotAvailable.AddDynamic(Listener, &UListener::OnNotAvailable);
    if (std::strcmp(What, "nodes") == 0) RunNodes(Sallyport);
    else if (std::strcmp(What, "play") == 0)
    {
        auto* Dockside = new ADocksideActor();
        Dockside->Game = Game;
        Dockside->Pause = 0.064f;
        Dockside->BeginPlay();
        Actor = Dockside;
        RunUntil([] { return Stub::HasLogged("Fair winds!") || Stub::HasLogged("Dockside failed"); });
        Actor = nullptr;
    }
    else if (std::strcmp(What, "stop") == 0)
    {
        RunUntil([&] { return Sallyport->IsReady(); });
        Start(USallyportSignIn::SallyportSignIn(World));
    }
    else
    {
        if (std::strcmp(What, "absent") == 0) RunUntil([] { return Listener->bIsOut; });
        RunNode(USallyportSignIn::SallyportSignIn(World));
        Sallyport->SetPresence(TEXT("d"), TEXT("s"));
        std::printf("subscription: %d\n", Sallyport->Subscribe(TEXT("LOBBY_UPDATE"), FString()) > 0 ? 1 : 0);
    }
    Sallyport->Deinitialize();
    std::printf("tickers: %d\n", static_cast<int>(FTSTicker::GetCoreTicker().Count()));
    GEngine = nullptr;
}

int main(int Count, char** Words)
{
    Play(Count > 1 ? Words[1] : "play");
    Stub::DestroyAll();
    std::puts("over");
    return 0;
}
