/** Objects, pointers to them, and delegates that skip objects that are gone. */
#pragma once

class UObject
{
public:
    UObject();
    virtual ~UObject();
    /** For Cast: the one class that needs it. */
    virtual bool IsGame() const { return false; }
};

namespace Stub
{
    /** Whether the object was not destroyed. */
    bool IsAlive(const UObject* Object);
    /** Destroys every object, the newest first. */
    void DestroyAll();
}

template <class T> class TObjectPtr
{
public:
    TObjectPtr() = default;
    TObjectPtr(T* From) : Object(From) {}
    operator T*() const { return Object; }
    T* operator->() const { return Object; }

private:
    T* Object = nullptr;
};

template <class T> class TWeakObjectPtr
{
public:
    TWeakObjectPtr() = default;
    TWeakObjectPtr(T* From) : Object(From) {}
    T* Get() const { return Stub::IsAlive(Object) ? Object : nullptr; }

private:
    T* Object = nullptr;
};

template <class T> T* Cast(UObject* Object) { return T::Is(Object) ? static_cast<T*>(Object) : nullptr; }
template <class T> T* NewObject() { return new T(); }

/** The one object with the defaults, which tests change. */
template <class T> T* GetMutableDefault()
{
    static T* Default = new T();
    return Default;
}
template <class T> const T* GetDefault() { return GetMutableDefault<T>(); }

template <class... Arguments> class TStubDelegate
{
public:
    template <class T> void Add(T* Object, void (T::*Method)(Arguments...))
    {
        Listeners.push_back([Object, Method](Arguments... Values) {
            if (Stub::IsAlive(Object)) (Object->*Method)(Values...);
        });
    }
    void Broadcast(Arguments... Values) const
    {
        const auto Current = Listeners;
        for (const auto& Listener : Current) Listener(Values...);
    }

private:
    std::vector<std::function<void(Arguments...)>> Listeners;
};

#define AddDynamic(Object, Method) Add(Object, Method)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(Name) using Name = TStubDelegate<>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, Type, Parameter) using Name = TStubDelegate<Type>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, Type1, Parameter1, Type2, Parameter2) using Name = TStubDelegate<Type1, Type2>
