#include "SallyportCalls.h"

#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "SallyportJson.h"
#include "SallyportPending.h"
#include "SallyportSubsystem.h"

namespace
{
    /** Null outside a game, and on a dedicated server. */
    USallyportSubsystem* SubsystemOf(const UObject* Context)
    {
        const UWorld* World = GEngine == nullptr ? nullptr : GEngine->GetWorldFromContextObject(Context, EGetWorldErrorMode::LogAndReturnNull);
        const UGameInstance* Game = World == nullptr ? nullptr : World->GetGameInstance();
        return Game == nullptr ? nullptr : Game->GetSubsystem<USallyportSubsystem>();
    }

    /** The same end with a field of the response as its text. */
    FSallyportDone FieldTo(FSallyportDone Done, const TCHAR* Path)
    {
        return [Done, Path](const FSallyportError* Error, const FString& Json) {
            Done(Error, Error == nullptr ? USallyportJson::GetText(Json, Path) : Json);
        };
    }

    constexpr const TCHAR* UserName = TEXT("user.username");
}

void USallyportCallBase::Begin(UObject* Context, TFunction<void(USallyportSubsystem& Sallyport, FSallyportDone Done)> InMake)
{
    WeakContext = Context;
    Make = MoveTemp(InMake);
    RegisterWithGameInstance(Context);
}

void USallyportCallBase::Activate()
{
    USallyportSubsystem* Sallyport = SubsystemOf(WeakContext.Get());
    if (Sallyport == nullptr)
    {
        const FSallyportError Error =
            SallyportPending::WithoutClient(TEXT("the node runs outside a game, or on a dedicated server; use it while a player plays"));
        End(&Error, FString());
        return;
    }
    TWeakObjectPtr<USallyportCallBase> Weak(this);
    Make(*Sallyport, [Weak](const FSallyportError* Error, const FString& Result) {
        if (USallyportCallBase* Self = Weak.Get()) Self->End(Error, Result);
    });
}

void USallyportCallBase::End(const FSallyportError* Error, const FString& Result)
{
    if (Error == nullptr) Succeeded.Broadcast(Result, FSallyportError());
    else Failed.Broadcast(Result, *Error);
    SetReadyToDestroy();
}

USallyportSignIn* USallyportSignIn::SallyportSignIn(UObject* WorldContextObject)
{
    USallyportSignIn* Node = NewObject<USallyportSignIn>();
    Node->Begin(WorldContextObject, [](USallyportSubsystem& Sallyport, FSallyportDone Done) { Sallyport.SignIn(FieldTo(Done, UserName)); });
    return Node;
}

USallyportSignIn* USallyportSignIn::SallyportAskToSignIn(UObject* WorldContextObject)
{
    USallyportSignIn* Node = NewObject<USallyportSignIn>();
    Node->Begin(WorldContextObject, [](USallyportSubsystem& Sallyport, FSallyportDone Done) { Sallyport.AskToSignIn(FieldTo(Done, UserName)); });
    return Node;
}

USallyportSignIn* USallyportSignIn::SallyportSignInSilently(UObject* WorldContextObject)
{
    USallyportSignIn* Node = NewObject<USallyportSignIn>();
    Node->Begin(WorldContextObject,
                [](USallyportSubsystem& Sallyport, FSallyportDone Done) { Sallyport.SignInSilently(FieldTo(Done, UserName)); });
    return Node;
}

USallyportSignIn* USallyportSignIn::SallyportSignOut(UObject* WorldContextObject)
{
    USallyportSignIn* Node = NewObject<USallyportSignIn>();
    Node->Begin(WorldContextObject, [](USallyportSubsystem& Sallyport, FSallyportDone Done) {
        Sallyport.SignOut([Done](const FSallyportError* Error, const FString&) { Done(Error, FString()); });
    });
    return Node;
}

USallyportCall* USallyportCall::SallyportJoinLobby(UObject* WorldContextObject, const FString& Secret)
{
    USallyportCall* Node = NewObject<USallyportCall>();
    const FString Args = USallyportJson::WithText(FString(), TEXT("secret"), Secret);
    Node->Begin(WorldContextObject, [Args](USallyportSubsystem& Sallyport, FSallyportDone Done) {
        Sallyport.Call(TEXT(SALLYPORT_COMMAND_CREATE_OR_JOIN_LOBBY), Args, FieldTo(Done, TEXT("id")));
    });
    return Node;
}

USallyportCall* USallyportCall::SallyportCall(UObject* WorldContextObject, const FString& Command, const FString& ArgsJson)
{
    USallyportCall* Node = NewObject<USallyportCall>();
    Node->Begin(WorldContextObject, [Command, ArgsJson](USallyportSubsystem& Sallyport, FSallyportDone Done) {
        Sallyport.Call(Command, ArgsJson, Done);
    });
    return Node;
}
