#include "SallyportCalls.h"

#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "SallyportText.h"

USallyportSubsystem* USallyportCallBase::Begin()
{
    const UWorld* Found = GEngine == nullptr ? nullptr : GEngine->GetWorldFromContextObject(World, EGetWorldErrorMode::LogAndReturnNull);
    const UGameInstance* Game = Found == nullptr ? nullptr : Found->GetGameInstance();
    if (Game != nullptr) return Game->GetSubsystem<USallyportSubsystem>();
    FSallyportError Error;
    Error.Code = SALLYPORT_E_NOT_READY;
    Error.Name = TEXT("E_NOT_READY");
    Error.Message = TEXT("the node runs outside a game; use it while a game plays");
    Error.bIsNotAvailable = true;
    Failed.Broadcast(Error);
    SetReadyToDestroy();
    return nullptr;
}

FSallyportDone USallyportCallBase::End(const FString& Path)
{
    TWeakObjectPtr<USallyportCallBase> Weak(this);
    return [Weak, Path](const FSallyportError* Error, const FString& Json) {
        USallyportCallBase* Self = Weak.Get();
        if (Self == nullptr) return;
        if (Error == nullptr) Self->Succeeded.Broadcast(Path.IsEmpty() ? Json : USallyportSubsystem::FieldOf(Json, Path));
        else Self->Failed.Broadcast(*Error);
        Self->SetReadyToDestroy();
    };
}

USallyportSignIn* USallyportSignIn::SallyportSignIn(UObject* WorldContextObject)
{
    USallyportSignIn* Node = NewObject<USallyportSignIn>();
    Node->World = WorldContextObject;
    Node->RegisterWithGameInstance(WorldContextObject);
    return Node;
}

void USallyportSignIn::Activate()
{
    if (USallyportSubsystem* Sallyport = Begin()) Sallyport->SignIn(End(TEXT("user.username")));
}

USallyportJoinLobby* USallyportJoinLobby::SallyportJoinLobby(UObject* WorldContextObject, const FString& Secret)
{
    USallyportJoinLobby* Node = NewObject<USallyportJoinLobby>();
    Node->World = WorldContextObject;
    Node->Secret = Secret;
    Node->RegisterWithGameInstance(WorldContextObject);
    return Node;
}

void USallyportJoinLobby::Activate()
{
    if (USallyportSubsystem* Sallyport = Begin())
        Sallyport->Call(TEXT(SALLYPORT_COMMAND_CREATE_OR_JOIN_LOBBY), SallyportText::Object({{TEXT("secret"), Secret}}), End(TEXT("id")));
}

USallyportCall* USallyportCall::SallyportCall(UObject* WorldContextObject, const FString& Command, const FString& ArgsJson)
{
    USallyportCall* Node = NewObject<USallyportCall>();
    Node->World = WorldContextObject;
    Node->Command = Command;
    Node->ArgsJson = ArgsJson;
    Node->RegisterWithGameInstance(WorldContextObject);
    return Node;
}

void USallyportCall::Activate()
{
    if (USallyportSubsystem* Sallyport = Begin()) Sallyport->Call(Command, ArgsJson, End(FString()));
}
