/** The clients of the process, for sdk::RunCallbacks. */
#ifndef SALLYPORT_SDK_DETAIL_REGISTRY_HPP
#define SALLYPORT_SDK_DETAIL_REGISTRY_HPP

#include <atomic>

#include "sallyport/sdk/detail/core.hpp"

namespace sdk {
namespace detail {

/** Never destroyed, because a client may be destroyed after every other object of the program. */
struct Registry {
  /** Held for a few instructions; some compilers for Windows have no std::mutex. */
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  std::vector<std::weak_ptr<Core>> cores;

  static Registry &instance() {
    static Registry *const registry = new Registry;
    return *registry;
  }
};

class RegistryLock {
public:
  RegistryLock() {
    while (Registry::instance().lock.test_and_set(std::memory_order_acquire)) continue;
  }
  RegistryLock(const RegistryLock &) = delete;
  RegistryLock &operator=(const RegistryLock &) = delete;
  ~RegistryLock() { Registry::instance().lock.clear(std::memory_order_release); }
};

inline void register_core(const std::shared_ptr<Core> &core) {
  const RegistryLock lock;
  Registry::instance().cores.push_back(core);
}

/** The clients that exist, in the order of their creation. */
inline std::vector<std::shared_ptr<Core>> all_cores() {
  const RegistryLock lock;
  auto &cores = Registry::instance().cores;
  std::vector<std::shared_ptr<Core>> all;
  cores.erase(std::remove_if(cores.begin(), cores.end(), [](const auto &one) { return one.expired(); }), cores.end());
  for (const auto &core : cores)
    if (auto one = core.lock()) all.push_back(std::move(one));
  return all;
}

} // namespace detail
} // namespace sdk

#endif
