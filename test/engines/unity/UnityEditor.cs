using System;
using System.Collections.Generic;
using UnityEngine;

/// <summary>Our own stand-in for the part of the editor's public API that the package uses. It is no part of the engine.</summary>
namespace UnityEditor
{
    public enum SettingsScope
    {
        User,
        Project
    }

    public class SettingsProvider
    {
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null)
        {
            settingsPath = path;
        }

        public string settingsPath { get; }
        public string label { get; set; }
        public Action<string> guiHandler { get; set; }
        public IEnumerable<string> keywords { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SettingsProviderAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class InitializeOnLoadAttribute : Attribute
    {
    }

    public sealed class SerializedProperty
    {
        private readonly System.Reflection.FieldInfo field;
        private readonly UnityEngine.Object target;

        internal SerializedProperty(System.Reflection.FieldInfo field, UnityEngine.Object target)
        {
            this.field = field;
            this.target = target;
        }

        public string stringValue
        {
            get { return (string)field.GetValue(target); }
            set { field.SetValue(target, value); }
        }
    }

    public sealed class SerializedObject
    {
        private const System.Reflection.BindingFlags Private =
            System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic;

        private readonly UnityEngine.Object target;

        public SerializedObject(UnityEngine.Object target)
        {
            this.target = target;
        }

        public SerializedProperty FindProperty(string propertyPath)
        {
            var field = target.GetType().GetField(propertyPath, Private);
            return field == null ? null : new SerializedProperty(field, target);
        }

        public void Update()
        {
        }

        public bool ApplyModifiedProperties()
        {
            return true;
        }
    }

    public enum MessageType
    {
        None,
        Info,
        Warning,
        Error
    }

    public static class EditorGUILayout
    {
        public static bool PropertyField(SerializedProperty property)
        {
            Console.WriteLine("field: " + (property != null));
            return true;
        }

        public static void HelpBox(string message, MessageType type)
        {
            Console.WriteLine("help: " + message);
        }
    }

    public static class AssetDatabase
    {
        private static readonly HashSet<string> Folders = new HashSet<string> { "Assets" };

        public static bool IsValidFolder(string path)
        {
            return Folders.Contains(path);
        }

        public static string CreateFolder(string parentFolder, string newFolderName)
        {
            if (!Folders.Contains(parentFolder)) throw new ArgumentException("there is no folder " + parentFolder);
            Folders.Add(parentFolder + "/" + newFolderName);
            return "";
        }

        public static void CreateAsset(UnityEngine.Object asset, string path)
        {
            const string resources = "/Resources/";
            var folder = path.Substring(0, path.LastIndexOf('/'));
            if (!Folders.Contains(folder)) throw new ArgumentException("there is no folder " + folder);
            var name = path.Substring(path.IndexOf(resources, StringComparison.Ordinal) + resources.Length);
            Resources.Assets[name.Substring(0, name.LastIndexOf('.'))] = asset;
            Console.WriteLine("asset: " + path);
        }

        public static void SaveAssets()
        {
        }
    }

    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();

        public static event AssemblyReloadCallback beforeAssemblyReload;

        /// <summary>For the loop that plays.</summary>
        public static void Reload()
        {
            beforeAssemblyReload?.Invoke();
        }
    }

    public static class EditorApplication
    {
        public static event Action quitting;

        /// <summary>For the loop that plays.</summary>
        public static void Quit()
        {
            quitting?.Invoke();
        }
    }
}

namespace UnityEditor.Build
{
    public interface IOrderedCallback
    {
        int callbackOrder { get; }
    }

    public interface IUnityLinkerProcessor : IOrderedCallback
    {
        string GenerateAdditionalLinkXmlFile(Reporting.BuildReport report, UnityLinker.UnityLinkerBuildPipelineData data);
    }
}

namespace UnityEditor.Build.Reporting
{
    public sealed class BuildReport
    {
    }
}

namespace UnityEditor.UnityLinker
{
    public sealed class UnityLinkerBuildPipelineData
    {
    }
}
