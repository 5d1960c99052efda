/** The flags by which every command that talks to a bridge finds it: `locationOf` and `locationOfData` in daemon-client.ts read them. */
import type { OptionKey } from '../config/schema.ts'

export const FIND_FLAGS = ['platform', 'runtimeDir', 'dataDir', 'config'] as const satisfies readonly OptionKey[]
