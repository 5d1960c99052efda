#pragma once

#include "CoreMinimal.h"
#include "GameFramework/Actor.h"
#include "SallyportSubsystem.h"

#include "DocksideActor.generated.h"

/**
 * Dockside, a small game: it signs in, sets a presence, joins a lobby and chats there. Copy both files into the source of your game and
 * place the actor in a level. Restart the bridge while it runs: the game waits, reconnects, and continues.
 */
UCLASS()
class ADocksideActor : public AActor
{
    GENERATED_BODY()

public:
    ADocksideActor();

    UPROPERTY(EditAnywhere, Category = "Dockside")
    FString Secret = TEXT("dockside-pier-9");

    UPROPERTY(EditAnywhere, Category = "Dockside")
    int32 Rounds = 5;

    /** Seconds between steps. */
    UPROPERTY(EditAnywhere, Category = "Dockside")
    float Pause = 0.64f;

    virtual void BeginPlay() override;
    virtual void Tick(float DeltaSeconds) override;

private:
    enum class EStep : uint8
    {
        SignIn,
        Join,
        Show,
        Chat,
        History,
        Over
    };

    UFUNCTION()
    void OnReady();
    UFUNCTION()
    void OnNotAvailable(const FString& Reason);
    UFUNCTION()
    void OnJoin(const FString& JoinSecret);
    UFUNCTION()
    void OnInvite(const FSallyportInviteReceived& Invite);
    UFUNCTION()
    void OnJoinRequest(const FSallyportRpcUser& User);
    UFUNCTION()
    void OnAuthorizeRequest();

    void Play();
    void Chat();
    /** Reads the history after a message whose outcome is unknown. One that is not there is sent again. */
    void Look();
    FString GetHistoryArgs() const;
    FString GetMark() const;
    void CountRound();
    /** What every response does: the next step, or the same one again, or the end of the game. */
    FSallyportDone Then(EStep Next, TFunction<void(const FString& Json)> Use = nullptr);

    UPROPERTY()
    TObjectPtr<USallyportSubsystem> Sallyport;

    EStep Step = EStep::SignIn;
    FString Lobby;
    /** Begins the mark of each message of this run. */
    FString Run;
    int32 Round = 0;
    int32 Score = 0;
    float Left = 0.0f;
    bool bIsPending = false;
    /** Whether the last message was sent is unknown; the history says it. */
    bool bMustLook = false;
    bool bIsLost = false;
};
