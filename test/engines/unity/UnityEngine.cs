using System;
using System.Collections.Generic;

/// <summary>
/// Our own stand-in for the part of the engine's public API that the package uses, written from its public documentation, so that mono can
/// compile and play the package. It is no part of the engine.
/// </summary>
namespace UnityEngine
{
    public class Object
    {
        public string name = "";

        internal bool IsDestroyed { get; set; }

        /// <summary>At the end of the frame, as the engine does: until then the object gets messages.</summary>
        public static void Destroy(Object target)
        {
            Scenes.Doom(target);
        }

        public static void DontDestroyOnLoad(Object target)
        {
            Scenes.Keep(target);
        }

        /// <summary>A destroyed object equals null.</summary>
        public static bool operator ==(Object one, Object other)
        {
            var isNone = ReferenceEquals(one, null) || one.IsDestroyed;
            var isOtherNone = ReferenceEquals(other, null) || other.IsDestroyed;
            return isNone || isOtherNone ? isNone && isOtherNone : ReferenceEquals(one, other);
        }

        public static bool operator !=(Object one, Object other)
        {
            return !(one == other);
        }

        public override bool Equals(object other)
        {
            return ReferenceEquals(this, other);
        }

        public override int GetHashCode()
        {
            return System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
        }
    }

    public sealed class Transform
    {
        public Transform parent { get; private set; }

        public void SetParent(Transform to)
        {
            parent = to;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }
        public Transform transform => gameObject.transform;

        public T GetComponent<T>() where T : Component
        {
            return gameObject.GetComponent<T>();
        }
    }

    public class Behaviour : Component
    {
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public sealed class GameObject : Object
    {
        private readonly List<Component> components = new List<Component>();

        public GameObject()
        {
            Scenes.Add(this);
        }

        public Transform transform { get; } = new Transform();

        /// <summary>For the loop that plays.</summary>
        public IReadOnlyList<Component> Components => components;

        public T AddComponent<T>() where T : Component, new()
        {
            var component = new T { gameObject = this };
            components.Add(component);
            return component;
        }

        public T GetComponent<T>() where T : Component
        {
            foreach (var component in components)
                if (component is T found) return found;
            return null;
        }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject, new()
        {
            return new T();
        }
    }

    public static class Resources
    {
        /// <summary>For the loop that plays.</summary>
        public static readonly Dictionary<string, Object> Assets = new Dictionary<string, Object>();

        public static T Load<T>(string path) where T : Object
        {
            return Assets.TryGetValue(path, out var asset) ? asset as T : null;
        }
    }

    public enum RuntimePlatform
    {
        OSXEditor = 0,
        OSXPlayer = 1,
        WindowsPlayer = 2,
        WindowsEditor = 7,
        IPhonePlayer = 8,
        Android = 11,
        LinuxPlayer = 13,
        LinuxEditor = 16,
        WebGLPlayer = 17,
    }

    public static class Application
    {
        /// <summary>The engine's has no setter; a test plays another platform.</summary>
        public static RuntimePlatform platform { get; set; } = RuntimePlatform.LinuxPlayer;

        public static string productName => "Dockside";
        public static string version => "1.0";
    }

    public static class Debug
    {
        public static void Log(object message)
        {
            Console.WriteLine("log: " + message);
        }

        public static void LogWarning(object message, Object context)
        {
            Console.WriteLine("warning: " + message);
        }

        public static void LogException(Exception exception, Object context)
        {
            Console.WriteLine("exception: " + exception.Message);
        }
    }

    public static class GUILayout
    {
        public static void Label(string text)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class AddComponentMenu : Attribute
    {
        public AddComponentMenu(string menuName)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class DisallowMultipleComponent : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type requiredComponent)
        {
        }
    }
}

namespace UnityEngine.Events
{
    public delegate void UnityAction();

    public delegate void UnityAction<T>(T argument);

    public class UnityEvent
    {
        private event UnityAction Listeners;

        public void AddListener(UnityAction call)
        {
            Listeners += call;
        }

        public void Invoke()
        {
            Listeners?.Invoke();
        }
    }

    public class UnityEvent<T>
    {
        private event UnityAction<T> Listeners;

        public void AddListener(UnityAction<T> call)
        {
            Listeners += call;
        }

        public void Invoke(T argument)
        {
            Listeners?.Invoke(argument);
        }
    }
}
