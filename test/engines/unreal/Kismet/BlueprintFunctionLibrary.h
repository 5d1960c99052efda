/** Functions of Blueprint. */
#pragma once

#include "CoreMinimal.h"

class UBlueprintFunctionLibrary : public UObject
{
};
