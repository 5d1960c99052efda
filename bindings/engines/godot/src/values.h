/** JSON as values of the engine, and back. Both directions are bounded. */
#ifndef SALLY_VALUES_H
#define SALLY_VALUES_H

#include <sallyport/json.h>

#include "engine.h"

/** Values of one message; the memory of the game stays bounded. */
#define SALLY_MOST_VALUES 262144

/**
 * Makes a value of JSON. Whole numbers of 64 bits become int, others float; ids are texts and stay texts. Returns 0 and makes
 * null if there are more than SALLY_MOST_VALUES.
 */
int sally_value_of_json(sallyport_json json, sally_variant *value);

/**
 * Writes a Dictionary as JSON; `*json` is for `free`. Returns null, or the sentence that says what JSON cannot carry; `*json`
 * is then null. `dictionary` is the built-in value.
 */
const char *sally_json_of_dictionary(const void *dictionary, char **json);

#endif
