/** What the getters of a client return at once: the user, relationships, lobbies and messages as the bridge sent them last. */
#ifndef SALLYPORT_SDK_DETAIL_CACHE_HPP
#define SALLYPORT_SDK_DETAIL_CACHE_HPP

#include <deque>

#include "sallyport/sdk/handles.hpp"

namespace sdk {
namespace detail {

/** Messages that are kept; the oldest are dropped. */
inline constexpr std::size_t most_messages = 1024;

struct Cache {
  std::optional<UserHandle> user;
  std::map<std::uint64_t, RelationshipHandle> relationships;
  std::map<std::uint64_t, LobbyHandle> lobbies;

  const MessageHandle *message(std::uint64_t id) const {
    const auto found = messages_.find(id);
    return found == messages_.end() ? nullptr : &found->second;
  }

  void keep(const MessageHandle &message) {
    if (!messages_.insert_or_assign(message.Id(), message).second) return;
    order_.push_back(message.Id());
    if (order_.size() <= most_messages) return;
    messages_.erase(order_.front());
    order_.pop_front();
  }

  /** Its place in the order stays, so that the number of kept ids is bounded too. */
  void drop_message(std::uint64_t id) { messages_.erase(id); }

  /** A user of a relationship, or the author of a kept message. */
  std::optional<UserHandle> find_user(std::uint64_t id) const {
    if (user && user->Id() == id) return user;
    const auto related = relationships.find(id);
    if (related != relationships.end()) return related->second.User();
    for (const auto &[key, message] : messages_)
      if (message.AuthorId() == id) return message.Author();
    return std::nullopt;
  }

private:
  std::map<std::uint64_t, MessageHandle> messages_;
  std::deque<std::uint64_t> order_;
};

} // namespace detail
} // namespace sdk

#endif
