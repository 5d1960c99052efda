#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"

#include "SallyportSettings.generated.h"

/** Project Settings > Plugins > Sallyport. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "Sallyport"))
class SALLYPORTCLIENT_API USallyportSettings : public UDeveloperSettings
{
    GENERATED_BODY()

public:
    /** The id of your application, decimal text. */
    UPROPERTY(Config, EditAnywhere, Category = "Sallyport")
    FString ApplicationId;

    /** What the game requests from the user, separated by spaces. */
    UPROPERTY(Config, EditAnywhere, Category = "Sallyport")
    FString Scopes = TEXT("openid sdk.social_layer");

    /** Ignore servers of the protocol that are not a Sallyport bridge. */
    UPROPERTY(Config, EditAnywhere, Category = "Sallyport")
    bool bRequireBridge = false;

    /** Also use the platform's own client where it is a Flatpak or Snap. Contained programs can listen there too. */
    UPROPERTY(Config, EditAnywhere, Category = "Sallyport")
    bool bAllowPackagedClient = false;

    /** Connect when the game starts; else the game calls Connect. */
    UPROPERTY(Config, EditAnywhere, Category = "Sallyport")
    bool bConnectAtStart = true;

    virtual FName GetCategoryName() const override { return TEXT("Plugins"); }
};
