/** The entry of the extension: registers the classes and, in the editor, their documentation. */
#include <string.h>

#include "classes.h"

/** Made of doc_classes when the extension is built. */
extern const char *const SALLY_DOCUMENTATION[];

#ifdef _WIN32
#define SALLY_ENTRY __declspec(dllexport)
#else
#define SALLY_ENTRY __attribute__((visibility("default")))
#endif

static GDExtensionInterfaceGetProcAddress get_function;

static void load_documentation(void) {
  GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars load;
  GDExtensionInterfaceFunctionPtr found = get_function("editor_help_load_xml_from_utf8_chars");
  int i;
  if (found == NULL) return;
  memcpy(&load, &found, sizeof load);
  for (i = 0; SALLY_DOCUMENTATION[i] != NULL; i++) load(SALLY_DOCUMENTATION[i]);
}

static void initialize(void *userdata, GDExtensionInitializationLevel level) {
  (void)userdata;
  if (level == GDEXTENSION_INITIALIZATION_SCENE) {
    sally_class_register(&SALLY_ERROR_CLASS);
    sally_class_register(&SALLY_CALL_CLASS);
    sally_class_register(&SALLY_CLIENT_CLASS);
  } else if (level == GDEXTENSION_INITIALIZATION_EDITOR) {
    load_documentation();
  }
}

static void deinitialize(void *userdata, GDExtensionInitializationLevel level) {
  (void)userdata;
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  sally_class_unregister(&SALLY_CLIENT_CLASS);
  sally_class_unregister(&SALLY_CALL_CLASS);
  sally_class_unregister(&SALLY_ERROR_CLASS);
}

SALLY_ENTRY GDExtensionBool sallyport_godot_init(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
                                                 GDExtensionInitialization *initialization);

GDExtensionBool sallyport_godot_init(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
                                     GDExtensionInitialization *initialization) {
  if (!sally_engine_load(get, library)) return 0;
  get_function = get;
  initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
  initialization->userdata = NULL;
  initialization->initialize = initialize;
  initialization->deinitialize = deinitialize;
  return 1;
}
