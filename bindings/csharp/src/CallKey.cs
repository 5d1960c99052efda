using System;
using System.Security.Cryptography;

namespace Sallyport
{
    /// <summary>
    /// Keys of calls. A bridge runs a call with a key at most once, also if the call is repeated. The client makes the keys itself; a game
    /// that wants to repeat a write after its own restart makes one, stores it with the write, and gives it to the call. It repeats within
    /// five minutes of the first call: a bridge keeps the key for ten, and the client may repeat for five of them.
    /// </summary>
    public static class CallKey
    {
        private const int Bytes = 16;
        private const string Digits = "0123456789abcdef";

        /// <summary>A new key of 16 random bytes: 32 hexadecimal digits in lower case.</summary>
        public static string Create()
        {
            var bytes = new byte[Bytes];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            var text = new char[Bytes * 2];
            for (var index = 0; index < Bytes; index++)
            {
                text[index * 2] = Digits[bytes[index] >> 4];
                text[index * 2 + 1] = Digits[bytes[index] & 15];
            }
            return new string(text);
        }

        /// <summary>Throws <see cref="ArgumentException"/> for a key of the game that no bridge takes.</summary>
        internal static void Check(string command, string key)
        {
            if (key == null) return;
            if (!KeyedCommands.Contains(command)) throw new ArgumentException(command + " takes no key");
            var isKey = key.Length == Bytes * 2;
            foreach (var digit in key) isKey &= Digits.IndexOf(digit) >= 0;
            if (!isKey) throw new ArgumentException("a key is 32 hexadecimal digits in lower case; CallKey.Create makes one");
        }
    }

    /// <summary>When a call of an earlier connection is sent again.</summary>
    internal enum Repeat
    {
        Now,
        /// <summary>When the account is certain, or the user is signed in again.</summary>
        Later,
        Never
    }

    /// <summary>What the repeat of a call with a key depends on.</summary>
    internal sealed class KeyedCall
    {
        internal readonly string Key;
        private readonly string account;
        private readonly long madeAtMs;

        internal KeyedCall(string key, string account, long nowMs)
        {
            Key = key;
            this.account = account;
            madeAtMs = nowMs;
        }

        /// <summary>Under another account it would be another key, and the call would run a second time. So it would with a forgotten key.</summary>
        internal Repeat RepeatAs(string accountNow, bool mayChange, long nowMs)
        {
            if (account == null || nowMs - madeAtMs > Limits.MaxDeadlineMs) return Repeat.Never;
            if (account == accountNow) return Repeat.Now;
            return mayChange ? Repeat.Later : Repeat.Never;
        }
    }
}
