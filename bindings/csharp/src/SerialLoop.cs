using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// Runs tasks one at a time on the thread pool, so that the client needs neither locks nor a thread of its own. Awaits inside a task
    /// continue in the loop. While there is nothing to do, no thread is used.
    /// </summary>
    internal sealed class SerialLoop : SynchronizationContext
    {
        private readonly Queue<Action> tasks = new Queue<Action>();
        private readonly Clock clock;
        /// <summary>
        /// Deadlines, next first, behind one timer of the system: mono keeps a disposed timer until its time, which would be each call.
        /// </summary>
        private readonly SortedSet<Entry> deadlines = new SortedSet<Entry>();
        private IDisposable timer;
        private long timerMs = long.MaxValue;
        private long lastNumber;
        private bool isRunning;

        internal SerialLoop(Clock clock)
        {
            this.clock = clock;
        }

        internal long NowMs => clock.NowMs;

        internal void Post(Action task)
        {
            lock (tasks)
            {
                tasks.Enqueue(task);
                if (isRunning) return;
                isRunning = true;
            }
            ThreadPool.UnsafeQueueUserWorkItem(_ => Drain(), null);
        }

        public override void Post(SendOrPostCallback callback, object state)
        {
            Post(() => callback(state));
        }

        /// <summary>Runs the task after the delay, unless the result is disposed before. Used in the loop, as the result.</summary>
        internal IDisposable After(long delayMs, Action task)
        {
            var entry = new Entry { Loop = this, DueMs = NowMs + Math.Max(0, delayMs), Number = ++lastNumber, Task = task };
            deadlines.Add(entry);
            SetTimer();
            return entry;
        }

        /// <summary>Ends the timer, when nothing will be due.</summary>
        internal void StopTimer()
        {
            timer?.Dispose();
            timerMs = long.MaxValue;
        }

        internal Task Delay(long delayMs)
        {
            var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            After(delayMs, () => done.TrySetResult(true));
            return done.Task;
        }

        private void Drain()
        {
            var before = Current;
            SetSynchronizationContext(this);
            try
            {
                while (true)
                {
                    Action task;
                    lock (tasks)
                    {
                        if (tasks.Count == 0)
                        {
                            isRunning = false;
                            return;
                        }
                        task = tasks.Dequeue();
                    }
                    task();
                }
            }
            finally
            {
                SetSynchronizationContext(before);
            }
        }

        private void SetTimer()
        {
            // A timer that is early looks again, so that it need not change with each deadline.
            if (deadlines.Count == 0 || deadlines.Min.DueMs >= timerMs) return;
            StopTimer();
            timerMs = deadlines.Min.DueMs;
            timer = clock.After(timerMs - NowMs, () => Post(RunDue));
        }

        private void RunDue()
        {
            StopTimer();
            while (deadlines.Count > 0 && deadlines.Min.DueMs <= NowMs)
            {
                var next = deadlines.Min;
                deadlines.Remove(next);
                next.Task();
            }
            SetTimer();
        }

        private sealed class Entry : IDisposable, IComparable<Entry>
        {
            internal SerialLoop Loop;
            internal long DueMs;
            internal long Number;
            internal Action Task;

            public int CompareTo(Entry other)
            {
                var byTime = DueMs.CompareTo(other.DueMs);
                return byTime == 0 ? Number.CompareTo(other.Number) : byTime;
            }

            public void Dispose()
            {
                Loop.deadlines.Remove(this);
            }
        }
    }
}
