/** Emits `protocol/src/generated/keyed-commands.ts`, which needs no table. */
import type { Model } from '../model.ts'
import { KEYED_COMMANDS_SENTENCE, keyedCommands } from './constants.ts'
import { NOTICE } from './text.ts'

export const emitKeyedCommands = (model: Model): string =>
  [
    `// ${NOTICE}`,
    `/** ${KEYED_COMMANDS_SENTENCE} */`,
    'export const KEYED_COMMANDS: ReadonlySet<string> = new Set([',
    ...keyedCommands(model).map(({ value }) => `  '${value}',`),
    '])',
    '',
  ].join('\n')
