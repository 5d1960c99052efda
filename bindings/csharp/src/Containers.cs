using System;
using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>
    /// First in, first out. Those of the class library are in another assembly on mono than on .NET, so a package that mono compiled
    /// would not load there.
    /// </summary>
    internal sealed class Queue<T>
    {
        private T[] items = new T[8];
        private int first;

        internal int Count { get; private set; }

        internal void Enqueue(T item)
        {
            if (Count == items.Length)
            {
                var larger = new T[Count * 2];
                for (var index = 0; index < Count; index++) larger[index] = items[(first + index) % Count];
                items = larger;
                first = 0;
            }
            items[(first + Count++) % items.Length] = item;
        }

        internal T Dequeue()
        {
            if (Count == 0) throw new InvalidOperationException("the queue is empty");
            var item = items[first];
            items[first] = default(T);
            first = (first + 1) % items.Length;
            Count--;
            return item;
        }

        internal void Clear()
        {
            items = new T[8];
            first = 0;
            Count = 0;
        }
    }

    /// <summary>Last in, first out; for the reason of <see cref="Queue{T}"/>.</summary>
    internal sealed class Stack<T>
    {
        private readonly List<T> items = new List<T>();

        internal int Count => items.Count;

        internal void Push(T item)
        {
            items.Add(item);
        }

        internal T Peek()
        {
            return items[items.Count - 1];
        }

        internal T Pop()
        {
            var item = Peek();
            items.RemoveAt(items.Count - 1);
            return item;
        }
    }
}
