/** Finds what a client keeps. */
#include "cache.hpp"

namespace sallyport::sdk::detail {

User Cache::related(std::uint64_t id) const {
  const auto found = relationships.find(id);
  const auto game = game_relationships.find(id);
  if (game == game_relationships.end()) return found == relationships.end() ? nullptr : found->second;
  UserData both = found == relationships.end() ? UserData{} : *found->second;
  both.id = id;
  both.game_relationship = game->second;
  return std::make_shared<const UserData>(std::move(both));
}

User Cache::find_user(std::uint64_t id) const {
  if (user != nullptr && user->id == id) return user;
  if (relationships.count(id) > 0) return related(id);
  for (const auto &[key, message] : messages_)
    if (message.author != nullptr && message.author->id == id) return message.author;
  return nullptr;
}

std::vector<RelationshipHandle> Cache::all_relationships() const {
  std::vector<RelationshipHandle> all;
  for (const auto &[id, one] : relationships) all.emplace_back(related(id));
  for (const auto &[id, type] : game_relationships)
    if (relationships.count(id) == 0) all.emplace_back(related(id));
  return all;
}

std::optional<LobbyHandle> Cache::lobby(std::uint64_t id) const {
  const auto found = lobbies.find(id);
  if (found == lobbies.end()) return std::nullopt;
  LobbyData lobby = found->second;
  for (MemberData &member : lobby.members) {
    member.user = find_user(member.id);
    const bool is_own = user != nullptr && user->id == member.id;
    const StatusType status = member.user == nullptr ? StatusType::Unknown : member.user->status;
    member.is_connected = is_own || (status != StatusType::Unknown && status != StatusType::Offline && status != StatusType::Invisible);
  }
  return LobbyHandle(std::make_shared<const LobbyData>(std::move(lobby)));
}

MessageHandle Cache::handle_of(MessageData message) const {
  if (message.lobby_id != 0) message.lobby = lobby(message.lobby_id);
  if (message.recipient_id != 0) message.recipient = find_user(message.recipient_id);
  return MessageHandle(std::make_shared<const MessageData>(std::move(message)));
}

std::optional<MessageHandle> Cache::message(std::uint64_t id) const {
  const auto found = messages_.find(id);
  return found == messages_.end() ? std::nullopt : std::optional<MessageHandle>(handle_of(found->second));
}

std::optional<ChannelHandle> Cache::channel(std::uint64_t id) const {
  for (const auto &[key, message] : messages_)
    if (message.channel_id == id) return handle_of(message).Channel();
  return std::nullopt;
}

void Cache::keep(const MessageData &message) {
  if (!messages_.insert_or_assign(message.id, message).second) return;
  order_.push_back(message.id);
  if (order_.size() <= most_messages) return;
  messages_.erase(order_.front());
  order_.pop_front();
}

} // namespace sallyport::sdk::detail
