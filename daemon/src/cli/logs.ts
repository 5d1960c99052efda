/** `sallyport logs`: prints the log of the bridge, and follows it. */
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Command, Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { logFile } from '@sallyport/core/storage/log-file'
import { followLog, storedLines } from './log-follower.ts'
import { logText, parseLogLine, reaches } from './log-line.ts'
import { painterOf } from './paint.ts'

/** The line as it is printed; undefined below the level. Lines that the daemon did not write are printed as they are. */
function printedLine(text: string, { loaded: { settings }, io }: Context): string | undefined {
  const line = parseLogLine(text)
  if (line === undefined) return escapeInvisible(text)
  if (!reaches(line.level, settings.level)) return undefined
  return settings.json ? text : logText(line, painterOf(io.colours.out))
}

export const logs: Command = {
  name: 'logs',
  summary: 'Print the log of the bridge, or follow it.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['follow', 'lines', 'level', 'dataDir', 'config'],
  async run(context) {
    const { io, loaded } = context
    const { dataDir, follow, lines: count } = loaded.settings
    const file = logFile(dataDir)
    const shown = storedLines(file).flatMap((line) => printedLine(line, context) ?? [])
    // slice(-0) would be all.
    if (count > 0) shown.slice(-count).forEach((line) => io.out(line))
    if (!follow) {
      if (shown.length === 0) io.info(`There is nothing in ${file} yet. The bridge writes it when the first game connects.`)
      return EXIT.ok
    }
    const follower = followLog(file, (line) => {
      const printed = printedLine(line, context)
      if (printed !== undefined) io.out(printed)
    })
    await Promise.race([io.untilStopped(), io.untilUnread()])
    follower.close()
    return EXIT.ok
  },
}
