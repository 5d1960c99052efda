using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>Makes the stream an IAsyncEnumerable where the class library has it, for libraries that want one.</summary>
    public sealed partial class EventStream : IAsyncEnumerable<object>
    {
        IAsyncEnumerator<object> IAsyncEnumerable<object>.GetAsyncEnumerator(CancellationToken cancellationToken)
        {
            return new Loop(GetAsyncEnumerator(cancellationToken));
        }

        private sealed class Loop : IAsyncEnumerator<object>
        {
            private readonly EventEnumerator events;

            internal Loop(EventEnumerator events)
            {
                this.events = events;
            }

            public object Current => events.Current;

            public ValueTask<bool> MoveNextAsync()
            {
                return new ValueTask<bool>(events.MoveNextAsync());
            }

            public ValueTask DisposeAsync()
            {
                return new ValueTask(events.DisposeAsync());
            }
        }
    }
}
