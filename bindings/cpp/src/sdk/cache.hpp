/** What the getters of a client return at once: the user, relationships, lobbies and messages as the bridge sent them last. */
#ifndef SALLYPORT_SDK_CACHE_HPP
#define SALLYPORT_SDK_CACHE_HPP

#include <deque>
#include <map>

#include "data.hpp"

namespace sallyport::sdk::detail {

/** Messages that are kept; the oldest are dropped. */
inline constexpr std::size_t most_messages = 1024;

class Cache {
public:
  User user;
  std::map<std::uint64_t, User> relationships;
  /** Relationships in this application, by user. */
  std::map<std::uint64_t, RelationshipType> game_relationships;
  std::map<std::uint64_t, LobbyData> lobbies;

  /** The current user, one of a relationship, or the author of a kept message. Null if there is none. */
  User find_user(std::uint64_t id) const;
  /** A user with both relationships. */
  User related(std::uint64_t id) const;
  std::vector<RelationshipHandle> all_relationships() const;
  std::optional<LobbyHandle> lobby(std::uint64_t id) const;
  std::optional<MessageHandle> message(std::uint64_t id) const;
  std::optional<ChannelHandle> channel(std::uint64_t id) const;

  void keep(const MessageData &message);
  /** Its place in the order stays, so that the number of kept ids is bounded too. */
  void drop_message(std::uint64_t id) { messages_.erase(id); }
  /** A message with what it refers to, as that is now. */
  MessageHandle handle_of(MessageData message) const;

private:
  std::map<std::uint64_t, MessageData> messages_;
  std::deque<std::uint64_t> order_;
};

} // namespace sallyport::sdk::detail

#endif
