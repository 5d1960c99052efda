/**
 * For ThreadSanitizer: two clients in two threads, then one client that two threads use under a lock.
 * `threads RUNTIME_DIR CALLS`, against a running server.
 */
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <sallyport/client.hpp>
#include <sallyport/records.hpp>

namespace {

struct Game {
  const char *runtime;
  long calls;
  long done = 0;
  bool has_failed = false;
};

sallyport::Client connected(const Game &game) {
  sallyport::Options options;
  options.application_id = 42;
  options.runtime_directory = game.runtime;
  sallyport::Client client(options);
  client.connect(20'000);
  while (!client.is_ready()) {
    client.poll(100);
    if (client.state() == sallyport::State::Offline) std::abort();
  }
  return client;
}

/** The server answers with the arguments. */
void call(sallyport::Client &client, Game &game) {
  client.call("GET_LOBBY", R"({"id":"7"})", [&game](const sallyport::Answer &answer) {
    const auto lobby = answer.data.as<sallyport::records::Lobby>();
    ++game.done;
    if (!answer || !lobby || lobby->id != 7) game.has_failed = true;
  });
}

void play_alone(Game &game) {
  auto client = connected(game);
  for (long sent = 0; sent < game.calls && !game.has_failed; ++sent) {
    call(client, game);
    while (game.done <= sent && !game.has_failed) client.poll(100);
  }
}

void play_shared(Game &game) {
  auto client = connected(game);
  std::mutex lock;
  std::atomic<bool> is_over{false};
  std::thread poller([&] {
    while (!is_over) {
      {
        const std::lock_guard<std::mutex> held(lock);
        client.poll();
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  long sent = 0;
  for (long done = 0; done < game.calls;) {
    const std::lock_guard<std::mutex> held(lock);
    // As many as may wait at once.
    if (sent < game.calls && sent - game.done < 64) {
      call(client, game);
      ++sent;
    }
    done = game.has_failed ? game.calls : game.done;
  }
  is_over = true;
  poller.join();
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const long calls = std::strtol(argv[2], nullptr, 10);
  Game games[] = {{argv[1], calls}, {argv[1], calls}, {argv[1], calls}};
  std::thread first(play_alone, std::ref(games[0]));
  std::thread second(play_alone, std::ref(games[1]));
  first.join();
  second.join();
  play_shared(games[2]);
  std::printf("%ld %ld %ld\n", games[0].done, games[1].done, games[2].done);
  return games[0].has_failed || games[1].has_failed || games[2].has_failed;
}
