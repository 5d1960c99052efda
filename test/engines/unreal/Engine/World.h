/** The world that plays. */
#pragma once

#include "Engine/GameInstance.h"

class UWorld : public UObject
{
public:
    UGameInstance* GetGameInstance() const { return Game; }

    UGameInstance* Game = nullptr;
};
