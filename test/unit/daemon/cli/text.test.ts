import { expect, test } from 'vitest'
import type { Command } from '#daemon/src/cli/command.ts'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { CommandFailure } from '#daemon/src/cli/failure.ts'
import { asTable } from '#daemon/src/cli/text.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

test('a table has aligned columns, and cannot steer the terminal', () => {
  expect(
    asTable(
      ['ID', 'NAME'],
      [
        ['1', 'a\u001b[2J'],
        ['234', 'b'],
      ],
    ),
  ).toBe(['ID   NAME', String.raw`1    a\u{1b}[2J`, '234  b'].join('\n'))
})

const HOSTILE = 'a\u009b2J\u202eb\u200bc\u001b]0;x\u0007'
const STEERS = /(?!\n)\p{C}/u

/** A command that prints what a stranger wrote, in each way that a command can. */
const printing: Command = {
  name: 'printing',
  summary: 'x',
  usage: '',
  operands: { min: 0, max: 0 },
  flags: [],
  async run({ io, loaded }) {
    io.out(loaded.settings.json ? JSON.stringify({ name: HOSTILE }) : HOSTILE)
    io.info(HOSTILE)
    io.status?.(HOSTILE)
    await io.readLine?.(HOSTILE)
    await io.readSecret(HOSTILE)
    throw new CommandFailure(EXIT.failed, HOSTILE, { name: HOSTILE })
  },
}

test.each([[[]], [['--json']]])('no command can steer the terminal, with %j', async (words) => {
  const asked: string[] = []
  const plain = fakeIo()
  const ask = async (prompt: string) => void asked.push(prompt)
  const io = { ...plain, status: (text?: string) => void asked.push(text ?? ''), readSecret: ask, readLine: ask }
  expect(await runCli(['printing', ...words], io, tableOf(printing))).toBe(EXIT.failed)
  const all = [...io.printed, ...io.said, ...asked]
  expect(all).toHaveLength(6)
  for (const text of all) expect(text).not.toMatch(STEERS)
  if (words.length > 0) {
    expect(JSON.parse(io.printed[0] ?? '')).toEqual({ name: HOSTILE })
    expect(JSON.parse(io.said.at(-1) ?? '')).toMatchObject({ error: { message: HOSTILE, name: HOSTILE } })
  }
})
