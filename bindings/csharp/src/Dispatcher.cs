using System;
using System.Collections.Generic;
using System.Threading;

namespace Sallyport
{
    /// <summary>Where callbacks of the game run.</summary>
    public enum Callbacks
    {
        /// <summary>
        /// In the <see cref="SynchronizationContext"/> of the thread that created the client; without one, on the thread pool, in
        /// order.
        /// </summary>
        Context,
        /// <summary>Inside <see cref="SallyportClient.Tick"/>, on the thread that calls it.</summary>
        Tick
    }

    /// <summary>
    /// Runs callbacks of the game in order and one at a time, never inside the client. The client stops reading while too many wait.
    /// </summary>
    internal sealed class Dispatcher
    {
        /// <summary>Bytes of waiting callbacks at which the client stops reading from the server.</summary>
        private const long FullBytes = 1 << 20;
        /// <summary>What an item costs besides its bytes.</summary>
        internal const long ItemBytes = 128;

        private readonly Queue<Item> items = new Queue<Item>();
        private readonly bool isTicked;
        private readonly SynchronizationContext context;
        private long bytes;
        private bool isScheduled;
        private bool isClosed;
        private Action onRoom;

        internal Dispatcher(Callbacks mode, SynchronizationContext context)
        {
            isTicked = mode == Callbacks.Tick;
            this.context = context;
        }

        /// <summary>Queues an event or a state; dropped when the client is closed before it runs.</summary>
        internal void Post(Action task, long size = 0)
        {
            Add(new Item { Task = task, Bytes = size + ItemBytes });
        }

        /// <summary>Queues the result of a call, which runs also after the client is closed.</summary>
        internal void PostResult(Action task)
        {
            Add(new Item { Task = task, Bytes = ItemBytes, IsResult = true });
        }

        /// <summary>Counts bytes that the game has yet to take from elsewhere.</summary>
        internal void Hold(long size)
        {
            lock (items) bytes += size;
        }

        /// <summary>The game took bytes of <see cref="Hold"/>.</summary>
        internal void Release(long size)
        {
            Action resume;
            lock (items) resume = Subtract(size);
            resume?.Invoke();
        }

        /// <summary>Calls `resume` at once, or when there is room again.</summary>
        internal void WhenRoom(Action resume)
        {
            lock (items)
            {
                if (bytes >= FullBytes && !isClosed)
                {
                    onRoom = resume;
                    return;
                }
            }
            resume();
        }

        /// <summary>From now on only results run.</summary>
        internal void Close()
        {
            lock (items) isClosed = true;
        }

        /// <summary>Runs what waits now. An exception of a callback leaves the rest for the next time.</summary>
        internal void Run()
        {
            int left;
            lock (items) left = items.Count;
            for (; left > 0; left--)
            {
                Action task;
                Action resume;
                lock (items)
                {
                    if (items.Count == 0) return;
                    var item = items.Dequeue();
                    task = isClosed && !item.IsResult ? null : item.Task;
                    resume = Subtract(item.Bytes);
                }
                resume?.Invoke();
                task?.Invoke();
            }
        }

        /// <summary>Returns what continues reading, if there is room again. Used in the lock.</summary>
        private Action Subtract(long size)
        {
            bytes -= size;
            if (bytes >= FullBytes / 2 && !isClosed) return null;
            var resume = onRoom;
            onRoom = null;
            return resume;
        }

        private void Add(Item item)
        {
            lock (items)
            {
                items.Enqueue(item);
                bytes += item.Bytes;
                if (isTicked || isScheduled) return;
                isScheduled = true;
            }
            Schedule();
        }

        private void Schedule()
        {
            if (context == null) ThreadPool.UnsafeQueueUserWorkItem(_ => RunScheduled(), null);
            else context.Post(_ => RunScheduled(), null);
        }

        private void RunScheduled()
        {
            try
            {
                Run();
            }
            finally
            {
                bool isMore;
                lock (items)
                {
                    isMore = items.Count > 0;
                    isScheduled = isMore;
                }
                if (isMore) Schedule();
            }
        }

        private struct Item
        {
            internal Action Task;
            internal long Bytes;
            internal bool IsResult;
        }
    }
}
