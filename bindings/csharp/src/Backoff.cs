using System;

namespace Sallyport
{
    /// <summary>The delay before the next attempt: short at first, since a restarted daemon is back within a second.</summary>
    internal sealed class Backoff
    {
        internal static readonly Backoff Reconnect = new Backoff(100, 500, 5000);
        internal static readonly Backoff Resubscribe = new Backoff(1000, 60000, 60000);

        /// <summary>Length of the early phase of an outage.</summary>
        internal const long EarlyMs = 60000;
        /// <summary>
        /// A connection that lasted less is part of the outage, so that the client does not hammer a server that crashes.
        /// </summary>
        internal const long StableMs = 2000;

        private readonly long firstMs;
        private readonly long earlyCapMs;
        private readonly long capMs;
        private readonly Random random = new Random();

        private Backoff(long firstMs, long earlyCapMs, long capMs)
        {
            this.firstMs = firstMs;
            this.earlyCapMs = earlyCapMs;
            this.capMs = capMs;
        }

        /// <summary>Doubles up to the cap; the upper half is random, so that many games do not come back at the same time.</summary>
        internal long Before(int attempt, long outageMs)
        {
            var cap = outageMs < EarlyMs ? earlyCapMs : capMs;
            var full = Math.Min(cap, firstMs << Math.Min(attempt, 16));
            lock (random) return (long)(full * (0.5 + random.NextDouble() / 2));
        }
    }
}
