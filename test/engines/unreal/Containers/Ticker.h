/** The ticker of the game thread. */
#pragma once

#include "CoreMinimal.h"

class FTickerDelegate
{
public:
    template <class T> static FTickerDelegate CreateUObject(T* Object, bool (T::*Method)(float))
    {
        FTickerDelegate Delegate;
        Delegate.Run = [Object, Method](float DeltaSeconds) { return Stub::IsAlive(Object) && (Object->*Method)(DeltaSeconds); };
        return Delegate;
    }
    std::function<bool(float)> Run;
};

class FTSTicker
{
public:
    using FDelegateHandle = std::weak_ptr<FTickerDelegate>;

    static FTSTicker& GetCoreTicker()
    {
        static FTSTicker Ticker;
        return Ticker;
    }
    FDelegateHandle AddTicker(const FTickerDelegate& Delegate)
    {
        Delegates.push_back(std::make_shared<FTickerDelegate>(Delegate));
        return Delegates.back();
    }
    void RemoveTicker(const FDelegateHandle& Handle)
    {
        const auto Removed = Handle.lock();
        for (auto& One : Delegates)
            if (One == Removed) One = nullptr;
    }
    void Tick(float DeltaSeconds)
    {
        const auto Current = Delegates;
        for (const auto& One : Current)
            if (One != nullptr) One->Run(DeltaSeconds);
    }
    /** How many are left. */
    std::size_t Count() const
    {
        std::size_t Left = 0;
        for (const auto& One : Delegates) Left += One != nullptr ? 1 : 0;
        return Left;
    }

private:
    std::vector<std::shared_ptr<FTickerDelegate>> Delegates;
};
