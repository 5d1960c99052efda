using System;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// The events of one name, for `await foreach`. Each loop subscribes when it starts and ends its subscription when it is left. It ends
    /// by itself when the client is closed.
    /// </summary>
    public sealed partial class EventStream
    {
        private readonly Func<CancellationToken, EventEnumerator> start;

        internal EventStream(Func<CancellationToken, EventEnumerator> start)
        {
            this.start = start;
        }

        /// <summary>Subscribes. A cancelled token ends the loop with <see cref="OperationCanceledException"/>.</summary>
        public EventEnumerator GetAsyncEnumerator(CancellationToken cancellation = default(CancellationToken))
        {
            return start(cancellation);
        }
    }

    /// <summary>
    /// One loop over events. Its members have the shape that `await foreach` of C# 8 wants, so that no newer class library is needed.
    /// Events that wait count as callbacks that wait: the client stops reading above a MiB.
    /// </summary>
    public sealed class EventEnumerator : IEventListener
    {
        private readonly Queue<Item> items = new Queue<Item>();
        private readonly Dispatcher dispatcher;
        private readonly CancellationToken cancellation;
        private readonly CancellationTokenRegistration registration;
        private TaskCompletionSource<bool> next;
        private bool isEnded;

        internal EventEnumerator(Dispatcher dispatcher, CancellationToken cancellation)
        {
            this.dispatcher = dispatcher;
            this.cancellation = cancellation;
            if (cancellation.CanBeCanceled) registration = cancellation.Register(Cancel, false);
        }

        /// <summary>Set before the loop starts.</summary>
        internal Subscription Subscription { get; set; }

        /// <summary>The event: dictionaries, lists, strings, longs, doubles, bools, null. `Read` of a record class reads it.</summary>
        [MayBeNull] public object Current { get; private set; }

        /// <summary>
        /// Completes with true when <see cref="Current"/> is the next event, with false when the client was closed. One call at a time.
        /// </summary>
        public Task<bool> MoveNextAsync()
        {
            Item item;
            lock (items)
            {
                if (next != null) throw new InvalidOperationException("the last MoveNextAsync has not completed; await it first");
                if (cancellation.IsCancellationRequested) return Task.FromCanceled<bool>(cancellation);
                if (items.Count == 0)
                {
                    if (isEnded) return Task.FromResult(false);
                    next = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                    return next.Task;
                }
                item = items.Dequeue();
                Current = item.Data;
            }
            dispatcher.Release(item.Bytes);
            return Task.FromResult(true);
        }

        /// <summary>Ends the subscription. Does not wait.</summary>
        public Task DisposeAsync()
        {
            Subscription.Dispose();
            registration.Dispose();
            var bytes = 0L;
            lock (items)
                while (items.Count > 0) bytes += items.Dequeue().Bytes;
            dispatcher.Release(bytes);
            return Task.CompletedTask;
        }

        void IEventListener.Deliver(object data, int bytes)
        {
            var item = new Item { Data = data, Bytes = bytes + Dispatcher.ItemBytes };
            // Before another thread can take it.
            dispatcher.Hold(item.Bytes);
            TaskCompletionSource<bool> waiting;
            lock (items)
            {
                waiting = next;
                next = null;
                if (waiting != null) Current = data;
                else if (!isEnded)
                {
                    items.Enqueue(item);
                    return;
                }
            }
            dispatcher.Release(item.Bytes);
            waiting?.TrySetResult(true);
        }

        void IEventListener.End()
        {
            TaskCompletionSource<bool> waiting;
            lock (items)
            {
                isEnded = true;
                waiting = next;
                next = null;
            }
            waiting?.TrySetResult(false);
        }

        private void Cancel()
        {
            TaskCompletionSource<bool> waiting;
            lock (items)
            {
                waiting = next;
                next = null;
            }
            waiting?.TrySetCanceled(cancellation);
        }

        private struct Item
        {
            internal object Data;
            internal long Bytes;
        }
    }
}
