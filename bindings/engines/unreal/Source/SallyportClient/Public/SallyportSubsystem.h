#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"

#include "SallyportSubsystem.generated.h"

struct sallyport_client;
struct sallyport_error;
struct sallyport_json;
struct sallyport_state;

DECLARE_LOG_CATEGORY_EXTERN(LogSallyport, Log, All);

/** Why a call failed. */
USTRUCT(BlueprintType)
struct SALLYPORTCLIENT_API FSallyportError
{
    GENERATED_BODY()

    /** Positive: a code of the bridge. Negative: a code of this client, e.g. -8 without a connection. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    int32 Code = 0;

    /** E.g. INVALID_PERMISSIONS or E_NOT_READY. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    FString Name;

    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    FString Message;

    /** Whether the same call may succeed later. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    bool bIsRetryable = false;

    /** There is no bridge, or no connection to it: the game goes on without it. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    bool bIsNotAvailable = false;
};

DECLARE_DYNAMIC_MULTICAST_DELEGATE(FSallyportSignal);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportText, const FString&, Text);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FSallyportEvent, const FString&, Event, const FString&, Json);

/** The end of a call: the error is null on success; Json is the response, or the data of the error. */
using FSallyportDone = TFunction<void(const FSallyportError* Error, const FString& Json)>;

/**
 * The connection of the game to the local bridge. Everything happens on the game thread, inside the ticker; nothing waits. Without a
 * bridge the game goes on, and the subsystem looks again.
 */
UCLASS()
class SALLYPORTCLIENT_API USallyportSubsystem : public UGameInstanceSubsystem
{
    GENERATED_BODY()

public:
    virtual void Initialize(FSubsystemCollectionBase& Collection) override;
    virtual void Deinitialize() override;

    /** The game can make calls, at first and after each reconnect. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnReady;

    /** There is no bridge, or its connection was lost. Once for each outage, with the reason. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportText OnNotAvailable;

    /** The user or the platform revoked the permission. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnRevoked;

    /** The user requests to link the account to this game: offer to sign in. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnAuthorizeRequest;

    /** The user joins a friend. With the join secret of the friend's activity. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportText OnJoin;

    /** A friend requests to join. With the id of the friend, for AnswerJoinRequest. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportText OnJoinRequest;

    /** Every event: those that Subscribe asked for, and those that come without it. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportEvent OnEvent;

    /** Starts to look for the bridge, until it is found. Does nothing while connected. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void Connect();

    /** Whether the game can make calls. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    bool IsReady() const;

    /** Whether the user is signed in. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    bool IsSignedIn() const;

    /** Shows what the user plays; repeated after each reconnect. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void SetPresence(const FString& Details, const FString& State);

    /** Shows what the user plays, with the fields of SET_ACTIVITY. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void SetActivity(const FString& Json);

    /** Shows nothing any more. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void ClearPresence();

    /** Answers a friend who requests to join. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void AnswerJoinRequest(const FString& UserId, bool bIsAccepted);

    /** Requests an event, kept across reconnects. Returns the number of the subscription; 0 if it was refused, with a line in the log. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    int32 Subscribe(const FString& Event, const FString& ArgsJson);

    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void Unsubscribe(int32 Subscription);

    /** Makes one call. Done runs once, also when the game ends before the response; at once without a connection. */
    void Call(const FString& Command, const FString& ArgsJson, FSallyportDone Done);

    /** Signs in with the stored grant, or asks the user in a browser. Done gets the response to AUTHENTICATE. */
    void SignIn(FSallyportDone Done);

    /** The text of a field, e.g. "user.username"; empty if it is missing. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    static FString FieldOf(const FString& Json, const FString& Path);

private:
    bool Tick(float DeltaSeconds);
    void Present(const char* Json);

    static void OnClientState(sallyport_client* Client, const sallyport_state* State, void* User);
    static void OnClientEvent(sallyport_client* Client, const char* Event, sallyport_json Data, void* User);

    sallyport_client* Client = nullptr;
    FTSTicker::FDelegateHandle Ticker;
    bool bIsOut = false;
};
