using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Sallyport.Unity.Editor
{
    /// <summary>The page Project Settings > Sallyport. It makes the asset of the settings when it is opened for the first time.</summary>
    internal static class SallyportSettingsProvider
    {
        private const string Folder = "Assets/Sallyport";
        private const string Asset = Folder + "/Resources/" + SallyportSettings.AssetName + ".asset";

        [SettingsProvider]
        internal static SettingsProvider Create()
        {
            return new SettingsProvider("Project/Sallyport", SettingsScope.Project)
            {
                label = "Sallyport",
                guiHandler = search => Draw(new SerializedObject(LoadOrCreate())),
                keywords = new HashSet<string> { "application", "presence", "scopes" },
            };
        }

        private static void Draw(SerializedObject settings)
        {
            settings.Update();
            var id = settings.FindProperty("applicationId");
            EditorGUILayout.PropertyField(id);
            if (!ulong.TryParse(id.stringValue, out _))
                EditorGUILayout.HelpBox("Enter the id of your application: a number of 17 to 20 digits.", MessageType.Warning);
            EditorGUILayout.PropertyField(settings.FindProperty("scopes"));
            EditorGUILayout.PropertyField(settings.FindProperty("requireBridge"));
            EditorGUILayout.PropertyField(settings.FindProperty("allowPackagedClient"));
            settings.ApplyModifiedProperties();
        }

        private static SallyportSettings LoadOrCreate()
        {
            var settings = SallyportSettings.Load();
            if (settings != null) return settings;
            settings = ScriptableObject.CreateInstance<SallyportSettings>();
            if (!AssetDatabase.IsValidFolder(Folder)) AssetDatabase.CreateFolder("Assets", "Sallyport");
            if (!AssetDatabase.IsValidFolder(Folder + "/Resources")) AssetDatabase.CreateFolder(Folder, "Resources");
            AssetDatabase.CreateAsset(settings, Asset);
            AssetDatabase.SaveAssets();
            return settings;
        }
    }
}
