#include "Modules/ModuleManager.h"

/* Nothing is loaded or unloaded: the C client is compiled into the module. */
IMPLEMENT_MODULE(FDefaultModuleImpl, SallyportClient)
