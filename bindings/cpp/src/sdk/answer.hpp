/** The answer to a call as the result of the SDK. */
#ifndef SALLYPORT_SDK_ANSWER_HPP
#define SALLYPORT_SDK_ANSWER_HPP

#include "../tasks.hpp"
#include "sallyport/client.hpp"
#include "sallyport/sdk/object.hpp"

namespace sallyport::sdk::detail {

using sallyport::Task;

/** A result with the data of the answer. */
struct Reply {
  ClientResult result;
  const Data &data;
};

/** Reads a reply, and returns the task that calls the game back. */
using Decode = std::function<Task(const Reply &)>;

ClientResult success();
ClientResult failure(ErrorType type, std::string sentence, bool is_retryable = false);
ClientResult result_of(const Answer &answer);

} // namespace sallyport::sdk::detail

#endif
