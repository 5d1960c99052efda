using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>
    /// Arguments of a call, in the order in which they are added. A value is null, bool, a number, a string, a ulong (an id, written as
    /// decimal text), a dictionary with string keys, or a sequence of values.
    /// </summary>
    public class JsonObject : Dictionary<string, object>
    {
        /// <summary>The value of a field; the default of the type if it is absent or of another type.</summary>
        protected T Get<T>(string name)
        {
            return TryGetValue(name, out var value) && value is T ? (T)value : default(T);
        }
    }

    /// <summary>
    /// The arguments of one command. Its classes are generated: constructors want what is required, and properties have the types of the
    /// protocol. What a newer server accepts besides can be added by name.
    /// </summary>
    public abstract class CallArguments : JsonObject
    {
        private protected CallArguments(string command)
        {
            Command = command;
        }

        /// <summary>The command.</summary>
        public string Command { get; }
    }
}
