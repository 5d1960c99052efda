using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Sallyport
{
    /// <summary>Writes values as JSON without recursion. A ulong is an id and becomes decimal text, as the protocol has it.</summary>
    internal sealed class JsonWriter
    {
        private readonly StringBuilder text = new StringBuilder();
        private readonly Stack<IEnumerator> open = new Stack<IEnumerator>();

        internal static string Write(object value)
        {
            var writer = new JsonWriter();
            writer.WriteAll(value);
            return writer.text.ToString();
        }

        private void WriteAll(object value)
        {
            WriteStart(value);
            while (open.Count > 0)
            {
                var members = open.Peek() as IEnumerator<KeyValuePair<string, object>>;
                if (!open.Peek().MoveNext())
                {
                    text.Append(members == null ? ']' : '}');
                    open.Pop();
                    continue;
                }
                var last = text[text.Length - 1];
                if (last != '[' && last != '{') text.Append(',');
                if (members == null)
                {
                    WriteStart(open.Peek().Current);
                    continue;
                }
                WriteText(members.Current.Key);
                text.Append(':');
                WriteStart(members.Current.Value);
            }
        }

        private void WriteStart(object value)
        {
            if (value == null) text.Append("null");
            else if (value is string) WriteText((string)value);
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is ulong) text.Append('"').Append(((ulong)value).ToString(CultureInfo.InvariantCulture)).Append('"');
            else if (value is double || value is float) WriteNumber(Convert.ToDouble(value, CultureInfo.InvariantCulture));
            else if (value is long || value is int || value is uint || value is short || value is ushort || value is byte || value is sbyte)
                text.Append(Convert.ToInt64(value, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture));
            else if (value is decimal) text.Append(((decimal)value).ToString(CultureInfo.InvariantCulture));
            else if (value is IEnumerable<KeyValuePair<string, object>>) Open('{', ((IEnumerable<KeyValuePair<string,
                object>>)value).GetEnumerator());
            else if (value is IEnumerable<KeyValuePair<string, string>>) Open('{', Boxed((IEnumerable<KeyValuePair<string, string>>)value));
            else if (value is IEnumerable) Open('[', ((IEnumerable)value).GetEnumerator());
            else throw new ArgumentException("JSON has no value for this type; use JsonObject, a list, a string, a number or a bool");
        }

        private static IEnumerator<KeyValuePair<string, object>> Boxed(IEnumerable<KeyValuePair<string, string>> members)
        {
            foreach (var member in members) yield return new KeyValuePair<string, object>(member.Key, member.Value);
        }

        private void Open(char bracket, IEnumerator content)
        {
            if (open.Count == Json.MaxDepth) throw new ArgumentException("the value has more than " + Json.MaxDepth + " levels");
            text.Append(bracket);
            open.Push(content);
        }

        private void WriteNumber(double number)
        {
            if (double.IsNaN(number) || double.IsInfinity(number)) throw new ArgumentException("JSON has no NaN and no infinity");
            text.Append(number.ToString("R", CultureInfo.InvariantCulture));
        }

        private void WriteText(string value)
        {
            text.Append('"');
            for (var index = 0; index < value.Length; index++)
            {
                var one = value[index];
                if (one == '"' || one == '\\') text.Append('\\').Append(one);
                else if (one < 0x20 || IsLoneSurrogate(value, index)) text.Append("\\u").Append(((int)one).ToString("x4",
                    CultureInfo.InvariantCulture));
                else text.Append(one);
            }
            text.Append('"');
        }

        private static bool IsLoneSurrogate(string value, int index)
        {
            var one = value[index];
            if (char.IsHighSurrogate(one)) return index + 1 == value.Length || !char.IsLowSurrogate(value[index + 1]);
            return char.IsLowSurrogate(one) && (index == 0 || !char.IsHighSurrogate(value[index - 1]));
        }
    }
}
