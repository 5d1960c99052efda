using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

namespace Sallyport
{
    /// <summary>Tests of the parts; one line of TAP each.</summary>
    internal static partial class Unit
    {
        private static int count;
        private static int failed;

        private static void Main()
        {
            Test("JSON keeps values, order and text", KeepsJson);
            Test("JSON that is broken is refused", RefusesJson);
            Test("JSON has a depth in both directions", BoundsDepth);
            Test("a ulong is written as an id", WritesIds);
            Test("frames come in any pieces, and long ones are refused before they are allocated", DecodesFrames);
            Test("the proof key is that of RFC 7636, appendix B", MakesProofKeys);
            Test("delays double up to the cap", Waits);
            Test("keys are made, and those of the game are checked", ChecksKeys);
            Test("an account is uncertain while a sign-in has no answer", KnowsAccounts);
            Test("calls with a key are repeated in order, unless the account or the time forbids it", RepeatsCalls);
            Test("callbacks run in order, and the rest runs after an exception", DispatchesInOrder);
            Test("reading waits while callbacks wait", HasRoom);
            Test("after the end only results run", EndsDispatch);
            Test("a stream keeps the order of events, and ends with the client", StreamsInOrder);
            Test("a stream that is left or cancelled ends at once", LeavesStreams);
            Test("reading waits while events of a stream wait", StreamHasRoom);
            Test("subscriptions are equal and match as at the server", MatchesEvents);
            Test("a refused presence gives the one before back", KeepsPresence);
            Test("the loop runs one task at a time and continues awaits in it", RunsSerially);
            Test("errors have a name and a time to wait", ReadsRetryAfter);
            Test("options are checked", ChecksOptions);
            Test("a queue keeps its order while it grows and turns", KeepsQueues);
            Test("kernel32 serves the pipes that the class library does not have", ChoosesPipes);
            Console.WriteLine("1.." + count);
            Console.Out.Flush();
            Ending.Exit(failed == 0 ? 0 : 1);
        }

        private static void Test(string name, Action test)
        {
            count++;
            try
            {
                test();
                Console.WriteLine("ok " + count + " - " + name);
            }
            catch (Exception error)
            {
                failed++;
                Console.WriteLine("not ok " + count + " - " + name + "\n# " + error.ToString().Replace("\n", "\n# "));
            }
        }

        private static void Equal(object actual, object expected)
        {
            if (!Equals(actual, expected)) throw new InvalidOperationException("expected " + expected + ", but it is " + actual);
        }

        private static void Throws<T>(Action action) where T : Exception
        {
            try
            {
                action();
            }
            catch (T)
            {
                return;
            }
            throw new InvalidOperationException("nothing was thrown");
        }

        private static void KeepsJson()
        {
            foreach (var text in new[]
            {
                "null", "true", "-0", "1.5", "1E+300", "\"\"", "[]", "{}", "[[],[{}],{\"a\":[]}]", "9223372036854775807",
                "{\"b\":1,\"a\":[1,-2.5,null,true,{\"a\":[]}]}", "\"\\u0001\\\"\\\\ é😀\"",
            })
                Equal(Json.Write(Json.Read(text)), text == "-0" ? "0" : text);
            Equal(Json.Read(" [ 1 , \"\\u00e9\\ud83d\\ude00\\n\" ] ") is List<object> list ? list[1] : null, "é😀\n");
            Equal(Json.Write("\ud800x"), "\"\\ud800x\"");
            Equal(Json.Read("18446744073709551616"), 18446744073709551616.0);
        }

        private static void RefusesJson()
        {
            foreach (var text in new[]
            {
                "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "1.", "-", "1e", "+1", ".5",
                    "tru", "nul",
                "\"", "\"\\x\"", "\"\\u12\"", "\"\n\"", "1 2", "[1}", "{\"a\":1]", "1e999", "]", ",", "\"a\" :",
            })
                Throws<FormatException>(() => Json.Read(text));
            Throws<FormatException>(() => Json.Read(new byte[] { 0x22, 0xff, 0x22 }, 0, 3));
            Throws<ArgumentException>(() => Json.Write(double.NaN));
            Throws<ArgumentException>(() => Json.Write(new object()));
        }

        private static void BoundsDepth()
        {
            Json.Read(new string('[', 64) + new string(']', 64));
            Throws<FormatException>(() => Json.Read(new string('[', 65) + new string(']', 65)));
            Throws<FormatException>(() => Json.Read(new string('[', 1000000)));
            object deep = 1;
            for (var level = 0; level < 65; level++) deep = new List<object> { deep };
            Throws<ArgumentException>(() => Json.Write(deep));
            var own = new List<object>();
            own.Add(own);
            Throws<ArgumentException>(() => Json.Write(own));
        }

        private static void WritesIds()
        {
            var args = new JsonObject { { "id", ulong.MaxValue }, { "n", 1u }, { "tags", new Dictionary<string, string> { { "k",
                "v" } } }, { "l", new[] { "x" } } };
            Equal(Json.Write(args), "{\"id\":\"18446744073709551615\",\"n\":1,\"tags\":{\"k\":\"v\"},\"l\":[\"x\"]}");
        }

        private static void DecodesFrames()
        {
            var bytes = new List<byte>();
            foreach (var text in new[] { "one", "", "three" }) bytes.AddRange(FrameDecoder.Encode(Opcode.Frame,
                Encoding.UTF8.GetBytes(text)));
            for (var size = 1; size <= bytes.Count; size++)
            {
                var decoder = new FrameDecoder();
                var found = "";
                for (var from = 0; from < bytes.Count; from += size)
                {
                    var piece = bytes.GetRange(from, Math.Min(size, bytes.Count - from)).ToArray();
                    for (var at = 0; at < piece.Length;)
                    {
                        var payload = decoder.Take(piece, ref at, piece.Length);
                        if (payload != null) found += decoder.Opcode + ":" + Encoding.UTF8.GetString(payload) + ";";
                    }
                }
                Equal(found, "Frame:one;Frame:;Frame:three;");
            }
            foreach (var head in new[] { new byte[] { 1, 0, 0, 0, 255, 255, 255, 255 }, new byte[] { 1, 0, 0, 0, 1, 0, 16, 0 },
                new byte[] { 0, 0, 0, 0, 2, 0, 0, 0 }, new byte[] { 5, 0, 0, 0, 2, 0, 0, 0 } })
            {
                var at = 0;
                Throws<ProtocolException>(() => new FrameDecoder().Take(head, ref at, 8));
            }
        }

        private static void MakesProofKeys()
        {
            Equal(new Pkce("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").Challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
            Equal(Pkce.Create().Verifier.Length, 43);
            Equal(Pkce.Create().Verifier == Pkce.Create().Verifier, false);
        }

        private static void Waits()
        {
            for (var attempt = 0; attempt < 40; attempt++)
            {
                var full = Math.Min(500, 100L << Math.Min(attempt, 10));
                var early = Backoff.Reconnect.Before(attempt, 0);
                Equal(early >= full / 2 && early <= full, true);
                var late = Backoff.Reconnect.Before(attempt, Backoff.EarlyMs);
                Equal(late >= 50 && late <= 5000, true);
            }
        }

        private static void DispatchesInOrder()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            var seen = "";
            dispatcher.Post(() => seen += "1");
            dispatcher.Post(() => throw new TimeoutException());
            dispatcher.Post(() => seen += "3");
            // A callback that adds another does not keep the frame of the game.
            dispatcher.Post(() => dispatcher.Post(() => seen += "5"));
            Throws<TimeoutException>(dispatcher.Run);
            dispatcher.Run();
            Equal(seen, "13");
            dispatcher.Run();
            Equal(seen, "135");
        }

        private static void HasRoom()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            var resumed = 0;
            dispatcher.WhenRoom(() => resumed++);
            Equal(resumed, 1);
            dispatcher.Post(() => { }, 1 << 20);
            dispatcher.WhenRoom(() => resumed++);
            Equal(resumed, 1);
            dispatcher.Run();
            Equal(resumed, 2);
        }

        private static void EndsDispatch()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            var seen = "";
            dispatcher.Post(() => seen += "event");
            dispatcher.PostResult(() => seen += "result");
            dispatcher.Close();
            dispatcher.Post(() => seen += "event");
            dispatcher.Run();
            Equal(seen, "result");
        }

        private static EventEnumerator Started(Dispatcher dispatcher, CancellationToken cancellation = default(CancellationToken))
        {
            var events = new EventEnumerator(dispatcher, cancellation);
            events.Subscription = new Subscription(new SubscriptionEntry { Name = "X" }, events, one => { });
            return events;
        }

        private static void StreamsInOrder()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            EventEnumerator started = null;
            // As libraries use it, by the interface of netstandard2.1.
            IAsyncEnumerable<object> stream = new EventStream(cancellation => started = Started(dispatcher, cancellation));
            var loop = stream.GetAsyncEnumerator();
            IEventListener listener = started;
            var waits = loop.MoveNextAsync().AsTask();
            Equal(waits.IsCompleted, false);
            Throws<InvalidOperationException>(() => loop.MoveNextAsync().AsTask());
            foreach (var number in new[] { 1L, 2L, 3L }) listener.Deliver(number, 10);
            var seen = "";
            for (var more = waits.GetAwaiter().GetResult(); more; more = loop.MoveNextAsync().AsTask().GetAwaiter().GetResult())
            {
                seen += loop.Current;
                // What came before the end of the client is still there.
                if (seen == "2" || seen == "12") started.Subscription.End();
            }
            Equal(seen, "123");
            Equal(loop.MoveNextAsync().AsTask().Result, false);
            Equal(started.Subscription.Active.IsFaulted, true);
        }

        private static void LeavesStreams()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            var left = Started(dispatcher);
            var waits = left.MoveNextAsync();
            left.DisposeAsync().Wait();
            Equal(waits.Result, false);
            Equal(left.Subscription.Status, SubscriptionStatus.Closed);
            ((IEventListener)left).Deliver("late", 10);
            Equal(left.MoveNextAsync().Result, false);
            var source = new CancellationTokenSource();
            var cancelled = Started(dispatcher, source.Token);
            waits = cancelled.MoveNextAsync();
            source.Cancel();
            Equal(waits.IsCanceled, true);
            Equal(cancelled.MoveNextAsync().IsCanceled, true);
        }

        private static void StreamHasRoom()
        {
            var dispatcher = new Dispatcher(Callbacks.Tick, null);
            var events = Started(dispatcher);
            var resumed = 0;
            ((IEventListener)events).Deliver("large", 1 << 20);
            dispatcher.WhenRoom(() => resumed++);
            Equal(resumed, 0);
            Equal(events.MoveNextAsync().Result, true);
            Equal(resumed, 1);
            ((IEventListener)events).Deliver("large", 1 << 20);
            dispatcher.WhenRoom(() => resumed++);
            Equal(resumed, 1);
            events.DisposeAsync().Wait();
            Equal(resumed, 2);
        }

        private static void MatchesEvents()
        {
            Equal(Subscriptions.KeyOf("X", new JsonObject { { "b", 1 }, { "a", "x" }, { "c", null } }), "X {\"a\":\"x\",\"b\":1}");
            Equal(Subscriptions.KeyOf("X", null), Subscriptions.KeyOf("X", new JsonObject()));
            var entry = new SubscriptionEntry { Name = "X", Args = new JsonObject { { "guild_id", 5UL } } };
            foreach (var pair in new Dictionary<string, bool>
            {
                { "{}", true }, { "null", true }, { "{\"guild_id\":\"5\"}", true }, { "{\"guild_id\":\"6\"}", false },
                { "{\"guild\":{\"id\":\"5\"}}", true }, { "{\"guild\":{\"id\":\"6\"}}", false }, { "{\"guild\":7}", true },
            })
                Equal(entry.Matches(Json.Read(pair.Key)), pair.Value);
        }

        private static void KeepsPresence()
        {
            var state = new DesiredState();
            var first = new JsonObject { { "activity", new JsonObject() } };
            state.SetPresence(first);
            var undo = state.SetPresence(new JsonObject { { "activity", new JsonObject() } });
            undo();
            Equal(state.Presence, first);
            state.SetUnsentPresence(new JsonObject { { "pid", 1 } });
            Equal(state.Presence, null);
            Equal(state.UnsentPresence == null, false);
            Equal(state.TakePresence(), null);
            Equal(state.UnsentPresence, null);
        }

        private static void RunsSerially()
        {
            var loop = new SerialLoop(new SystemClock());
            var done = new ManualResetEvent(false);
            var order = new List<int>();
            for (var task = 0; task < 1000; task++)
            {
                var number = task;
                loop.Post(() => order.Add(number));
            }
            loop.Post(async () =>
            {
                var unwanted = loop.After(0, () => order.Add(-2));
                unwanted.Dispose();
                await loop.Delay(1);
                order.Add(SynchronizationContext.Current == loop ? 1000 : -1);
                done.Set();
            });
            Equal(done.WaitOne(20000), true);
            for (var number = 0; number <= 1000; number++) Equal(order[number], number);
        }

        private static void ReadsRetryAfter()
        {
            Equal(new CallException("X", 5011, "", new JsonObject { { "retry_after", 1.5 } }).RetryAfter, TimeSpan.FromSeconds(1.5));
            Equal(new CallException("X", 5011, "", new JsonObject { { "retry_after", 1e300 } }).RetryAfter, TimeSpan.FromDays(1));
            Equal(new CallException("X", 5011, "", new JsonObject()).RetryAfter, null);
            Equal(new CallException("X", 5011, "", new JsonObject()).IsRetryable, true);
            Equal(new CallException("X", 4000, "", new JsonObject()).IsRetryable, false);
            Equal(new CallException("X", 5011, "", new JsonObject()).Name, "RATE_LIMITED");
            Equal(new CallException("X", 4009, "", new JsonObject()).Name, "INVALID_TOKEN");
            Equal(new CallException("X", 9999, "", new JsonObject()).Name, "UNKNOWN_ERROR");
        }

        private static void ChecksOptions()
        {
            Throws<ArgumentException>(() => new SallyportClient(new ClientOptions()));
            Throws<ArgumentException>(() => new SallyportClient(new ClientOptions { ApplicationId = "1", Slot = 10 }));
        }

        private static void KeepsQueues()
        {
            var queue = new Queue<int>();
            var next = 0;
            for (var round = 0; round < 30; round++)
            {
                for (var item = 0; item < 7; item++) queue.Enqueue((round * 7) + item);
                for (var left = 5; left > 0; left--) Equal(queue.Dequeue(), next++);
            }
            while (queue.Count > 0) Equal(queue.Dequeue(), next++);
            Equal(next, 210);
            Throws<InvalidOperationException>(() => queue.Dequeue());
        }

        private static void ChoosesPipes()
        {
            var tried = "";
            Func<string, Opened> native = path =>
            {
                tried += "native ";
                return new Opened(null, "native");
            };
            Func<Exception, Func<string, Opened>> failing = error => path =>
            {
                tried += "library ";
                throw error;
            };
            // No server, or a busy one, is no reason for the other way.
            Throws<System.IO.IOException>(() => WindowsTransport.Choose("p", failing(new System.IO.IOException()), native));
            Throws<TimeoutException>(() => WindowsTransport.Choose("p", failing(new TimeoutException()), native));
            Equal(tried, "library library ");
            Equal(WindowsTransport.Choose("p", failing(new PlatformNotSupportedException()), native).Transport, "native");
            Equal(WindowsTransport.Choose("p", failing(new InvalidOperationException()), native).Transport, "native");
            Equal(tried, "library library library native native ");
        }
    }
}
