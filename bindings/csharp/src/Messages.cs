using System;
using System.Collections.Generic;
using System.Text;

namespace Sallyport
{
    /// <summary>A message of the server: a response, an error of a call, or an event.</summary>
    internal sealed class Message
    {
        internal string Event;
        internal string Nonce;
        internal bool IsError;
        internal object Data;

        /// <summary>Null for a message that the client does not know, since a newer server may send more.</summary>
        internal static Message Read(byte[] payload)
        {
            var fields = Parse(payload) as IReadOnlyDictionary<string, object>;
            if (fields == null) return null;
            var name = JsonValue.Text(JsonValue.Get(fields, "evt"));
            var message = new Message { Nonce = JsonValue.Text(JsonValue.Get(fields, "nonce")), Data = JsonValue.Get(fields, "data") };
            if (JsonValue.Text(JsonValue.Get(fields, "cmd")) == "DISPATCH")
            {
                message.Event = name;
                return name == null ? null : message;
            }
            message.IsError = name == Events.Error;
            if (message.IsError && message.Nonce == null) message.Event = Events.Error;
            return message.Nonce == null && message.Event == null ? null : message;
        }

        internal static ServerClosedException ReadClose(byte[] payload)
        {
            var fields = (payload.Length == 0 ? null : Parse(payload)) as IReadOnlyDictionary<string, object> ?? new JsonObject();
            var code = JsonValue.Integer(JsonValue.Get(fields, "code")) ?? (long)CloseCode.CloseAbnormal;
            return new ServerClosedException(code, JsonValue.Text(JsonValue.Get(fields, "message")) ?? "");
        }

        internal CallException ErrorOf(string command)
        {
            var fields = Data as IReadOnlyDictionary<string, object> ?? new JsonObject();
            var code = JsonValue.Integer(JsonValue.Get(fields, "code")) ?? (long)ErrorCode.UnknownError;
            return new CallException(command, code, JsonValue.Text(JsonValue.Get(fields,
                "message")) ?? "the server sent no error message", fields);
        }

        internal static byte[] Encode(object value)
        {
            return Encoding.UTF8.GetBytes(JsonWriter.Write(value));
        }

        private static object Parse(byte[] payload)
        {
            try
            {
                return Json.Read(payload, 0, payload.Length);
            }
            catch (FormatException)
            {
                throw new ProtocolException("the server sent a payload that is not JSON");
            }
        }
    }
}
