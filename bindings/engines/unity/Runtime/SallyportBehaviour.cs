using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Events;

namespace Sallyport.Unity
{
    /// <summary>
    /// The connection of the game to the local bridge. It connects while it is enabled, runs all callbacks in Update, and closes when the
    /// game stops, also before the editor reloads scripts. Without a bridge the game goes on, and the component looks again.
    /// </summary>
    [AddComponentMenu("Sallyport/Sallyport")]
    [DisallowMultipleComponent]
    public sealed class SallyportBehaviour : MonoBehaviour
    {
        /// <summary>Longest time that a stop may take: to send what the bridge should still get.</summary>
        private const int CloseMs = 500;

        private static readonly List<SallyportBehaviour> Enabled = new List<SallyportBehaviour>();

        [Tooltip("Other settings than those of the project.")]
        [SerializeField] private SallyportSettings settings;

        [Tooltip("Keep the object when another scene is loaded.")]
        [SerializeField] private bool keepBetweenScenes = true;

        [Tooltip("The game can make calls, at first and after each reconnect.")]
        [SerializeField] private UnityEvent onReady = new UnityEvent();

        [Tooltip("There is no bridge, or its connection was lost. Once for each outage, with the reason.")]
        [SerializeField] private UnityEvent<string> onNotAvailable = new UnityEvent<string>();

        [Tooltip("The user is signed in. With the name of the user.")]
        [SerializeField] private UnityEvent<string> onSignedIn = new UnityEvent<string>();

        [Tooltip("The user or the platform refused the permission. With the reason.")]
        [SerializeField] private UnityEvent<string> onSignInRefused = new UnityEvent<string>();

        [Tooltip("A sign-in did not end, but may later: for example without a bridge or after too many requests. With the reason.")]
        [SerializeField] private UnityEvent<string> onSignInFailed = new UnityEvent<string>();

        [Tooltip("The user or the platform took the permission back.")]
        [SerializeField] private UnityEvent onRevoked = new UnityEvent();

        [Tooltip("The user requests to link the account to this game: offer to sign in.")]
        [SerializeField] private UnityEvent onAuthorizeRequest = new UnityEvent();

        [Tooltip("The user joins a friend. With the join secret of the friend's activity.")]
        [SerializeField] private UnityEvent<string> onJoin = new UnityEvent<string>();

        [Tooltip("A friend invites the user. With the id of the invite, for AcceptInvite.")]
        [SerializeField] private UnityEvent<string> onInvite = new UnityEvent<string>();

        [Tooltip("A friend requests to join. With the id of the friend, for AnswerJoinRequest.")]
        [SerializeField] private UnityEvent<string> onJoinRequest = new UnityEvent<string>();

        private readonly KeptInvites invites = new KeptInvites();

        private bool isOut;

        /// <summary>Another component of this class is kept, so this one and its object are about to be destroyed.</summary>
        private bool isCopy;

        /// <summary>The component that stays between scenes. Null before the first one, and without <c>Keep Between Scenes</c>.</summary>
        public static SallyportBehaviour Instance { get; private set; }

        /// <summary>The game can make calls, at first and after each reconnect.</summary>
        public UnityEvent OnReady => onReady;

        /// <summary>There is no bridge, or its connection was lost. Once for each outage, with the reason.</summary>
        public UnityEvent<string> OnNotAvailable => onNotAvailable;

        /// <summary>The user is signed in. With the name of the user.</summary>
        public UnityEvent<string> OnSignedIn => onSignedIn;

        /// <summary>The user or the platform refused the permission. With the reason.</summary>
        public UnityEvent<string> OnSignInRefused => onSignInRefused;

        /// <summary>A sign-in did not end, but may later. With the reason.</summary>
        public UnityEvent<string> OnSignInFailed => onSignInFailed;

        /// <summary>The user or the platform took the permission back.</summary>
        public UnityEvent OnRevoked => onRevoked;

        /// <summary>The user requests to link the account to this game: offer to sign in.</summary>
        public UnityEvent OnAuthorizeRequest => onAuthorizeRequest;

        /// <summary>The user joins a friend. With the join secret of the friend's activity.</summary>
        public UnityEvent<string> OnJoin => onJoin;

        /// <summary>A friend invites the user. With the id of the invite, for <see cref="AcceptInvite"/>.</summary>
        public UnityEvent<string> OnInvite => onInvite;

        /// <summary>A friend requests to join. With the id of the friend, for <see cref="AnswerJoinRequest"/>.</summary>
        public UnityEvent<string> OnJoinRequest => onJoinRequest;

        private SallyportClient own;

        /// <summary>The client, for every other call; null while the component is disabled.</summary>
        public SallyportClient Client => isCopy && Instance != null ? Instance.own : own;

        /// <summary>Whether the game can make calls.</summary>
        public bool IsReady => Client != null && Client.State.Connection == ConnectionState.Ready;

        /// <summary>
        /// Whether this platform can have a bridge. Elsewhere the package compiles, <see cref="OnNotAvailable"/> runs once, and methods do nothing.
        /// </summary>
        public static bool IsSupported
        {
            get
            {
                switch (UnityEngine.Application.platform)
                {
                    case RuntimePlatform.LinuxEditor:
                    case RuntimePlatform.LinuxPlayer:
                    case RuntimePlatform.OSXEditor:
                    case RuntimePlatform.OSXPlayer:
                    case RuntimePlatform.WindowsEditor:
                    case RuntimePlatform.WindowsPlayer:
                        return true;
                    default:
                        return false;
                }
            }
        }

        /// <summary>Closes every connection. The editor calls it before it reloads scripts.</summary>
        public static void CloseAll()
        {
            foreach (var one in Enabled.ToArray()) one.Close();
        }

        /// <summary>Signs in with the stored grant, or asks the user in a browser. The events report the end.</summary>
        public void SignIn()
        {
            Report(SignInAsync());
        }

        /// <summary>
        /// Signs in with the stored grant; asks the user in a browser only if nothing valid is stored. Returns the name of the user. Throws
        /// SallyportException, also while the component is disabled.
        /// </summary>
        public Task<string> SignInAsync()
        {
            var client = Client;
            if (client == null) return Task.FromException<string>(new SallyportDisabledException(WhyNoClient));
            var ended = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
            // A callback runs in the order in which the server sent its messages, so OnRevoked never comes before the sign-in that it ends.
            client.SignIn(settings.RequestedScopes, result => EndSignIn(ended, result));
            return ended.Task;
        }

        /// <summary>Shows what the user plays; repeated after each reconnect. Nothing happens while the component is disabled.</summary>
        public void SetPresence(string details, string state)
        {
            SetActivity(new JsonObject { { "details", details }, { "state", state } });
        }

        /// <summary>
        /// Shows what the user plays, with the fields of SET_ACTIVITY; null shows nothing. Nothing happens while the component is disabled.
        /// </summary>
        public void SetActivity(IReadOnlyDictionary<string, object> activity)
        {
            if (IsEnabled("SetActivity")) Client.SetActivity(activity, LogRefusal);
        }

        /// <summary>Shows nothing any more.</summary>
        public void ClearPresence()
        {
            SetActivity(null);
        }

        /// <summary>Answers a friend who requests to join.</summary>
        public void AnswerJoinRequest(string userId, bool isAccepted)
        {
            var command = isAccepted ? Commands.SendActivityJoinInvite : Commands.CloseActivityJoinRequest;
            if (IsEnabled("AnswerJoinRequest")) Client.Call(command, new JsonObject { { "user_id", userId } }, LogRefusal);
        }

        /// <summary>Accepts an invite of <see cref="OnInvite"/>; <see cref="OnJoin"/> then has the secret. Nothing happens for an unknown id.</summary>
        public void AcceptInvite(string inviteId)
        {
            if (!IsEnabled("AcceptInvite")) return;
            var kept = isCopy && Instance != null ? Instance : this;
            var args = kept.invites.ArgumentsOf(inviteId);
            if (args != null) Client.Call(Commands.AcceptActivityInvite, args, LogRefusal);
            else Debug.LogWarning("Sallyport: AcceptInvite did nothing: there is no invite " + inviteId + ", or it is too old.", this);
        }

        private void Awake()
        {
            if (!keepBetweenScenes) return;
            if (Instance != null && Instance != this)
            {
                // A scene brings its objects each time it is loaded, and two components are two connections of one process.
                isCopy = true;
                Destroy(gameObject);
                return;
            }
            Instance = this;
            // Only an object without a parent is kept.
            if (transform.parent != null) transform.SetParent(null);
            DontDestroyOnLoad(gameObject);
        }

        private void OnEnable()
        {
            // The engine enables an object that is about to be destroyed.
            if (isCopy) return;
            if (!IsSupported)
            {
                Debug.Log("Sallyport: " + NotHere + ". The game goes on without it.");
                onNotAvailable.Invoke(NotHere);
                return;
            }
            if (settings == null) settings = SallyportSettings.Load();
            if (settings == null || settings.ApplicationId == "")
            {
                Debug.LogWarning("Sallyport: there is no application id; set one in Project Settings > Sallyport.", this);
                return;
            }
            own = new SallyportClient(new ClientOptions
            {
                ApplicationId = settings.ApplicationId,
                RequireBridge = settings.RequireBridge,
                AllowPackagedClient = settings.AllowPackagedClient,
                Callbacks = Callbacks.Tick,
                // IL2CPP has no pipes, so a player would be silent with what works in the editor.
                WindowsPipe = WindowsPipe.Native,
                SdkVersion = UnityEngine.Application.productName + "/" + UnityEngine.Application.version,
            });
            isOut = false;
            Enabled.Add(this);
            own.StateChanged += OnState;
            own.SignInChanged += OnSignIn;
            own.OnAuthorizeRequest(onAuthorizeRequest.Invoke);
            own.Subscribe(Events.ActivityJoin, data => onJoin.Invoke(EventData.TextOf(data, "secret")));
            own.Subscribe(Events.ActivityInvite, data => onInvite.Invoke(invites.Keep(data)));
            own.Subscribe(Events.ActivityJoinRequest, data => onJoinRequest.Invoke(EventData.TextOf(EventData.FieldOf(data, "user"), "id")));
            own.Connect();
        }

        private void Update()
        {
            if (own != null) Tick(own);
        }

        private void Tick(SallyportClient client)
        {
            try
            {
                client.Tick();
            }
            catch (Exception error)
            {
                // The other callbacks run in the next frame.
                Debug.LogException(error, this);
            }
        }

        private void OnDisable()
        {
            Close();
        }

        private void OnApplicationQuit()
        {
            Close();
        }

        /// <summary>Needs nothing from this thread, so it may block it for a moment.</summary>
        private void Close()
        {
            var client = own;
            own = null;
            Enabled.Remove(this);
            if (client == null) return;
            client.CloseAsync().Wait(CloseMs);
            // The calls that it has ended.
            Tick(client);
        }

        private void OnDestroy()
        {
            if (Instance == this) Instance = null;
        }

        private const string Disabled = "the component Sallyport is disabled, or has no application id; enable it first";

        private const string NotHere = "not available on this platform";

        private static string WhyNoClient => IsSupported ? Disabled : NotHere;

        /// <summary>
        /// A game must go on without the component, so its methods log instead of throwing. Of a platform without a bridge one line is enough.
        /// </summary>
        private bool IsEnabled(string method)
        {
            if (Client != null) return true;
            if (IsSupported) Debug.LogWarning("Sallyport: " + method + " did nothing: " + Disabled + ".", this);
            return false;
        }

        private void OnState(ClientState state)
        {
            if (state.Connection == ConnectionState.Ready)
            {
                isOut = false;
                Debug.Log("Sallyport: connected to " + state.Server.Path + " (" + state.Server.Transport + ").");
                onReady.Invoke();
            }
            else if (state.Connection == ConnectionState.Waiting && !isOut)
            {
                isOut = true;
                Debug.Log("Sallyport: not available: " + state.Error.Message + ". The game goes on; it tries again.");
                onNotAvailable.Invoke(state.Error.Message);
            }
        }

        private void OnSignIn(SignInState state)
        {
            if (state == SignInState.Revoked) onRevoked.Invoke();
        }

        private void EndSignIn(TaskCompletionSource<string> ended, CallResult result)
        {
            if (result.Error != null)
            {
                ended.TrySetException(result.Error);
                return;
            }
            try
            {
                // Only a server that is no bridge leaves the user out.
                var name = Authentication.Read(result.Data)?.User?.Username ?? "";
                onSignedIn.Invoke(name);
                ended.TrySetResult(name);
            }
            catch (Exception error)
            {
                // Of a listener of the game.
                ended.TrySetException(error);
            }
        }

        private async void Report(Task<string> signIn)
        {
            try
            {
                await signIn;
            }
            catch (CallException error) when (!error.IsRetryable)
            {
                onSignInRefused.Invoke(error.Message);
            }
            catch (SallyportException error)
            {
                onSignInFailed.Invoke(error.Message);
            }
            catch (Exception error)
            {
                // Of a listener of the game.
                Debug.LogException(error, this);
            }
        }

        /// <summary>A lost connection is no refusal: the client repeats the presence by itself.</summary>
        private void LogRefusal(CallResult result)
        {
            if (result.Error is CallException) Debug.LogWarning("Sallyport: " + result.Error.Message, this);
        }
    }

    /// <summary>The component is disabled, or has no application id.</summary>
    public sealed class SallyportDisabledException : SallyportException
    {
        internal SallyportDisabledException(string message) : base(message)
        {
        }
    }
}
