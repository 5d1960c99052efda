using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Sallyport;

/// <summary>
/// Dockside, a small terminal game that uses the bridge: it signs in, sets a presence, joins a lobby and chats there. Restart the daemon
/// while it runs: the game waits, reconnects, and continues. Twin of bindings/c/examples/dockside.c.
/// </summary>
internal sealed class Dockside
{
    private static readonly string[] Ships =
        { "Copper Wren", "Patient Ada", "Salt Margin", "Northern Comma", "Quiet Quorum", "Second Breakfast" };
    private static readonly string[] Cargoes = { "oranges", "piano keys", "umbrellas", "printing ink", "snow globes", "bicycle bells" };
    private static readonly TimeSpan FirstWait = TimeSpan.FromSeconds(30);

    private readonly SallyportClient client;
    private readonly string secret;
    private readonly int rounds;
    private readonly int pauseMs;
    private ulong lobby;
    private bool wasLost;
    private bool isRejoining;
    private DateTime lostAt;

    private Dockside(SallyportClient client, string secret, int rounds, int pauseMs)
    {
        this.client = client;
        this.secret = secret;
        this.rounds = rounds;
        this.pauseMs = pauseMs;
    }

    private static int Main(string[] args)
    {
        var options = new ClientOptions { ApplicationId = "1180000000000000042", RequireBridge = true, SdkVersion = "dockside-csharp/0.1.0" };
        var secret = "dockside-pier-9";
        var rounds = 5;
        var pauseMs = 640;
        for (var index = 0; index < args.Length; index++)
        {
            var value = index + 1 < args.Length ? args[index + 1] : "";
            if (args[index] == "--fast") pauseMs = 64;
            else if (args[index] == "--native-pipe") options.WindowsPipe = WindowsPipe.Native;
            else
            {
                if (args[index] == "--runtime-dir") options.RuntimeDirectory = value;
                else if (args[index] == "--rounds") int.TryParse(value, out rounds);
                else if (args[index] == "--secret") secret = value;
                else if (args[index] == "--application") options.ApplicationId = value;
                else return Usage();
                index++;
            }
        }
        if (rounds < 1 || rounds > 100) return Usage();
        using (var client = new SallyportClient(options))
        {
            try
            {
                new Dockside(client, secret, rounds, pauseMs).Play().GetAwaiter().GetResult();
                return 0;
            }
            catch (SallyportException error)
            {
                Console.Error.WriteLine("Dockside failed: " + error.Message);
                return 1;
            }
            finally
            {
                client.CloseAsync().Wait();
            }
        }
    }

    private static int Usage()
    {
        Console.Error.WriteLine(
            "usage: dockside [--fast] [--rounds 1..100] [--secret TEXT] [--application ID] [--runtime-dir FOLDER] [--native-pipe]");
        return 2;
    }

    private async Task Play()
    {
        Narrate();
        var server = await client.ConnectAsync(FirstWait);
        Console.WriteLine("Dockside - pier 9, via " + server.Path + " (" + server.Transport + ")");
        Console.WriteLine("signed in as " + await SignIn());
        lobby = await Persist(Join);
        Console.WriteLine("the crew meets in lobby " + lobby);
        var game = Guid.NewGuid().ToString("N");
        var score = 0;
        for (var round = 0; round < rounds; round++)
        {
            var ship = Ships[round % Ships.Length];
            Console.WriteLine("\n[" + (round + 1) + "/" + rounds + "] the " + ship + " comes alongside");
            await Persist(() => client.SetActivityAsync(new ActivityInput
            {
                Name = "Dockside",
                Details = "Unloading the " + ship,
                State = score + " crates ashore",
            }));
            await Task.Delay(pauseMs);
            var landed = LandedIn(round);
            await Chat(ship + ": " + landed + " crates of " + Cargoes[((round * 5) + 2) % Cargoes.Length] + " ashore", game + "-" + round);
            score += landed;
            await Task.Delay(pauseMs);
        }
        Console.WriteLine("\nthe lobby remembers:");
        foreach (var message in await Persist(History)) Console.WriteLine("  " + message.Author.Username + ": " + message.Content);
        await Persist(() => client.ClearActivityAsync());
        Console.WriteLine("\n" + score + " crates ashore. Fair winds!");
    }

    /// <summary>Prints what the connection does, and what comes unasked.</summary>
    private void Narrate()
    {
        client.StateChanged += state =>
        {
            if (state.Connection == ConnectionState.Waiting && state.Error is ConnectionLostException && !wasLost)
            {
                wasLost = true;
                lostAt = DateTime.UtcNow;
                Console.WriteLine("  ~ connection to the bridge lost, waiting");
            }
            else if (state.Connection == ConnectionState.Ready && wasLost)
            {
                wasLost = false;
                // After a restart the lobby has a new id; the secret finds it again.
                isRejoining = true;
                var user = client.CurrentUser == null ? "signed out" : "signed in as " + client.CurrentUser.Username;
                Console.WriteLine("  ~ back after " + (DateTime.UtcNow - lostAt).TotalSeconds.ToString("0.0") + " s: " + user);
            }
        };
        client.SignInChanged += state =>
        {
            if (state == SignInState.Revoked) Console.WriteLine("  ~ your permission was revoked");
        };
        client.Subscribe(Events.ActivityJoin, data => Console.WriteLine("  ~ a friend joins the pier"));
        client.OnAuthorizeRequest(() => Console.WriteLine("  ~ the platform requests to link your account"));
    }

    /// <summary>Signs in with the stored grant, or asks the user.</summary>
    private async Task<string> SignIn()
    {
        Console.WriteLine("signing in (a browser page may open) ...");
        return (await client.SignInAsync(Scopes.CommunicationScopes.Split(' '))).User.Username;
    }

    private async Task<ulong> Join()
    {
        return Lobby.Read(await client.CallAsync(new CreateOrJoinLobbyArguments(secret))).Id;
    }

    /// <summary>
    /// Sends a line once. The client repeats a call over lost connections, but it can end without an answer, or with UNKNOWN_OUTCOME. So each
    /// line has a mark, and the history is read before the line is sent again.
    /// </summary>
    private Task Chat(string content, string mark)
    {
        var metadata = new Dictionary<string, string> { { "mark", mark } };
        var isUncertain = false;
        return Persist<object>(async () =>
        {
            if (isUncertain && (await History()).Exists(one => one.Metadata != null && one.Metadata.ContainsValue(mark))) return null;
            isUncertain = true;
            return await client.CallAsync(new SendLobbyMessageArguments(lobby, content) { Metadata = metadata });
        });
    }

    private async Task<List<LobbyMessage>> History()
    {
        var messages = await client.CallAsync(new GetLobbyMessagesArguments(lobby) { Limit = 50 });
        return ((IReadOnlyList<object>)messages).Select(LobbyMessage.Read).ToList();
    }

    /// <summary>Repeats a call over lost connections, refusals that pass, and a lobby that went with its daemon.</summary>
    private async Task<T> Persist<T>(Func<Task<T>> call)
    {
        while (true)
        {
            try
            {
                await client.WhenReadyAsync();
                if (isRejoining)
                {
                    isRejoining = false;
                    lobby = await Join();
                }
                return await call();
            }
            catch (ConnectionLostException error) when (!error.WasClosed)
            {
                // The next round waits for the connection.
            }
            catch (CallTimeoutException)
            {
                // So ends a call with a key whose connection does not come back in time.
            }
            catch (CallException error)
            {
                if (error.Code == (long)ErrorCode.InvalidLobby) isRejoining = true;
                else if (error.Code == (long)ErrorCode.InvalidToken || error.Code == (long)ErrorCode.InvalidPermissions) await SignIn();
                else if (!error.IsRetryable && error.Code != (long)ErrorCode.UnknownOutcome) throw;
            }
            await Task.Delay(pauseMs);
        }
    }

    /// <summary>The tide swallows a few crates every third time.</summary>
    private static int LandedIn(int round)
    {
        return 8 + ((round * 7) % 9) - (round % 3 == 2 ? 1 + (round % 4) : 0);
    }
}
