/** The engine knows the one world. */
#pragma once

#include "Engine/World.h"

enum class EGetWorldErrorMode
{
    LogAndReturnNull
};

class UEngine
{
public:
    UWorld* GetWorldFromContextObject(const UObject* Object, EGetWorldErrorMode) const { return Object == nullptr ? nullptr : World; }

    UWorld* World = nullptr;
};

extern UEngine* GEngine;
