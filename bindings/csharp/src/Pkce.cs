using System;
using System.Security.Cryptography;
using System.Text;

namespace Sallyport
{
    /// <summary>A proof key for code exchange (RFC 7636): the game keeps the verifier and sends its hash with the authorization.</summary>
    public sealed class Pkce
    {
        internal Pkce(string verifier)
        {
            Verifier = verifier;
            using (var sha = SHA256.Create()) Challenge = Base64Url(sha.ComputeHash(Encoding.ASCII.GetBytes(verifier)));
        }

        /// <summary>Secret until the exchange: 43 characters of base64url, 256 bits.</summary>
        public string Verifier { get; }

        /// <summary>base64url of the SHA-256 of the verifier, without padding.</summary>
        public string Challenge { get; }

        /// <summary>A new key, for one authorization.</summary>
        public static Pkce Create()
        {
            var bytes = new byte[32];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            return new Pkce(Base64Url(bytes));
        }

        private static string Base64Url(byte[] bytes)
        {
            return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
        }
    }
}
