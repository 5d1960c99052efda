#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "SallyportSubsystem.h"

#include "SallyportCalls.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportFailed, const FSallyportError&, Error);

/** Latent nodes: each has a pin for success and one for failure. They end when the game ends. */
UCLASS(Abstract)
class SALLYPORTCLIENT_API USallyportCallBase : public UBlueprintAsyncActionBase
{
    GENERATED_BODY()

public:
    UPROPERTY(BlueprintAssignable)
    FSallyportText Succeeded;

    UPROPERTY(BlueprintAssignable)
    FSallyportFailed Failed;

protected:
    /** Finds the subsystem of the world; ends with a failure without one. */
    USallyportSubsystem* Begin();
    /** What ends the node: Succeeded with this field of the response, or with all of it. */
    FSallyportDone End(const FString& Path);

    UPROPERTY()
    TObjectPtr<UObject> World;
};

UCLASS()
class SALLYPORTCLIENT_API USallyportSignIn : public USallyportCallBase
{
    GENERATED_BODY()

public:
    /** Signs in with the stored grant, or asks the user in a browser. Succeeds with the name of the user. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Sign In"))
    static USallyportSignIn* SallyportSignIn(UObject* WorldContextObject);

    virtual void Activate() override;
};

UCLASS()
class SALLYPORTCLIENT_API USallyportJoinLobby : public USallyportCallBase
{
    GENERATED_BODY()

public:
    /** Joins the lobby of the secret, which is made if there is none. Succeeds with the id of the lobby. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Join Lobby"))
    static USallyportJoinLobby* SallyportJoinLobby(UObject* WorldContextObject, const FString& Secret);

    virtual void Activate() override;

private:
    FString Secret;
};

UCLASS()
class SALLYPORTCLIENT_API USallyportCall : public USallyportCallBase
{
    GENERATED_BODY()

public:
    /** Makes any call, e.g. SEND_LOBBY_MESSAGE with {"lobby_id":"1","content":"ahoy"}. Succeeds with the response. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Call"))
    static USallyportCall* SallyportCall(UObject* WorldContextObject, const FString& Command, const FString& ArgsJson);

    virtual void Activate() override;

private:
    FString Command;
    FString ArgsJson;
};
