/** Settings with a page of their own. */
#pragma once

#include "CoreMinimal.h"

class UDeveloperSettings : public UObject
{
public:
    virtual FName GetCategoryName() const { return TEXT(""); }
};
