/**
 * Measures the client against a running server: CPU time of an idle RunCallbacks and of a presence with its answer, and allocations
 * per presence. `bench RUNTIME_DIR CALLS`; prints one line of JSON. Twin of bindings/c/tests/bench.c.
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#include <sallyport/sdk.hpp>

namespace {

long allocations = 0;

constexpr long warm_calls = 200;
constexpr long idle_runs = 200000;

double cpu_us() { return static_cast<double>(std::clock()) * 1e6 / CLOCKS_PER_SEC; }

/** Makes calls one after the other. Returns false if one failed. */
bool make_calls(sdk::Client &client, const sdk::Activity &activity, long calls) {
  bool has_failed = false;
  for (long call = 0; call < calls && !has_failed; ++call) {
    bool has_answer = false;
    client.UpdateRichPresence(activity, [&](sdk::ClientResult result) {
      has_answer = true;
      has_failed = !result.Successful();
      if (has_failed) std::fprintf(stderr, "%s\n", result.ToString().c_str());
    });
    while (!has_answer) {
      client.RunCallbacks();
      /* RunCallbacks never waits. One pause is enough for most answers, so that the cost of pauses is small. */
      const timespec pause = {0, 300000};
      (void)nanosleep(&pause, nullptr);
    }
  }
  return !has_failed;
}

} // namespace

/* Those of the C library are counted by its own program: none per call. Compilers mistake inlined ones for mismatched pairs. */
[[gnu::noinline]] void *operator new(std::size_t size) {
  ++allocations;
  if (void *block = std::malloc(size)) return block;
  std::abort();
}
[[gnu::noinline]] void operator delete(void *block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void *block, std::size_t) noexcept { std::free(block); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const long calls = std::strtol(argv[2], nullptr, 10);
  sdk::ClientCreateOptions options;
  options.SetRuntimeDirectory(argv[1]);
  sdk::Client client(options);
  client.SetApplicationId(42);
  sdk::Activity activity;
  activity.SetDetails("Unloading the Copper Wren");
  activity.SetState("12 crates ashore");
  if (!make_calls(client, activity, warm_calls)) return 1;
  const long allocated = allocations;
  const double start = cpu_us();
  if (!make_calls(client, activity, calls)) return 1;
  const double call_us = (cpu_us() - start) / static_cast<double>(calls);
  const double per_call = static_cast<double>(allocations - allocated) / static_cast<double>(calls);
  const double idle_start = cpu_us();
  for (long run = 0; run < idle_runs; ++run) client.RunCallbacks();
  const double idle_us = (cpu_us() - idle_start) / idle_runs;
  std::printf("{\"call_us\":%.2f,\"allocations_per_call\":%.3f,\"idle_poll_us\":%.3f}\n", call_us, per_call, idle_us);
  return 0;
}
