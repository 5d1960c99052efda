/** Callbacks of a game that wait for its next frame. */
#ifndef SALLYPORT_TASKS_HPP
#define SALLYPORT_TASKS_HPP

#include <deque>
#include <functional>
#include <utility>

namespace sallyport {

/** Calls a callback of the game. */
using Task = std::function<void()>;

class TaskQueue {
public:
  void add(Task task) {
    if (task) tasks_.push_back(std::move(task));
  }
  bool is_empty() const { return tasks_.empty(); }

  /** What they hold may use the queue again. */
  void clear() { const auto ended = std::exchange(tasks_, {}); }

  /** Prepares, then runs the tasks that are there; those that they add run the next time. Inside a task it does nothing. */
  template <class Prepare> void run(Prepare prepare) {
    if (is_running_) return;
    const Running guard(is_running_);
    prepare();
    for (std::size_t left = tasks_.size(); left > 0 && !tasks_.empty(); --left) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
  }

private:
  /** Also ends when a task throws. */
  class Running {
  public:
    explicit Running(bool &flag) : flag_(flag) { flag_ = true; }
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;
    ~Running() { flag_ = false; }

  private:
    bool &flag_;
  };

  bool is_running_ = false;
  std::deque<Task> tasks_;
};

} // namespace sallyport

#endif
