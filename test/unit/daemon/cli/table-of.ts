import type { Command, CommandTable } from '#daemon/src/cli/command.ts'

/** A table of these commands. */
export const tableOf = (...commands: readonly Command[]): CommandTable =>
  new Map(commands.map((command) => [command.name, async () => command]))
