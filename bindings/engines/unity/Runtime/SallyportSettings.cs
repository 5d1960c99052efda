using UnityEngine;

namespace Sallyport.Unity
{
    /// <summary>Settings of the project, edited in Project Settings > Sallyport. Players read them from Resources.</summary>
    public sealed class SallyportSettings : ScriptableObject
    {
        /// <summary>Name of the asset below a folder Resources.</summary>
        public const string AssetName = "SallyportSettings";

        [Tooltip("The id of your application, decimal text.")]
        [SerializeField] private string applicationId = "";

        [Tooltip("What the game requests from the user, separated by spaces.")]
        [SerializeField] private string scopes = Scopes.CommunicationScopes;

        [Tooltip("Ignore servers of the protocol that are not a Sallyport bridge.")]
        [SerializeField] private bool requireBridge;

        [Tooltip("Also use the platform's own client where it is installed as a Flatpak or Snap. Contained programs can listen there too.")]
        [SerializeField] private bool allowPackagedClient;

        /// <summary>The id of the application.</summary>
        public string ApplicationId => applicationId;

        /// <summary>What the game requests from the user.</summary>
        public string[] RequestedScopes => scopes.Split(new[] { ' ' }, System.StringSplitOptions.RemoveEmptyEntries);

        /// <summary>Whether servers that are not a Sallyport bridge are ignored.</summary>
        public bool RequireBridge => requireBridge;

        /// <summary>Whether the platform's own client is also used where contained programs can listen.</summary>
        public bool AllowPackagedClient => allowPackagedClient;

        /// <summary>The settings of the project; null if there are none yet.</summary>
        public static SallyportSettings Load()
        {
            return Resources.Load<SallyportSettings>(AssetName);
        }
    }
}
