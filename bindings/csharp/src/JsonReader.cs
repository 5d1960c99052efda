using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Sallyport
{
    /// <summary>
    /// Reads JSON (RFC 8259) from UTF-8 into dictionaries, lists, strings, longs, doubles, bools and null. It uses no recursion, so a
    /// server cannot exhaust the stack, and accepts at most 64 levels.
    /// </summary>
    public static class Json
    {
        /// <summary>Deepest nesting that is read or written.</summary>
        public const int MaxDepth = 64;

        /// <summary>Reads one value. Throws <see cref="FormatException"/> if the text is not JSON.</summary>
        [MayBeNull] public static object Read(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            return Read(bytes, 0, bytes.Length);
        }

        /// <summary>Reads one value. Throws <see cref="FormatException"/> if the bytes are not JSON.</summary>
        [MayBeNull] public static object Read(byte[] bytes, int offset, int count)
        {
            return new JsonReader(bytes, offset, count).Read();
        }

        /// <summary>Writes a value. Throws <see cref="ArgumentException"/> for a type that JSON does not have.</summary>
        public static string Write(object value)
        {
            return JsonWriter.Write(value);
        }
    }

    internal sealed class JsonReader
    {
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        private readonly byte[] bytes;
        private readonly int end;
        private readonly Stack<object> open = new Stack<object>();
        private readonly Stack<string> names = new Stack<string>();
        private readonly StringBuilder unescaped = new StringBuilder();
        private int at;

        internal JsonReader(byte[] bytes, int offset, int count)
        {
            this.bytes = bytes;
            at = offset;
            end = offset + count;
        }

        internal object Read()
        {
            while (true)
            {
                object value;
                if (!ReadStart(out value)) continue;
                // A complete value: it ends each container that closes after it.
                while (true)
                {
                    if (open.Count == 0)
                    {
                        SkipSpace();
                        if (at != end) throw Broken("text follows the value");
                        return value;
                    }
                    Add(value);
                    SkipSpace();
                    var next = Take();
                    if (next == ',')
                    {
                        if (open.Peek() is Dictionary<string, object>) ReadName();
                        break;
                    }
                    if (next != (open.Peek() is Dictionary<string, object> ? '}'
                        : ']')) throw Broken("a comma or the end of a container is missing");
                    value = Close();
                }
            }
        }

        /// <summary>Reads a scalar or an empty container; false if a container with content was opened.</summary>
        private bool ReadStart(out object value)
        {
            SkipSpace();
            var first = Take();
            if (first == '{' || first == '[') return Open(first == '{', out value);
            if (first == '"') value = ReadText();
            else if (first == '-' || (first >= '0' && first <= '9')) value = ReadNumber();
            else if (first == 't') value = ReadWord("true", true);
            else if (first == 'f') value = ReadWord("false", false);
            else if (first == 'n') value = ReadWord("null", null);
            else throw Broken("a value is missing");
            return true;
        }

        private bool Open(bool isObject, out object value)
        {
            if (open.Count == Json.MaxDepth) throw Broken("there are more than " + Json.MaxDepth + " levels");
            value = isObject ? (object)new Dictionary<string, object>() : new List<object>();
            SkipSpace();
            if (at < end && bytes[at] == (isObject ? '}' : ']'))
            {
                at++;
                return true;
            }
            open.Push(value);
            if (isObject) ReadName();
            return false;
        }

        private void Add(object value)
        {
            // The last of two members with one name counts, as in other readers.
            if (open.Peek() is Dictionary<string, object> members) members[names.Pop()] = value;
            else ((List<object>)open.Peek()).Add(value);
        }

        private object Close()
        {
            return open.Pop();
        }

        private void ReadName()
        {
            SkipSpace();
            if (Take() != '"') throw Broken("a name is missing");
            names.Push(ReadText());
            SkipSpace();
            if (Take() != ':') throw Broken("a colon is missing");
        }

        private object ReadWord(string word, object value)
        {
            for (var index = 1; index < word.Length; index++)
                if (Take() != word[index]) throw Broken("a value is missing");
            return value;
        }

        private object ReadNumber()
        {
            var from = --at;
            if (bytes[at] == '-') at++;
            var isWhole = true;
            if (at < end && bytes[at] == '0') at++;
            else ReadDigits();
            if (at < end && bytes[at] == '.')
            {
                isWhole = false;
                at++;
                ReadDigits();
            }
            if (at < end && (bytes[at] | 0x20) == 'e')
            {
                isWhole = false;
                at++;
                if (at < end && (bytes[at] == '+' || bytes[at] == '-')) at++;
                ReadDigits();
            }
            var text = Encoding.ASCII.GetString(bytes, from, at - from);
            if (isWhole && long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var whole)) return whole;
            if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
                && !double.IsInfinity(number)) return number;
            throw Broken("a number is out of range");
        }

        private void ReadDigits()
        {
            var from = at;
            while (at < end && bytes[at] >= '0' && bytes[at] <= '9') at++;
            if (at == from) throw Broken("a digit is missing");
        }

        private string ReadText()
        {
            var from = at;
            while (at < end && bytes[at] != '"' && bytes[at] != '\\' && bytes[at] >= 0x20) at++;
            if (at < end && bytes[at] == '"') return Decode(from, at++);
            unescaped.Length = 0;
            while (true)
            {
                if (at > from) unescaped.Append(Decode(from, at));
                var next = Take();
                if (next == '"') return unescaped.ToString();
                if (next != '\\') throw Broken("a control character must be escaped");
                unescaped.Append(ReadEscape());
                from = at;
                while (at < end && bytes[at] != '"' && bytes[at] != '\\' && bytes[at] >= 0x20) at++;
            }
        }

        private char ReadEscape()
        {
            var kind = Take();
            switch (kind)
            {
                case '"': return '"';
                case '\\': return '\\';
                case '/': return '/';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': break;
                default: throw Broken("an escape is unknown");
            }
            var code = 0;
            for (var index = 0; index < 4; index++)
            {
                var digit = Take();
                var letter = digit | 0x20;
                if (digit >= '0' && digit <= '9') code = code * 16 + digit - '0';
                else if (letter >= 'a' && letter <= 'f') code = code * 16 + letter - 'a' + 10;
                else throw Broken("an escape needs four hexadecimal digits");
            }
            return (char)code;
        }

        private string Decode(int from, int to)
        {
            try
            {
                return Strict.GetString(bytes, from, to - from);
            }
            catch (ArgumentException)
            {
                throw Broken("the text is not UTF-8");
            }
        }

        private int Take()
        {
            if (at >= end) throw Broken("the text ends early");
            return bytes[at++];
        }

        private void SkipSpace()
        {
            while (at < end && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) at++;
        }

        private FormatException Broken(string what)
        {
            return new FormatException("this is not JSON: " + what + " at byte " + at);
        }
    }
}
