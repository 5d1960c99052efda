/** Modules. */
#pragma once

#include "CoreMinimal.h"

class IModuleInterface
{
public:
    virtual ~IModuleInterface() = default;
};

class FDefaultModuleImpl : public IModuleInterface
{
};

#define IMPLEMENT_MODULE(Class, Name)           \
    extern IModuleInterface* Module_##Name();   \
    IModuleInterface* Module_##Name()           \
    {                                           \
        static Class Implementation;            \
        return &Implementation;                 \
    }
