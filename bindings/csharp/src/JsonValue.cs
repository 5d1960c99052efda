using System;
using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>
    /// Reads the values of parsed JSON: dictionaries, lists, strings, longs, doubles, bools and null. A value of another type is null.
    /// </summary>
    internal static class JsonValue
    {
        internal static object Get(IReadOnlyDictionary<string, object> fields, string name)
        {
            object value;
            return fields.TryGetValue(name, out value) ? value : null;
        }

        internal static string Text(object value)
        {
            return value as string;
        }

        /// <summary>An id: decimal text or a whole number.</summary>
        internal static ulong? Id(object value)
        {
            ulong id;
            if (value is long && (long)value >= 0) return (ulong)(long)value;
            var text = value as string;
            // Only digits, as the protocol writes ids.
            if (text == null || text.Length == 0 || text.Length > 20) return null;
            foreach (var digit in text)
                if (digit < '0' || digit > '9') return null;
            return ulong.TryParse(text, out id) ? id : (ulong?)null;
        }

        internal static long? Integer(object value)
        {
            if (value is long) return (long)value;
            if (!(value is double)) return null;
            var number = (double)value;
            var isWhole = Math.Floor(number) == number && Math.Abs(number) <= 9007199254740991.0;
            return isWhole ? (long)number : (long?)null;
        }

        internal static double? Number(object value)
        {
            if (value is long) return (long)value;
            return value is double ? (double)value : (double?)null;
        }

        internal static bool? Flag(object value)
        {
            return value is bool ? (bool)value : (bool?)null;
        }

        internal static List<T> List<T>(object value, Func<object, T> read)
        {
            var items = value as IReadOnlyList<object>;
            if (items == null) return null;
            var list = new List<T>(items.Count);
            foreach (var item in items) list.Add(read(item));
            return list;
        }

        internal static Dictionary<string, T> Map<T>(object value, Func<object, T> read)
        {
            var members = value as IReadOnlyDictionary<string, object>;
            if (members == null) return null;
            var map = new Dictionary<string, T>();
            foreach (var member in members) map[member.Key] = read(member.Value);
            return map;
        }
    }
}
