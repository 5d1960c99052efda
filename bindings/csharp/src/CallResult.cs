using System;

namespace Sallyport
{
    /// <summary>The end of a call, for callbacks.</summary>
    public sealed class CallResult
    {
        internal CallResult(object data, Exception error)
        {
            Data = data;
            Error = error;
        }

        /// <summary>The response: dictionaries, lists, strings, longs, doubles, bools, null. `Read` of a record class reads it.</summary>
        [MayBeNull] public object Data { get; }

        /// <summary>Null, a <see cref="SallyportException"/>, or <see cref="OperationCanceledException"/>.</summary>
        [MayBeNull] public Exception Error { get; }
    }
}
