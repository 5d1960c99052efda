using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    /// <summary>
    /// Scenes and the player loop, in the order that the engine's manual gives: loading a scene destroys the objects of the one before, then
    /// each new object gets Awake and OnEnable; a frame sends Start, then Update, and destroys at its end. For the program that plays.
    /// </summary>
    public static class Scenes
    {
        private static readonly List<GameObject> Objects = new List<GameObject>();
        private static readonly HashSet<GameObject> Kept = new HashSet<GameObject>();
        private static readonly HashSet<Component> Started = new HashSet<Component>();
        private static readonly List<Object> Doomed = new List<Object>();
        private static bool isLoading;

        /// <summary>Replaces the objects that are not kept by those that `build` makes.</summary>
        public static void Load(Action build)
        {
            foreach (var old in Objects.ToArray())
                if (!Kept.Contains(old)) Remove(old);
            var before = Objects.Count;
            isLoading = true;
            build();
            isLoading = false;
            foreach (var one in Objects.GetRange(before, Objects.Count - before))
            foreach (var component in Of(one))
            {
                Send(component, "Awake");
                Send(component, "OnEnable");
            }
        }

        public static void Frame()
        {
            foreach (var component in All())
                if (Started.Add(component)) Send(component, "Start");
            foreach (var component in All()) Send(component, "Update");
            foreach (var one in Doomed.ToArray()) Remove(one as GameObject ?? ((Component)one).gameObject);
            Doomed.Clear();
        }

        public static void Quit()
        {
            foreach (var component in All()) Send(component, "OnApplicationQuit");
            foreach (var one in Objects.ToArray()) Remove(one);
        }

        /// <summary>How many components of this class are there.</summary>
        public static int Count<T>() where T : Component
        {
            var count = 0;
            foreach (var component in All())
                if (component is T) count++;
            return count;
        }

        internal static void Add(GameObject one)
        {
            if (isLoading) Objects.Add(one);
        }

        internal static void Doom(Object target)
        {
            Doomed.Add(target);
        }

        internal static void Keep(Object target)
        {
            var one = target as GameObject ?? ((Component)target).gameObject;
            if (one.transform.parent != null) Console.WriteLine("warning: DontDestroyOnLoad only works for root GameObjects.");
            else Kept.Add(one);
        }

        private static void Remove(GameObject one)
        {
            foreach (var component in Of(one))
            {
                Send(component, "OnDisable");
                Send(component, "OnDestroy");
                component.IsDestroyed = true;
            }
            one.IsDestroyed = true;
            Objects.Remove(one);
            Kept.Remove(one);
        }

        private static IEnumerable<Component> Of(GameObject one)
        {
            return new List<Component>(one.Components);
        }

        private static IEnumerable<Component> All()
        {
            var all = new List<Component>();
            foreach (var one in Objects) all.AddRange(one.Components);
            return all;
        }

        private static void Send(Component component, string message)
        {
            component.GetType().GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic)?.Invoke(component, null);
        }
    }
}
