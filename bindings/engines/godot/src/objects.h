/** The two objects that scripts get: a call, and an error. */
#ifndef SALLY_OBJECTS_H
#define SALLY_OBJECTS_H

#include <sallyport/sallyport.h>

#include "classes.h"

typedef struct sally_call_object sally_call_object;

/** Makes a SallyportError of an error of the C client; `*value` holds the reference. */
void sally_error_make(const sallyport_error *error, sally_variant *value);

/** Makes a SallyportCall. It lives until it ends, and as long as a script holds it. `owner` is what `sally_call_owner` returns. */
sally_call_object *sally_call_make(void *owner);
void *sally_call_owner(const sally_call_object *call);
GDExtensionObjectPtr sally_call_engine_object(const sally_call_object *call);
/** Ends the call, emits `completed`, and drops the reference of `sally_call_make`. `error` is null on success. */
void sally_call_finish(sally_call_object *call, const sallyport_error *error, sallyport_json data);
/** The same with `completed` at the end of the frame: for a call that was not sent, so that a script can await it. */
void sally_call_fail_later(sally_call_object *call, const sallyport_error *error);

#endif
