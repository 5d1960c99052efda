#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "SallyportError.h"

#include "SallyportCalls.generated.h"

class USallyportSubsystem;

/** Both pins of a node have the same values, as the engine requires. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FSallyportEnded, const FString&, Result, const FSallyportError&, Error);

/** Latent nodes: each has a pin for success, with the result, and one for failure, with the error. They end when the game ends. */
UCLASS(Abstract)
class SALLYPORTCLIENT_API USallyportCallBase : public UBlueprintAsyncActionBase
{
    GENERATED_BODY()

public:
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportEnded Succeeded;

    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportEnded Failed;

    virtual void Activate() override;

protected:
    /** `InMake` makes the call of the node; `Done` ends it. */
    void Begin(UObject* Context, TFunction<void(USallyportSubsystem& Sallyport, FSallyportDone Done)> InMake);

private:
    void End(const FSallyportError* Error, const FString& Result);

    TFunction<void(USallyportSubsystem& Sallyport, FSallyportDone Done)> Make;
    /** Weak: a node that waits for a person must not keep a world alive that the player left. */
    TWeakObjectPtr<UObject> WeakContext;
};

/** Sign-ins and the sign-out. */
UCLASS()
class SALLYPORTCLIENT_API USallyportSignIn : public USallyportCallBase
{
    GENERATED_BODY()

public:
    /** Signs in with the stored grant; asks the user in a browser only if nothing valid is stored. The result is the name of the user. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Sign In"))
    static USallyportSignIn* SallyportSignIn(UObject* WorldContextObject);

    /** Asks the user, also if a grant is stored. The result is the name of the user. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Ask To Sign In"))
    static USallyportSignIn* SallyportAskToSignIn(UObject* WorldContextObject);

    /** Signs in with the stored grant, and never asks. The result is the name of the user. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Sign In Silently"))
    static USallyportSignIn* SallyportSignInSilently(UObject* WorldContextObject);

    /** Signs out: the bridge forgets the tokens of this game. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Sign Out"))
    static USallyportSignIn* SallyportSignOut(UObject* WorldContextObject);
};

/** Any call. */
UCLASS()
class SALLYPORTCLIENT_API USallyportCall : public USallyportCallBase
{
    GENERATED_BODY()

public:
    /** Joins the lobby of the secret, which is made if there is none. The result is the id of the lobby. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Join Lobby"))
    static USallyportCall* SallyportJoinLobby(UObject* WorldContextObject, const FString& Secret);

    /** Makes any call, e.g. SEND_LOBBY_MESSAGE. Make its arguments with Make Object or With Text. The result is JSON. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Sallyport Call"))
    static USallyportCall* SallyportCall(UObject* WorldContextObject, const FString& Command, const FString& ArgsJson);
};
