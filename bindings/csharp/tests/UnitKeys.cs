using System;
using System.Text;
using System.Threading;

namespace Sallyport
{
    /// <summary>Tests of the calls with a key, and of the account that a key belongs to.</summary>
    internal static partial class Unit
    {
        private static void ChecksKeys()
        {
            Equal(CallKey.Create() == CallKey.Create(), false);
            CallKey.Check(Commands.SendLobbyMessage, CallKey.Create());
            CallKey.Check(Commands.GetLobby, null);
            foreach (var wrong in new[] { "", new string('a', 31), new string('a', 33), new string('A', 32), new string('g', 32) })
                Throws<ArgumentException>(() => CallKey.Check(Commands.SendLobbyMessage, wrong));
            Throws<ArgumentException>(() => CallKey.Check(Commands.GetLobby, CallKey.Create()));
            using (var client = new SallyportClient(new ClientOptions { ApplicationId = "1" }))
            {
                Throws<ArgumentException>(() => client.CallAsync(Commands.SendLobbyMessage, null, key: "x").Wait());
                Throws<ArgumentException>(() => client.Call(Commands.SendLobbyMessage, null, null, key: "x"));
            }
        }

        private static void KnowsAccounts()
        {
            Done ignore = (data, error) => { };
            var answers = 0;
            var account = new Account(() => answers++);
            Equal(account.Id, "");
            var signIn = account.Watch(Commands.Authenticate, ignore);
            Equal(account.Id, null);
            Equal(account.IsChanging, true);
            Equal(answers, 0);
            signIn(Json.Read("{\"user\":{\"id\":\"7\"}}"), null);
            Equal(account.Id, "7");
            Equal(account.IsChanging, false);
            Equal(answers, 1);
            account.Watch(Commands.ForgetTokens, ignore)(null, new CallException("X", 1000, "", new JsonObject()));
            Equal(account.Id, "7");
            account.Watch(Commands.ForgetTokens, ignore)(null, null);
            Equal(account.Id, "");
            // The server may still execute it.
            account.Watch(Commands.UpdateToken, ignore)(null, new CallTimeoutException("late"));
            Equal(account.Id, null);
            Equal(account.IsChanging, true);
            Equal(answers, 3);
            // A server that is no bridge names no user, and that stays so.
            account.Connected();
            account.Watch(Commands.Authenticate, ignore)(Json.Read("{}"), null);
            Equal(account.Id, null);
            Equal(account.IsChanging, false);
            account.Connected();
            Equal(account.Id, "");
            account.Watch(Commands.GetLobby, ignore);
            Equal(account.Id, "");
        }

        private static void RepeatsCalls()
        {
            var calls = new PendingCalls(new SerialLoop(new SystemClock()));
            var sent = "";
            var ended = "";
            Action<string, KeyedCall> open = (name, keyed) => calls.Open(name, 1000000, CancellationToken.None, nonce => sent += name + nonce
                + " ", (data, error) => ended += name + (error == null ? data : error.Message) + " ", keyed);
            open("a", new KeyedCall("k", "7", 0));
            open("b", null);
            open("c", new KeyedCall("k", "7", 0));
            open("d", new KeyedCall("k", "8", 0));
            open("e", new KeyedCall("k", null, 0));
            open("f", new KeyedCall("k", "7", -1));
            var lost = new ConnectionLostException("lost");
            calls.Hold(lost);
            open("g", new KeyedCall("k", "7", 0));
            Equal(ended, "blost ");
            sent = ended = "";
            Action<string, bool> send = (account, signsIn) => calls.SendHeld(call => call.RepeatAs(account, signsIn, Limits.MaxDeadlineMs),
                lost);
            send("", true);
            Equal(sent, "");
            Equal(ended, "elost flost ");
            send("7", false);
            Equal(sent, "a8 c9 ");
            Equal(ended, "elost flost dlost ");
            // Once on each connection.
            send("7", false);
            Equal(sent, "a8 c9 ");
            calls.Settle(Message.Read(Encoding.UTF8.GetBytes("{\"cmd\":\"a\",\"nonce\":\"1\",\"data\":\"old\"}")));
            calls.Settle(Message.Read(Encoding.UTF8.GetBytes("{\"cmd\":\"a\",\"nonce\":\"8\",\"data\":\"new\"}")));
            calls.EndAll(lost);
            Equal(ended.StartsWith("elost flost dlost anew ", StringComparison.Ordinal), true);
            Equal(ended.Length, "elost flost dlost anew clost glost ".Length);
        }
    }
}
