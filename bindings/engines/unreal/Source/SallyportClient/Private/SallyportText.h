#pragma once

#include "CoreMinimal.h"
#include "sallyport/sallyport.h"

/** Texts of the engine and of the C client, which has UTF-8. */
namespace SallyportText
{
    /** A JSON value as text. */
    FString OfJson(sallyport_json Json);

    /** The unescaped text of a string, the digits of a number; empty for null and a missing value. */
    FString OfValue(sallyport_json Value);

    /** A text as JSON: escaped, in quotes. */
    FString Quoted(const FString& Text);

    FString OfInteger(int64 Number);

    /** null for a number that JSON cannot write. */
    FString OfNumber(double Number);
}

/** UTF-8 of a JSON text, and its value, which is valid as long as this. */
class FSallyportParsed
{
public:
    explicit FSallyportParsed(const FString& Json);

    /** The value at a path of keys and numbers, e.g. "members.0.user.id"; the whole for an empty path. Missing if there is none. */
    sallyport_json At(const FString& Path) const;

    bool IsValid() const { return bIsValid; }

private:
    FTCHARToUTF8 Utf8;
    sallyport_json Value;
    bool bIsValid;
};

/** Makes a JSON object. Values are JSON already. */
class FSallyportObject
{
public:
    void Add(const FString& Key, const FString& Json);
    bool IsEmpty() const { return Fields.IsEmpty(); }
    FString ToJson() const;

private:
    FString Fields;
};
