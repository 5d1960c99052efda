/** An Io whose output cannot steer a terminal, also with a stranger's text: the one place through which every command prints. */
import { escapeUnseen } from '@sallyport/core/display-text'
import type { Io } from './command.ts'
import { STYLE_CODE } from './paint.ts'

/** Colours stay. */
const shown = (text: string): string =>
  text
    .split(STYLE_CODE)
    .map((part, index) => (index % 2 === 0 ? escapeUnseen(part) : part))
    .join('')

export function shownIo(io: Io): Io {
  const { status, readLine } = io
  return {
    ...io,
    out: (text) => io.out(shown(text)),
    info: (text) => io.info(shown(text)),
    readSecret: (prompt) => io.readSecret(shown(prompt)),
    ...(status === undefined ? {} : { status: (text) => status(text === undefined ? undefined : shown(text)) }),
    ...(readLine === undefined ? {} : { readLine: (prompt) => readLine(shown(prompt)) }),
  }
}
