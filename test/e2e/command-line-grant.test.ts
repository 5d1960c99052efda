/**
 * A grant of the command line belongs to its terminal, or to the program that started it. Another program or terminal causes a new prompt.
 * Commands that remove something need a confirmation.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canStartCommandLines, CommandLine } from './support/command-line.ts'
import { sallyport, TARGETS } from './support/daemon.ts'
import { fieldOf } from './support/person.ts'

describe.skipIf(!canStartCommandLines).each(TARGETS)('$name', (target) => {
  let ours: CommandLine
  beforeAll(async () => {
    ours = await CommandLine.open(target)
  })
  afterAll(() => ours.close())

  test('what a terminal signed in to serves that terminal, and no program that starts the command line', async () => {
    const terminal = await ours.openTerminal()
    expect(await ours.login(terminal)).toMatchObject({ code: 0, out: expect.stringContaining('Signed in as ada') })
    expect(await terminal.run(ours.call())).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })

    const evil = ours.compiled('evil')
    const unsaid = await ours.startedBy(evil, ours.call())
    expect(unsaid).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/foreground of a terminal.*--non-interactive/) })

    const refused = ours.startedBy(evil, ours.call('--non-interactive'))
    const asked = await ours.person.prompt()
    expect(fieldOf(asked, 'Program')).toContain(`started by ${evil}`)
    expect(fieldOf(asked, 'Why')).toContain('from there')
    await ours.person.answer(asked, 'deny')
    expect(await refused).toMatchObject({ code: 4, out: '', err: expect.stringMatching(/Not signed in: .*did not allow[^]*4006/) })

    // Started from that very terminal, it left it: refused again without a prompt, as it was.
    expect(await terminal.run([evil, ...ours.call('--non-interactive')])).toMatchObject({
      code: 4,
      out: expect.stringContaining('did not allow'),
    })
    expect(await terminal.run(ours.call())).toMatchObject({ code: 0 })
  })

  test('another terminal causes a prompt, and shows that a prompt is open', async () => {
    const [first] = ours.terminals
    const second = await ours.openTerminal()
    const allowed = second.run(ours.call())
    const asked = await ours.person.prompt()
    expect(fieldOf(asked, 'Program')).toContain('in a terminal')
    await second.shows('may be waiting for your permission')
    await ours.person.answer(asked, 'allow')
    expect(await allowed).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })
    expect(await second.run(ours.call())).toMatchObject({ code: 0 })

    const third = await ours.openTerminal()
    const refused = third.run(ours.call())
    await ours.person.answer(await ours.person.prompt(), 'deny')
    expect(await refused).toMatchObject({ code: 4, out: expect.stringContaining('did not allow') })
    expect(await first?.run(ours.call())).toMatchObject({ code: 0 })
    expect(await ours.person.prompts()).toEqual([])
  })

  test('--non-interactive has a grant for each program that starts it', async () => {
    const [one, other] = [ours.compiled('one'), ours.compiled('other')]
    expect(await ours.promptedBy(one, ours.call('--non-interactive'), 'allow')).toContain(`started by ${one}`)
    expect(await ours.startedBy(one, ours.call('--non-interactive'))).toMatchObject({ code: 0 })
    expect(await ours.promptedBy(other, ours.call('--non-interactive'))).toContain(`started by ${other}`)

    const listed = await sallyport(target, ['grants', '--data-dir', ours.at.data])
    expect(listed.out).toContain(`started by ${one}`)
    expect(listed.out).not.toContain(other)
  })

  test('a permanent deletion needs a confirmation by name, or --yes', async () => {
    const leave = ours.words('call', 'leave_lobby', '{"lobby_id":"1"}')
    const [terminal] = ours.terminals
    const wrong = terminal?.run(leave)
    await terminal?.shows('Type the name of the command')
    terminal?.type('yes')
    expect(await wrong).toMatchObject({ code: 2, out: expect.stringContaining('LEAVE_LOBBY was not called') })
    const right = terminal?.run(leave)
    await terminal?.shows('Type the name of the command')
    terminal?.type('LEAVE_LOBBY')
    // It reached the bridge, which knows no such lobby.
    expect(await right).toMatchObject({ code: 4 })

    const one = join(ours.at.base, 'one')
    expect(await ours.startedBy(one, [...leave, '--non-interactive'])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await ours.startedBy(one, [...leave, '--non-interactive', '--yes'])).toMatchObject({ code: 4 })
  })
})
