/** `sallyport inspect`: shows the frames of the running bridge as they pass. */
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { followFrames, type InspectedFrame, selectionOf } from './frame-feed.ts'

const TIME_FROM = 11
const TIME_TO = 23
const ARROWS = { in: '→', out: '←' } as const

/** `12:30:05.123  #4 1234567890  → FRAME SET_ACTIVITY {…}` */
function frameText({ at, connection, application_id: application, direction, opcode, bytes, message }: InspectedFrame): string {
  const time = new Date(at).toISOString().slice(TIME_FROM, TIME_TO)
  const who = `#${connection} ${application ?? '-'}`
  const what = message === undefined ? `(${bytes} bytes)` : JSON.stringify(message)
  return escapeInvisible(`${time}  ${who}  ${ARROWS[direction]} ${opcode} ${what}`)
}

export const inspect: Command = {
  name: 'inspect',
  summary: 'Show the frames of games as they pass, without secrets, until Ctrl-C.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['application', 'cmd', 'direction', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded } = context
    const print = (frame: InspectedFrame) => io.out(loaded.settings.json ? JSON.stringify(frame) : frameText(frame))
    await followFrames(context, selectionOf(context), {
      onStarted: () => io.info('Frames are shown from now on. Press Ctrl-C to stop.'),
      onFrames({ frames, dropped }) {
        if (dropped > 0) io.info(`${dropped} frames are missing here: they came faster than this program read them.`)
        frames.forEach(print)
      },
    })
    return EXIT.ok
  },
}
