using System;
using System.Threading;

namespace Sallyport
{
    /// <summary>
    /// The call that set a presence without a connection. It ends once: when the presence was shown, refused or replaced. Used in the loop.
    /// </summary>
    internal sealed class DeferredPresence
    {
        private readonly CancellationTokenRegistration cancellation;
        private Done done;

        internal DeferredPresence(SerialLoop loop, CancellationToken token, Done done)
        {
            this.done = done;
            if (token.CanBeCanceled)
                cancellation = token.Register(() => loop.Post(() => End(null, new OperationCanceledException(token))), false);
        }

        /// <summary>Reports the end, if nothing has ended it before.</summary>
        internal void End(object data, Exception error)
        {
            var report = done;
            done = null;
            cancellation.Dispose();
            report?.Invoke(data, error);
        }

        /// <summary>Reports the response to the presence. After a lost connection the next one shows it, so nothing has ended.</summary>
        internal void Answer(object data, Exception error)
        {
            if (!(error is ConnectionLostException)) End(data, error);
        }
    }
}
