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

        /// <summary>Runs the task in the loop after the delay, unless the result was disposed in the loop before.</summary>
        internal IDisposable After(long delayMs, Action task)
        {
            var entry = new Entry { Task = task };
            entry.Timer = clock.After(delayMs, () => Post(entry.Run));
            return entry;
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

        private sealed class Entry : IDisposable
        {
            internal Action Task;
            internal IDisposable Timer;

            internal void Run()
            {
                var task = Task;
                Dispose();
                task?.Invoke();
            }

            public void Dispose()
            {
                Task = null;
                Timer?.Dispose();
            }
        }
    }
}
