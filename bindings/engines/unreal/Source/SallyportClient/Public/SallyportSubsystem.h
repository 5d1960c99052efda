#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Misc/Optional.h"
#include "SallyportError.h"
#include "SallyportRecords.h"
#include "Subsystems/GameInstanceSubsystem.h"

#include "SallyportSubsystem.generated.h"

struct sallyport_client;
struct sallyport_json;
struct sallyport_state;

DECLARE_DYNAMIC_MULTICAST_DELEGATE(FSallyportSignal);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportText, const FString&, Text);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportUserEvent, const FSallyportRpcUser&, User);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportInviteEvent, const FSallyportInviteReceived&, Invite);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSallyportFailure, const FSallyportError&, Error);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FSallyportEvent, const FString&, Event, const FString&, Json);

/**
 * The connection of the game to the local bridge. Everything happens on the game thread, inside the ticker; nothing waits. Without a
 * bridge the game goes on, and the subsystem looks again. A dedicated server has no subsystem.
 */
UCLASS()
class SALLYPORTCLIENT_API USallyportSubsystem : public UGameInstanceSubsystem
{
    GENERATED_BODY()

public:
    virtual bool ShouldCreateSubsystem(UObject* Outer) const override;
    virtual void Initialize(FSubsystemCollectionBase& Collection) override;
    virtual void Deinitialize() override;

    /** The game can make calls, at first and after each reconnect. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnReady;

    /** There is no bridge, or its connection was lost. Once for each outage, with the reason. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportText OnNotAvailable;

    /** The user signed in. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportUserEvent OnSignedIn;

    /** The user or the platform refused the sign-in. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportFailure OnSignInRefused;

    /** A sign-in did not end, but may later: for example without a bridge, or after too many requests. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportFailure OnSignInFailed;

    /** The user is signed in no longer: after a sign-out, or because a reconnect could not restore the sign-in. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnSignedOut;

    /** The user or the platform took the permission back. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnRevoked;

    /** The user requests to link the account to this game: offer to sign in. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportSignal OnAuthorizeRequest;

    /** The user joins a friend. With the join secret of the friend's activity. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportText OnJoin;

    /** A friend invites the user: give the invite to Accept Invite. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportInviteEvent OnInvite;

    /** A friend requests to join: give the id to Answer Join Request. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportUserEvent OnJoinRequest;

    /** Every event: those that Subscribe asked for, and those that come without it. */
    UPROPERTY(BlueprintAssignable, Category = "Sallyport")
    FSallyportEvent OnEvent;

    /** Whether this platform can have a bridge. Elsewhere the plugin compiles, and calls end at once with an error. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    static bool IsSupported();

    /** Starts to look for the bridge, until it is found. Does nothing while connected. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void Connect();

    /** Ends the connection. Calls that wait end; the presence, the sign-in and the subscriptions of the game are forgotten. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void Disconnect();

    /** Whether the game can make calls. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    bool IsReady() const;

    /** Why the game cannot make calls; empty while it can, and before the first search has ended. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    FString GetNotAvailableReason() const { return NotAvailableReason; }

    /** Whether the user is signed in. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    bool IsSignedIn() const;

    /** The user of the last sign-in; without an id while signed out. */
    UFUNCTION(BlueprintPure, Category = "Sallyport")
    FSallyportRpcUser GetCurrentUser() const;

    /** Shows what the user plays. Without a connection it is kept and shown at the next one; repeated after each reconnect. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void SetPresence(const FString& Details, const FString& State);

    /** The same with pictures, party, join secret and buttons. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void SetRichPresence(const FSallyportPresence& Presence);

    /** The same with the fields of SET_ACTIVITY as JSON. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void SetActivity(const FString& Json);

    /** Shows nothing any more. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void ClearPresence();

    /** Accepts an invite of On Invite; On Join then has the secret. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void AcceptInvite(const FSallyportInviteReceived& Invite);

    /** Answers a friend who requests to join. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void AnswerJoinRequest(const FString& UserId, bool bIsAccepted);

    /** Requests an event, kept across reconnects. Returns the number of the subscription; 0 if it was refused, with a line in the log. */
    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    int32 Subscribe(const FString& Event, const FString& ArgsJson);

    UFUNCTION(BlueprintCallable, Category = "Sallyport")
    void Unsubscribe(int32 Subscription);

    /**
     * Makes one call. Done runs once, also when the game ends before the response; at once without a connection. Key is one that the game
     * stored, so that it repeats this call after it was killed, within five minutes of the first call. Without it the client makes one
     * where it is needed. An empty text ends the call with E_ARGUMENT, because the game lost its key.
     */
    void Call(const FString& Command, const FString& ArgsJson, FSallyportDone Done, const TOptional<FString>& Key = TOptional<FString>());

    /** A new key for Call: 32 hexadecimal digits. Empty if the system has no random source. */
    static FString MakeKey();

    /** SetActivity whose end the game learns: shown, refused or replaced. Empty JSON shows nothing any more. */
    void ShowActivity(const FString& Json, FSallyportDone Done);

    /** Signs in with the stored grant; asks the user in a browser only if nothing valid is stored. Done gets the response to AUTHENTICATE. */
    void SignIn(FSallyportDone Done = nullptr);

    /** Asks the user, also if a grant is stored. */
    void AskToSignIn(FSallyportDone Done = nullptr);

    /** Signs in with the stored grant, and never asks. INVALID_TOKEN if there is none; no event tells of a failure. */
    void SignInSilently(FSallyportDone Done = nullptr);

    /** Signs out: the bridge forgets the tokens of this game. */
    void SignOut(FSallyportDone Done = nullptr);

private:
    bool Tick(float DeltaSeconds);
    void BecomeNotAvailable(const FString& Reason);
    bool MakeClient();
    /** What a sign-in does before `Done`. */
    FSallyportDone WithEvents(FSallyportDone Done, bool bReportsFailure);

    static void OnClientState(sallyport_client* From, const sallyport_state* State, void* Context);
    static void OnClientEvent(sallyport_client* From, const char* Event, sallyport_json Data, void* Context);

    sallyport_client* Client = nullptr;
    FTSTicker::FDelegateHandle Ticker;
    FString NotAvailableReason;
    FSallyportRpcUser CurrentUser;
    bool bIsOut = false;
};
