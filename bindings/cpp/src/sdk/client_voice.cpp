/** Client: voice. A bridge carries no audio: each function says so. */
#include "core.hpp"

namespace sallyport::sdk {

using detail::end;
using detail::failure;

/** Logs the function, once per call. */
static void no_audio(detail::Core *core, const char *function) {
  if (core != nullptr) core->log(LoggingSeverity::Error, std::string(function) + ": a bridge carries no audio");
}

/** Calls back with empty values, in the next RunCallbacks. */
template <class Callback, class... Values> static void answer(detail::Core *core, const Callback &callback, Values... values) {
  if (!callback) return;
  if (core == nullptr) return callback(values...);
  core->add([callback, values...] { callback(values...); });
}

Call Client::StartCall(std::uint64_t) {
  no_audio(core_.get(), "StartCall");
  return Call::nullobj;
}

Call Client::StartCallWithAudioCallbacks(std::uint64_t, AudioReceivedCallback, AudioCapturedCallback) {
  no_audio(core_.get(), "StartCallWithAudioCallbacks");
  return Call::nullobj;
}

static ClientResult disabled() {
  return failure(ErrorType::Disabled, "a bridge carries no audio; the game chooses its devices itself");
}

void Client::SetInputDevice(std::string, ResultCallback callback) {
  no_audio(core_.get(), "SetInputDevice");
  end(core_.get(), callback, disabled());
}

void Client::SetOutputDevice(std::string, ResultCallback callback) {
  no_audio(core_.get(), "SetOutputDevice");
  end(core_.get(), callback, disabled());
}

void Client::EndCall(std::uint64_t, std::function<void()> callback) { answer(core_.get(), callback); }
void Client::EndCalls(std::function<void()> callback) { answer(core_.get(), callback); }
Call Client::GetCall(std::uint64_t) const { return Call::nullobj; }
std::vector<Call> Client::GetCalls() const { return {}; }
void Client::GetInputDevices(std::function<void(std::vector<AudioDevice>)> callback) {
  answer(core_.get(), callback, std::vector<AudioDevice>{});
}
void Client::GetOutputDevices(std::function<void(std::vector<AudioDevice>)> callback) {
  answer(core_.get(), callback, std::vector<AudioDevice>{});
}
void Client::GetCurrentInputDevice(std::function<void(AudioDevice)> callback) { answer(core_.get(), callback, AudioDevice{}); }
void Client::GetCurrentOutputDevice(std::function<void(AudioDevice)> callback) { answer(core_.get(), callback, AudioDevice{}); }
std::string Client::GetDefaultAudioDeviceId() { return "default"; }
float Client::GetInputVolume() const { return 0; }
float Client::GetOutputVolume() const { return 0; }
bool Client::GetSelfDeafAll() const { return false; }
bool Client::GetSelfMuteAll() const { return false; }
void Client::SetInputVolume(float) { no_audio(core_.get(), "SetInputVolume"); }
void Client::SetOutputVolume(float) { no_audio(core_.get(), "SetOutputVolume"); }
void Client::SetSelfDeafAll(bool) { no_audio(core_.get(), "SetSelfDeafAll"); }
void Client::SetSelfMuteAll(bool) { no_audio(core_.get(), "SetSelfMuteAll"); }
void Client::SetAecDump(bool) { no_audio(core_.get(), "SetAecDump"); }
void Client::SetAutomaticGainControl(bool) { no_audio(core_.get(), "SetAutomaticGainControl"); }
void Client::SetEchoCancellation(bool) { no_audio(core_.get(), "SetEchoCancellation"); }
void Client::SetNoiseCancellation(bool) { no_audio(core_.get(), "SetNoiseCancellation"); }
void Client::SetNoiseSuppression(bool) { no_audio(core_.get(), "SetNoiseSuppression"); }
void Client::SetEngineManagedAudioSession(bool) { no_audio(core_.get(), "SetEngineManagedAudioSession"); }
void Client::SetOpusHardwareCoding(bool, bool) { no_audio(core_.get(), "SetOpusHardwareCoding"); }
void Client::SetNoAudioInputThreshold(float) { no_audio(core_.get(), "SetNoAudioInputThreshold"); }
bool Client::SetSpeakerMode(bool) {
  no_audio(core_.get(), "SetSpeakerMode");
  return false;
}
bool Client::ShowAudioRoutePicker() {
  no_audio(core_.get(), "ShowAudioRoutePicker");
  return false;
}
void Client::SetThreadPriority(Thread, std::int32_t) {}
void Client::SetDeviceChangeCallback(std::function<void(std::vector<AudioDevice>, std::vector<AudioDevice>)>) {}
void Client::SetNoAudioInputCallback(std::function<void(bool)>) {}
void Client::SetVoiceParticipantChangedCallback(std::function<void(std::uint64_t, std::uint64_t, bool)>) {}
void Client::AddVoiceLogCallback(std::function<void(std::string, LoggingSeverity)>, LoggingSeverity) {}
void Client::SetVoiceLogDir(std::string, LoggingSeverity) { no_audio(core_.get(), "SetVoiceLogDir"); }

} // namespace sallyport::sdk
