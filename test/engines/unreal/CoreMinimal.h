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
/** Not std::int64_t, which is long on Linux. */
using int64 = signed long long;
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
    const TCHAR& operator[](int32 At) const { return Text[static_cast<std::size_t>(At)]; }
    bool IsEmpty() const { return Text.empty(); }
    int32 Len() const { return static_cast<int32>(Text.size()); }
    FString Mid(int32 Start, int32 Count) const { return FString(Text.substr(static_cast<std::size_t>(Start), static_cast<std::size_t>(Count)).c_str()); }
    /** As in the engine, texts are equal without regard to upper and lower case, also as keys of a map. */
    bool operator==(const TCHAR* Other) const { return Folded(Text) == Folded(Other); }
    bool operator==(const FString& Other) const { return *this == *Other; }
    FString& operator+=(const FString& More)
    {
        Text += More.Text;
        return *this;
    }
    FString& operator+=(const TCHAR* More)
    {
        Text += More;
        return *this;
    }
    friend FString operator+(const FString& One, const FString& Other) { return FString((One.Text + Other.Text).c_str()); }
    friend FString operator+(const FString& One, const TCHAR* Other) { return FString((One.Text + Other).c_str()); }
    static FString FromInt(int32 Number) { return FString(Stub::FromUtf8(std::to_string(Number).c_str()).c_str()); }

private:
    static std::u16string Folded(std::u16string From)
    {
        for (TCHAR& One : From)
            if (One >= u'A' && One <= u'Z') One = static_cast<TCHAR>(One + (u'a' - u'A'));
        return From;
    }
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
    TArray() = default;
    TArray(std::initializer_list<T> From) : Items(From) {}
    void Append(const T* From, int32 Count) { Items.insert(Items.end(), From, From + Count); }
    void Add(T Item) { Items.push_back(std::move(Item)); }
    void SetNumZeroed(int32 Count) { Items.assign(static_cast<std::size_t>(Count), T()); }
    T* GetData() { return Items.data(); }
    int32 Num() const { return static_cast<int32>(Items.size()); }
    const T& operator[](int32 At) const { return Items.at(static_cast<std::size_t>(At)); }
    auto begin() const { return Items.begin(); }
    auto end() const { return Items.end(); }

private:
    std::vector<T> Items;
};

template <class K, class V> struct TPair
{
    K Key;
    V Value;
};

/** In the order of insertion, as that of the engine is while nothing is removed. */
template <class K, class V> class TMap
{
public:
    void Add(const K& Key, V Value)
    {
        for (auto& One : Pairs)
            if (One.Key == Key)
            {
                One.Value = std::move(Value);
                return;
            }
        Pairs.push_back({Key, std::move(Value)});
    }
    const V* Find(const K& Key) const
    {
        for (const auto& One : Pairs)
            if (One.Key == Key) return &One.Value;
        return nullptr;
    }
    int32 Num() const { return static_cast<int32>(Pairs.size()); }
    auto begin() const { return Pairs.begin(); }
    auto end() const { return Pairs.end(); }

private:
    std::vector<TPair<K, V>> Pairs;
};

template <class T> class TUniquePtr
{
public:
    explicit TUniquePtr(T* From) : Object(From) {}
    TUniquePtr(const TUniquePtr&) = delete;
    ~TUniquePtr() { delete Object; }
    T* Get() const { return Object; }
    T* operator->() const { return Object; }
    T* Release()
    {
        T* Released = Object;
        Object = nullptr;
        return Released;
    }

private:
    T* Object;
};

template <class T> using TFunction = std::function<T>;
/** Does not own what it calls; only for parameters. */
template <class T> class TFunctionRef;
template <class R, class... A> class TFunctionRef<R(A...)>
{
public:
    template <class F> TFunctionRef(F&& From) : Function(const_cast<void*>(static_cast<const void*>(&From)))
    {
        Run = [](void* Object, A... Values) -> R { return (*static_cast<std::remove_reference_t<F>*>(Object))(Values...); };
    }
    R operator()(A... Values) const { return Run(Function, Values...); }

private:
    void* Function;
    R (*Run)(void*, A...);
};

/** For the test: whether this process serves a game without a player. */
namespace Stub
{
    extern bool bIsServer;
}
inline bool IsRunningDedicatedServer() { return Stub::bIsServer; }

template <class T> std::remove_reference_t<T>&& MoveTemp(T&& From) { return std::move(From); }

#include "Stub/Log.h"
#include "Stub/Objects.h"
