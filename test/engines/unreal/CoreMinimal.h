/**
 * Our own stand-in for the part of the engine's public API that the plugin uses, written from its public documentation, so that gcc and
 * clang can compile and play the plugin. It is no part of the engine.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using int32 = std::int32_t;
using uint8 = std::uint8_t;
using TCHAR = char16_t;

#define TEXT_PASTE(x) u##x
#define TEXT(x) TEXT_PASTE(x)
#define UCLASS(...)
#define USTRUCT(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define BODY_NAME_OF(file, line) file##_##line##_BODY
#define BODY_NAME(file, line) BODY_NAME_OF(file, line)
#define GENERATED_BODY() BODY_NAME(CURRENT_FILE_ID, __LINE__)

namespace Stub
{
    std::string ToUtf8(const TCHAR* Text);
    std::u16string FromUtf8(const char* Text);

    /** Holds a converted text as long as the expression lasts, as the converters of the engine do. */
    struct FromUtf8Holder
    {
        std::u16string Text;
        explicit FromUtf8Holder(const char* From) : Text(FromUtf8(From)) {}
        const TCHAR* Get() const { return Text.c_str(); }
    };
}

class FTCHARToUTF8
{
public:
    explicit FTCHARToUTF8(const TCHAR* From) : Text(Stub::ToUtf8(From)) {}
    FTCHARToUTF8(const FTCHARToUTF8&) = delete;
    const char* Get() const { return Text.c_str(); }
    int32 Length() const { return static_cast<int32>(Text.size()); }

private:
    std::string Text;
};

#define TCHAR_TO_UTF8(Text) (FTCHARToUTF8(Text).Get())
#define UTF8_TO_TCHAR(Text) (Stub::FromUtf8Holder(Text).Get())

class FString
{
public:
    FString() = default;
    FString(const TCHAR* From) : Text(From) {}
    FString& operator=(const TCHAR* From)
    {
        Text = From;
        return *this;
    }
    const TCHAR* operator*() const { return Text.c_str(); }
    bool IsEmpty() const { return Text.empty(); }
    int32 Len() const { return static_cast<int32>(Text.size()); }
    bool operator==(const TCHAR* Other) const { return Text == Other; }
    friend FString operator+(const FString& One, const FString& Other) { return FString((One.Text + Other.Text).c_str()); }
    friend FString operator+(const FString& One, const TCHAR* Other) { return FString((One.Text + Other).c_str()); }
    static FString FromInt(int32 Number) { return FString(Stub::FromUtf8(std::to_string(Number).c_str()).c_str()); }

private:
    std::u16string Text;
};

class FName
{
public:
    FName(const TCHAR*) {}
};

template <class T> class TArray
{
public:
    void Append(const T* From, int32 Count) { Items.insert(Items.end(), From, From + Count); }
    void Add(T Item) { Items.push_back(Item); }
    void SetNumZeroed(int32 Count) { Items.assign(static_cast<std::size_t>(Count), T()); }
    T* GetData() { return Items.data(); }

private:
    std::vector<T> Items;
};

template <class T> using TUniquePtr = std::unique_ptr<T>;
template <class T> using TFunction = std::function<T>;
template <class T> std::remove_reference_t<T>&& MoveTemp(T&& From) { return std::move(From); }

#include "Stub/Log.h"
#include "Stub/Objects.h"
