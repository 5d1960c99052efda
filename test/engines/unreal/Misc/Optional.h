/** A value that may be absent. */
#pragma once

#include <optional>

#include "CoreMinimal.h"

template <class T> class TOptional
{
public:
    TOptional() = default;
    TOptional(T From) : Value(std::move(From)) {}
    bool IsSet() const { return Value.has_value(); }
    const T& GetValue() const { return *Value; }

private:
    std::optional<T> Value;
};
