using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>
    /// Arguments of a call, in the order in which they are added. A value is null, bool, a number, a string, a ulong (an id, written as
    /// decimal text), a dictionary with string keys, or a sequence of values.
    /// </summary>
    public sealed class JsonObject : Dictionary<string, object>
    {
    }
}
