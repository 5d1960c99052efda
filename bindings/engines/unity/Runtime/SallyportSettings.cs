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

        /// <summary>The id of the application.</summary>
        public string ApplicationId => applicationId;

        /// <summary>What the game requests from the user.</summary>
        public string[] RequestedScopes => scopes.Split(new[] { ' ' }, System.StringSplitOptions.RemoveEmptyEntries);

        /// <summary>Whether servers that are not a Sallyport bridge are ignored.</summary>
        public bool RequireBridge => requireBridge;

        /// <summary>The settings of the project; null if there are none yet.</summary>
        public static SallyportSettings Load()
        {
            return Resources.Load<SallyportSettings>(AssetName);
        }
    }
}
