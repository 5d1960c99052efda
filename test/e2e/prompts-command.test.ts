/** `sallyport prompts`: who may answer with it, and what a sign-in of the command line says meanwhile. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BridgeState } from '@sallyport/protocol'
import { SOON } from '#test/support/soon.ts'
import { canStartCommandLines, CommandLine } from './support/command-line.ts'
import { sallyport, TARGETS } from './support/daemon.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

describe.skipIf(!canStartCommandLines).each(TARGETS)('$name', (target) => {
  let ours: CommandLine
  beforeAll(async () => {
    ours = await CommandLine.open(target)
  })
  afterAll(() => ours.close())

  const prompts = (...words: readonly string[]) => [...target.command, 'prompts', ...words, '--data-dir', ours.at.data] as const
  const login = () => ours.words('login', '--non-interactive', '--data-dir', ours.at.data)
  const waiting = async () => {
    const { out } = await sallyport(target, ['prompts', '--json', '--data-dir', ours.at.data])
    return JSON.parse(out) as Pick<BridgeState, 'prompts' | 'pages'>
  }
  const nextId = () =>
    vi.waitFor(async () => {
      const [prompt] = (await waiting()).prompts
      if (prompt === undefined) throw new Error('no prompt waits')
      return prompt.id
    }, SOON)

  test('a program that starts it allows nothing, with or without a terminal of its own; any program may deny', async () => {
    const evil = ours.compiled('evil')
    const refused = ours.startedBy(evil, login())
    const id = await nextId()
    expect(await ours.startedBy(evil, prompts('allow', id))).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('foreground of a terminal'),
    })
    const line = prompts('allow', id).join(' ')
    const inTerminal = await ours.startedBy(evil, ['/usr/bin/script', '-qec', line, '/dev/null'])
    expect(inTerminal).toMatchObject({ code: 4, out: expect.stringContaining('where a user typed it') })
    const fromOurs = await (await ours.openTerminal()).run([evil, ...prompts('allow', id)])
    expect(fromOurs).toMatchObject({ code: 2, out: expect.stringContaining('foreground of a terminal') })

    const listed = await sallyport(target, ['prompts', '--data-dir', ours.at.data])
    expect(listed.out).toContain(`(prompt ${id})`)
    expect(listed.out).toContain(evil)
    expect(await ours.startedBy(evil, prompts('deny', id))).toMatchObject({ code: 0, out: `Denied ${id}.\n` })
    const { code, err } = await refused
    expect(code).toBe(4)
    expect(err).toContain(`sallyport prompts allow ${id}\n`)
    expect(await ours.startedBy(evil, prompts('deny', id))).toMatchObject({
      code: 4,
      err: expect.stringContaining(`There is no prompt ${id} now`),
    })
    expect((await sallyport(target, ['prompts', '--data-dir', ours.at.data])).out).toBe('Nothing waits for you.\n')
  })

  test.skipIf(!hasTmux)('a user who types it allows (skipped without tmux), and the sign-in names the page to go on with', async () => {
    const socket = join(ours.at.base, 'tmux')
    const said = ours.startedBy(ours.compiled('starter'), login())
    const id = await nextId()
    try {
      const typed = prompts('allow', id).join(' ')
      expect(spawnSync('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', typed]).status).toBe(0)
      const page = await ours.person.nextPage()
      await ours.person.visit(await ours.person.decide(page, 'allow'))
      const { code, err } = await said
      expect(code, err).toBe(0)
      expect(err).toMatch(/Go on in a browser of this machine at http:\/\/127\.0\.0\.1:\d+\/go\//)
    } finally {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
    }
  })
})
