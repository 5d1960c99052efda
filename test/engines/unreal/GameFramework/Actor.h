/** Actors. */
#pragma once

#include "Engine/GameInstance.h"

struct FActorTickFunction
{
    bool bCanEverTick = false;
};

class AActor : public UObject
{
public:
    virtual void BeginPlay() {}
    virtual void Tick(float) {}
    UGameInstance* GetGameInstance() const { return PlayedGame; }

    FActorTickFunction PrimaryActorTick;
    UGameInstance* PlayedGame = nullptr;
};
