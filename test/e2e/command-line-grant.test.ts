/**
 * A grant of the command line belongs to its terminal, or to the program that started it. Another program or terminal causes a new prompt.
 * Commands that remove something need a confirmation.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { fieldOf, Person, type Prompt } from './support/person.ts'
import { type Ran, Terminal } from './support/terminal.ts'

/** `script` of util-linux makes the terminals, gcc the starters; only Linux says which session a process belongs to. */
const canRun = process.platform === 'linux' && ['script', 'gcc'].every((program) => spawnSync(program, ['--version']).status === 0)

describe.skipIf(!canRun).each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let person: Person
  const terminals: Terminal[] = []

  beforeAll(async () => {
    at = await folders()
    // Nothing on the path: no browser can be started, and the address is named to the person.
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent' })
    person = new Person(daemon)
  })
  afterAll(async () => {
    await Promise.all(terminals.map((terminal) => terminal.close()))
    await daemon.stop()
    await at.remove()
  })

  const words = (...own: string[]) => [...target.command, ...own, '--runtime-dir', at.runtime]
  const call = (...more: string[]) => words('call', 'GET_CURRENT_USER', '--json', ...more)

  async function open(): Promise<Terminal> {
    const terminal = await Terminal.open({ HOME: at.data })
    terminals.push(terminal)
    return terminal
  }

  const dashboard = (path: string, method = 'GET') => {
    const address = new URL(daemon.ready.dashboard ?? '')
    return fetch(new URL(path, address), { method, headers: { authorization: `Bearer ${address.hash.replace('#token=', '')}` } })
  }
  const prompts = async () => ((await (await dashboard('/api/state')).json()) as { readonly prompts: readonly Prompt[] }).prompts
  const answer = ({ id }: Prompt, decision: 'allow' | 'deny') => dashboard(`/api/prompts/${id}/${decision}`, 'POST')

  /** The prompt that is open, once there is one. */
  const prompt = (): Promise<Prompt> =>
    vi.waitFor(async () => {
      const [first] = await prompts()
      if (first === undefined) throw new Error('no prompt is open')
      return first
    }, SOON)

  /** Signs in; the user allows every prompt of the bridge and the platform. */
  async function login(terminal: Terminal): Promise<Ran> {
    const signedIn = terminal.run(words('login'))
    let page: string | undefined
    const found = person.nextPage().then((address) => {
      page = address
    })
    await vi.waitFor(async () => {
      for (const asked of await prompts()) await answer(asked, 'allow')
      if (page === undefined) throw new Error('no page was opened')
    }, SOON)
    await found
    await person.visit(await person.decide(page ?? '', 'allow'))
    return signedIn
  }

  function compiled(name: string): string {
    const program = join(at.base, name)
    execFileSync('gcc', ['-O1', '-o', program, join(import.meta.dirname, 'support', 'starter.c')])
    return program
  }

  /** Started by a program that has no terminal. */
  async function startedBy(starter: string, line: readonly string[]) {
    const child = spawn(starter, line, { env: { ...cleanEnvironment(), HOME: at.data }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    return { code: await ended(child), out, err }
  }

  test('what a terminal signed in to serves that terminal, and no program that starts the command line', async () => {
    const terminal = await open()
    expect(await login(terminal)).toMatchObject({ code: 0, out: expect.stringContaining('Signed in as ada') })
    expect(await terminal.run(call())).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })

    const evil = compiled('evil')
    const unsaid = await startedBy(evil, call())
    expect(unsaid).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/foreground of a terminal.*--non-interactive/) })

    const refused = startedBy(evil, call('--non-interactive'))
    const asked = await prompt()
    expect(fieldOf(asked, 'Program')).toContain(`started by ${evil}`)
    expect(fieldOf(asked, 'Why')).toContain('from there')
    await answer(asked, 'deny')
    expect(await refused).toMatchObject({ code: 4, out: '', err: expect.stringMatching(/Not signed in: .*did not allow[^]*4006/) })

    // Started from that very terminal, it left it: refused again without a prompt, as it was.
    expect(await terminal.run([evil, ...call('--non-interactive')])).toMatchObject({
      code: 4,
      out: expect.stringContaining('did not allow'),
    })
    expect(await terminal.run(call())).toMatchObject({ code: 0 })
  })

  test('another terminal causes a prompt, and shows that a prompt is open', async () => {
    const [first] = terminals
    const second = await open()
    const refused = second.run(call())
    const asked = await prompt()
    expect(fieldOf(asked, 'Program')).toContain('in a terminal')
    await second.shows('may be waiting for your permission')
    await answer(asked, 'deny')
    expect(await refused).toMatchObject({ code: 4, out: expect.stringContaining('did not allow') })

    const third = await open()
    const allowed = third.run(call())
    await answer(await prompt(), 'allow')
    expect(await allowed).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })
    expect(await third.run(call())).toMatchObject({ code: 0 })
    expect(await first?.run(call())).toMatchObject({ code: 0 })
    expect(await prompts()).toEqual([])
  })

  test('--non-interactive has a grant for each program that starts it', async () => {
    const [one, other] = [compiled('one'), compiled('other')]
    const allowed = startedBy(one, call('--non-interactive'))
    await answer(await prompt(), 'allow')
    expect(await allowed).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })
    expect(await startedBy(one, call('--non-interactive'))).toMatchObject({ code: 0 })

    const refused = startedBy(other, call('--non-interactive'))
    const asked = await prompt()
    expect(fieldOf(asked, 'Program')).toContain(`started by ${other}`)
    await answer(asked, 'deny')
    expect(await refused).toMatchObject({ code: 4 })

    const listed = await sallyport(target, ['grants', '--data-dir', at.data])
    expect(listed.out).toContain(`started by ${one}`)
    expect(listed.out).not.toContain(other)
  })

  test('a permanent deletion needs a confirmation by name, or --yes', async () => {
    const leave = words('call', 'leave_lobby', '{"lobby_id":"1"}')
    const [terminal] = terminals
    const wrong = terminal?.run(leave)
    await terminal?.shows('Type the name of the command')
    terminal?.type('yes')
    expect(await wrong).toMatchObject({ code: 2, out: expect.stringContaining('LEAVE_LOBBY was not called') })
    const right = terminal?.run(leave)
    await terminal?.shows('Type the name of the command')
    terminal?.type('LEAVE_LOBBY')
    // It reached the bridge, which knows no such lobby.
    expect(await right).toMatchObject({ code: 4 })

    const one = join(at.base, 'one')
    expect(await startedBy(one, [...leave, '--non-interactive'])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await startedBy(one, [...leave, '--non-interactive', '--yes'])).toMatchObject({ code: 4 })
  })
})
