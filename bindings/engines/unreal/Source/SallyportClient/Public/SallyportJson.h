#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"

#include "SallyportJson.generated.h"

/**
 * Reads and makes JSON in Blueprint. A path has keys of objects and numbers of items, from 0: "members.0.id"; an empty path is the whole
 * value. A missing value, or one of another type, gives an empty text, 0, false or no items.
 */
UCLASS()
class SALLYPORTCLIENT_API USallyportJson : public UBlueprintFunctionLibrary
{
    GENERATED_BODY()

public:
    /** The text at the path; of a number its digits. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString GetText(const FString& Json, const FString& Path);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static int64 GetInteger(const FString& Json, const FString& Path);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static double GetNumber(const FString& Json, const FString& Path);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static bool GetFlag(const FString& Json, const FString& Path);

    /** The value at the path as JSON; empty if there is none. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString GetJson(const FString& Json, const FString& Path);

    /** Whether there is a value at the path, also null. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static bool HasField(const FString& Json, const FString& Path);

    /** The items of the list at the path, each as JSON. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static TArray<FString> GetItems(const FString& Json, const FString& Path);

    /** The items of a list of texts or ids. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static TArray<FString> GetTexts(const FString& Json, const FString& Path);

    /** The members of the object at the path: JSON by key. Keys of a map of the engine ignore upper and lower case. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static TMap<FString, FString> GetFields(const FString& Json, const FString& Path);

    /** How many items or members the value at the path has. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static int32 Count(const FString& Json, const FString& Path);

    /** A text as JSON, escaped and in quotes. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeText(const FString& Text);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeInteger(int64 Number);

    /** null for a number that is not finite. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeNumber(double Number);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeFlag(bool bFlag);

    /** A list of JSON values. One that is no JSON becomes null, with a line in the log. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeList(const TArray<FString>& Items);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeTextList(const TArray<FString>& Texts);

    /** An object of JSON values. One that is no JSON becomes null, with a line in the log. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeObject(const TMap<FString, FString>& Fields);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString MakeTextObject(const TMap<FString, FString>& Texts);

    /** The object with this member, added or replaced. Begin with an empty text or {}. Value is JSON. */
    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString WithJson(const FString& Json, const FString& Key, const FString& Value);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString WithText(const FString& Json, const FString& Key, const FString& Text);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString WithInteger(const FString& Json, const FString& Key, int64 Number);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString WithNumber(const FString& Json, const FString& Key, double Number);

    UFUNCTION(BlueprintPure, Category = "Sallyport|JSON")
    static FString WithFlag(const FString& Json, const FString& Key, bool bFlag);
};
