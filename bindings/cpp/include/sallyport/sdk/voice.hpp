/** Voice calls of the public interface. A bridge carries no audio, so that a call is always uninitialized, and lists are empty. */
#ifndef SALLYPORT_SDK_VOICE_HPP
#define SALLYPORT_SDK_VOICE_HPP

#include <functional>
#include <optional>
#include <vector>

#include "sallyport/sdk/object.hpp"

namespace sallyport::sdk {

using AudioReceivedCallback = std::function<void(std::uint64_t userId, std::int16_t *data, std::uint64_t samplesPerChannel,
                                                 std::int32_t sampleRate, std::uint64_t channels, bool &outShouldMute)>;
using AudioCapturedCallback =
    std::function<void(std::int16_t *data, std::uint64_t samplesPerChannel, std::int32_t sampleRate, std::uint64_t channels)>;

class AudioDevice : public detail::Object {
public:
  AudioDevice() : Object(detail::Uninitialized{}) {}
  explicit AudioDevice(detail::Uninitialized none) : Object(none) {}
  static const AudioDevice nullobj;

  std::string Id() const { return id_; }
  void SetId(std::string value) { id_ = std::move(value); }
  std::string Name() const { return name_; }
  void SetName(std::string value) { name_ = std::move(value); }
  bool IsDefault() const { return is_default_; }
  void SetIsDefault(bool value) { is_default_ = value; }
  bool Equals(const AudioDevice &other) const { return id_ == other.id_; }

private:
  std::string id_, name_;
  bool is_default_ = false;
};

class VADThresholdSettings : public detail::Object {
public:
  VADThresholdSettings() : Object(detail::Uninitialized{}) {}
  explicit VADThresholdSettings(detail::Uninitialized none) : Object(none) {}
  static const VADThresholdSettings nullobj;

  float VadThreshold() const { return threshold_; }
  void SetVadThreshold(float value) { threshold_ = value; }
  bool Automatic() const { return is_automatic_; }
  void SetAutomatic(bool value) { is_automatic_ = value; }

private:
  float threshold_ = 0;
  bool is_automatic_ = false;
};

class VoiceStateHandle : public detail::Object {
public:
  VoiceStateHandle() : Object(detail::Uninitialized{}) {}
  explicit VoiceStateHandle(detail::Uninitialized none) : Object(none) {}
  static const VoiceStateHandle nullobj;

  bool SelfDeaf() const { return false; }
  bool SelfMute() const { return false; }
};

class CallInfoHandle : public detail::Object {
public:
  CallInfoHandle() : Object(detail::Uninitialized{}) {}
  explicit CallInfoHandle(detail::Uninitialized none) : Object(none) {}
  static const CallInfoHandle nullobj;

  std::uint64_t ChannelId() const { return 0; }
  std::uint64_t GuildId() const { return 0; }
  std::vector<std::uint64_t> GetParticipants() const { return {}; }
  std::optional<VoiceStateHandle> GetVoiceStateHandle(std::uint64_t) const { return std::nullopt; }
};

/** Its setters do nothing. */
class Call : public detail::Object {
public:
  enum class Error : std::int32_t {
    None = 0,
    SignalingConnectionFailed = 1,
    SignalingUnexpectedClose = 2,
    VoiceConnectionFailed = 3,
    JoinTimeout = 4,
    Forbidden = 5
  };
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
  std::uint64_t GetChannelId() const { return 0; }
  std::uint64_t GetGuildId() const { return 0; }
  std::vector<std::uint64_t> GetParticipants() const { return {}; }
  std::optional<VoiceStateHandle> GetVoiceStateHandle(std::uint64_t) const { return std::nullopt; }
  AudioModeType GetAudioMode() const { return AudioModeType::MODE_UNINIT; }
  void SetAudioMode(AudioModeType) {}
  bool GetLocalMute(std::uint64_t) const { return false; }
  void SetLocalMute(std::uint64_t, bool) {}
  float GetParticipantVolume(std::uint64_t) const { return 0; }
  void SetParticipantVolume(std::uint64_t, float) {}
  bool GetPTTActive() const { return false; }
  void SetPTTActive(bool) {}
  std::uint32_t GetPTTReleaseDelay() const { return 0; }
  void SetPTTReleaseDelay(std::uint32_t) {}
  bool GetSelfDeaf() const { return false; }
  void SetSelfDeaf(bool) {}
  bool GetSelfMute() const { return false; }
  void SetSelfMute(bool) {}
  VADThresholdSettings GetVADThreshold() const { return VADThresholdSettings::nullobj; }
  void SetVADThreshold(bool, float) {}
  void SetStatusChangedCallback(std::function<void(Status, Error, std::int32_t)>) {}
  void SetOnVoiceStateChangedCallback(std::function<void(std::uint64_t)>) {}
  void SetParticipantChangedCallback(std::function<void(std::uint64_t, bool)>) {}
  void SetSpeakingStatusChangedCallback(std::function<void(std::uint64_t, bool)>) {}
  static std::string StatusToString(Status status);
  static std::string ErrorToString(Error error);
};

} // namespace sallyport::sdk

#endif
