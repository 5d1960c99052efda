using System;
using System.Diagnostics;
using System.Threading;

namespace Sallyport
{
    /// <summary>The time of a client. Tests replace it.</summary>
    public abstract class Clock
    {
        /// <summary>Milliseconds of a monotonic clock.</summary>
        public abstract long NowMs { get; }

        /// <summary>Runs the task once, on any thread, after the delay. Disposing the result cancels it.</summary>
        public abstract IDisposable After(long delayMs, Action task);
    }

    internal sealed class SystemClock : Clock
    {
        private readonly Stopwatch watch = Stopwatch.StartNew();

        public override long NowMs => watch.ElapsedMilliseconds;

        public override IDisposable After(long delayMs, Action task)
        {
            return new Timer(_ => task(), null, Math.Min(Math.Max(delayMs, 0), int.MaxValue), Timeout.Infinite);
        }
    }
}
