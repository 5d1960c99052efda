/** Voice calls of the public interface. A bridge carries no audio, so that a call is always uninitialized. */
#ifndef SALLYPORT_SDK_CALL_HPP
#define SALLYPORT_SDK_CALL_HPP

#include <functional>

#include "sallyport/sdk/object.hpp"

namespace sdk {

using AudioReceivedCallback = std::function<void(std::uint64_t userId, std::int16_t *data, std::uint64_t samplesPerChannel,
                                                 std::int32_t sampleRate, std::uint64_t channels, bool &outShouldMute)>;
using AudioCapturedCallback =
    std::function<void(std::int16_t *data, std::uint64_t samplesPerChannel, std::int32_t sampleRate, std::uint64_t channels)>;

/** Its setters do nothing. */
class Call : public detail::Object {
public:
  enum class Status : std::int32_t {
    Disconnected = 0,
    Joining = 1,
    Connecting = 2,
    SignalingConnected = 3,
    Connected = 4,
    Reconnecting = 5,
    Disconnecting = 6
  };

  Call() : Object(detail::Uninitialized{}) {}
  explicit Call(detail::Uninitialized none) : Object(none) {}
  static const Call nullobj;

  Status GetStatus() const { return Status::Disconnected; }
  void SetPTTActive(bool) {}
  std::uint32_t GetPTTReleaseDelay() const { return 0; }
  void SetPTTReleaseDelay(std::uint32_t) {}
};

inline const Call Call::nullobj{detail::Uninitialized{}};

} // namespace sdk

#endif
