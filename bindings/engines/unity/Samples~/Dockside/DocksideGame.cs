using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Sallyport;
using Sallyport.Unity;
using UnityEngine;

/// <summary>
/// Dockside, a small game: it signs in, sets a presence, joins a lobby and chats there. Put it on an object with a Sallyport component.
/// Restart the bridge while it runs: the game waits, reconnects, and continues.
/// </summary>
[RequireComponent(typeof(SallyportBehaviour))]
public sealed class DocksideGame : MonoBehaviour
{
    private static readonly string[] Ships =
        { "Copper Wren", "Patient Ada", "Salt Margin", "Northern Comma", "Quiet Quorum", "Second Breakfast" };
    private static readonly string[] Cargoes = { "oranges", "piano keys", "umbrellas", "printing ink", "snow globes", "bicycle bells" };

    [SerializeField] private string secret = "dockside-pier-9";
    [SerializeField] private int rounds = 5;
    [SerializeField] private int pauseMs = 640;

    private readonly List<string> lines = new List<string>();
    private SallyportBehaviour sallyport;
    private ulong lobby;
    private bool isLost;

    private async void Start()
    {
        sallyport = GetComponent<SallyportBehaviour>();
        sallyport.OnNotAvailable.AddListener(reason =>
        {
            isLost = true;
            Say("~ no bridge, waiting: " + reason);
        });
        sallyport.OnReady.AddListener(() =>
        {
            if (isLost) Say("~ the bridge is here" + (sallyport.Client.CurrentUser == null ? "" : ", signed in again"));
            isLost = false;
            // After a restart the lobby has a new id; the secret finds it again.
            lobby = 0;
        });
        sallyport.OnJoin.AddListener(join => Say("~ you join the pier of a friend"));
        sallyport.OnJoinRequest.AddListener(friend => sallyport.AnswerJoinRequest(friend, true));
        sallyport.OnAuthorizeRequest.AddListener(sallyport.SignIn);
        try
        {
            await Play();
        }
        catch (Exception) when (sallyport.Client == null)
        {
            // The game stopped while it waited.
        }
        catch (SallyportException error)
        {
            Say("Dockside failed: " + error.Message);
        }
    }

    private async Task Play()
    {
        Say("signed in as " + await Persist(sallyport.SignInAsync));
        var game = Guid.NewGuid().ToString("N");
        var score = 0;
        for (var round = 0; round < rounds; round++)
        {
            var ship = Ships[round % Ships.Length];
            Say("[" + (round + 1) + "/" + rounds + "] the " + ship + " comes alongside");
            sallyport.SetPresence("Unloading the " + ship, score + " crates ashore");
            await Task.Delay(pauseMs);
            var landed = 8 + ((round * 7) % 9) - (round % 3 == 2 ? 1 + (round % 4) : 0);
            await Chat(ship + ": " + landed + " crates of " + Cargoes[((round * 5) + 2) % Cargoes.Length] + " ashore", game + "-" + round);
            score += landed;
            await Task.Delay(pauseMs);
        }
        Say("the lobby remembers:");
        foreach (var message in await Persist(History)) Say("  " + message.Author.Username + ": " + message.Content);
        sallyport.ClearPresence();
        Say(score + " crates ashore. Fair winds!");
    }

    /// <summary>
    /// Sends a line once. The client repeats a call over lost connections, but it can end without an answer, or with UNKNOWN_OUTCOME. So each
    /// line has a mark, and the history is read before the line is sent again.
    /// </summary>
    private Task Chat(string content, string mark)
    {
        var metadata = new JsonObject { { "mark", mark } };
        var isUncertain = false;
        return Persist<object>(async () =>
        {
            if (isUncertain && (await History()).Exists(one => one.Metadata != null && one.Metadata.ContainsValue(mark))) return null;
            isUncertain = true;
            return await sallyport.Client.CallAsync(Commands.SendLobbyMessage,
                new JsonObject { { "lobby_id", await Lobby() }, { "content", content }, { "metadata", metadata } });
        });
    }

    private async Task<List<LobbyMessage>> History()
    {
        var messages = await sallyport.Client.CallAsync(Commands.GetLobbyMessages,
            new JsonObject { { "lobby_id", await Lobby() }, { "limit", 50 } });
        return ((IReadOnlyList<object>)messages).Select(LobbyMessage.Read).ToList();
    }

    private async Task<ulong> Lobby()
    {
        if (lobby != 0) return lobby;
        var data = await sallyport.Client.CallAsync(Commands.CreateOrJoinLobby, new JsonObject { { "secret", secret } });
        lobby = Sallyport.Lobby.Read(data).Id;
        Say("the crew meets in lobby " + lobby);
        return lobby;
    }

    /// <summary>Repeats a call over lost connections and refusals that pass.</summary>
    private async Task<T> Persist<T>(Func<Task<T>> call)
    {
        while (true)
        {
            try
            {
                await sallyport.Client.WhenReadyAsync();
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
            catch (CallException error) when (error.IsRetryable || error.Code == (long)ErrorCode.InvalidLobby
                || error.Code == (long)ErrorCode.UnknownOutcome)
            {
                lobby = 0;
            }
            await Task.Delay(pauseMs);
        }
    }

    private void OnGUI()
    {
        foreach (var line in lines) GUILayout.Label(line);
    }

    private void Say(string line)
    {
        lines.Add(line);
        Debug.Log(line);
    }
}
