/** `sallyport config set` and `unset`, on real files. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { serviceUnit } from '#daemon/src/install/linux-files.ts'
import { fakeIo } from './fake-io.ts'

let home: string
let file: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'config-'))
  file = join(home, '.config/sallyport/config.json')
})
afterEach(() => rmSync(home, { recursive: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function line(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const io = fakeIo()
  const machine = { platform: 'linux', env: { XDG_RUNTIME_DIR: home, ...env }, home } as const
  const code = await runCli(['config', ...words], { ...io, machine }, CLI_COMMANDS)
  return { code, printed: io.printed.join('\n'), said: io.said.join('\n') }
}

describe('set', () => {
  test('makes a private file with one key', async () => {
    expect(await line(['set', 'platform', 'discord'])).toEqual({ code: EXIT.ok, printed: `platform = discord  (${file})`, said: '' })
    expect(readFileSync(file, 'utf8')).toBe('{\n  "platform": "discord"\n}\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await line([])).printed).toContain('platform = discord  (file)')
  })

  test('removes what a killed command left, and nothing of one that runs', async () => {
    // The largest number of a process is smaller.
    const [killed, running, other] = [`${file}.4194305.new`, `${file}.${process.ppid}.new`, `${file}.old.new`]
    for (const path of [killed, running, other]) write(path, 'part')
    expect((await line(['set', 'platform', 'discord'])).code).toBe(EXIT.ok)
    expect([killed, running, other].map((path) => existsSync(path))).toEqual([false, true, true])
  })

  test('keeps the other keys, their order, the indentation, the mode and a link', async () => {
    const elsewhere = join(home, 'dotfiles/config.json')
    write(elsewhere, '{\n\t"consent": "deny",\n\t"platform": "sandbox",\n\t"rpcOrigins": {"1": ["https://a.example"]}\n}\n')
    chmodSync(elsewhere, 0o640)
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(elsewhere, file)
    expect((await line(['set', 'platform', 'discord'])).code).toBe(EXIT.ok)
    expect(readFileSync(elsewhere, 'utf8')).toBe(
      '{\n\t"consent": "deny",\n\t"platform": "discord",\n\t"rpcOrigins": {\n\t\t"1": [\n\t\t\t"https://a.example"\n\t\t]\n\t}\n}\n',
    )
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640)
  })

  test.each([
    ['dashboardPort', '4000', 4000],
    ['dashboard-port', 'off', 'off'],
    ['gateway-obfuscation', 'true', true],
    ['consent', 'deny', 'deny'],
    ['sandboxSeed', '7', '7'],
    ['sandbox', 'strict', 'strict'],
  ])('%s %s is written as JSON', async (key, given, written) => {
    expect((await line(['set', key, given])).code).toBe(EXIT.ok)
    expect(Object.values(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([written])
  })

  test('a path is absolute, because the bridge starts elsewhere', async () => {
    await line(['set', 'dataDir', 'there'])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ dataDir: join(process.cwd(), 'there') })
  })

  test.each([
    [
      ['set', 'consent', 'perhaps'],
      /consent does not accept "perhaps"\. Expected: prompt\|allow\|allow:NAME\|deny\..* NAME is the user who signs in: ada, grace, linus, mary\./,
    ],
    [['set', 'platform', 'discrod'], /Unknown platform discrod\. Did you mean discord\?/],
    [['set', 'platfrom', 'discord'], /There is no setting "platfrom"\. Did you mean platform\?/],
    [['set', 'config', '/x'], /There is no setting "config"/],
    [['set', 'dryRun', 'true'], /There is no setting "dryRun"/],
    [['set', 'botToken', 'abc'], /botToken is a secret, and every program can read a command line/],
    [['set', 'platform'], /config set KEY VALUE/],
    [['unset', 'platform', 'sandbox'], /config set KEY VALUE/],
    [['get', 'platform'], /no word get. Did you mean set/],
    [['set', 'webhookPort', '80'], /webhook-port requires webhook-public-keys/],
  ])('%j is refused with a sentence, and nothing is written', async (words, sentence) => {
    const { code, said } = await line(words, { SALLYPORT_PLATFORM: 'discord' })
    expect([code, said]).toEqual([EXIT.usage, expect.stringMatching(sentence)])
    expect(said).not.toContain('abc')
    expect(existsSync(file)).toBe(false)
  })

  test('mends a file whose value is not valid', async () => {
    write(file, '{"consent":"perhaps","logLevel":"info"}')
    expect((await line([])).code).toBe(EXIT.usage)
    expect((await line(['set', 'consent', 'prompt'])).code).toBe(EXIT.ok)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ consent: 'prompt', logLevel: 'info' })
  })

  test('a file that is no JSON stays as it is', async () => {
    write(file, '{"consent":')
    const { code, said } = await line(['set', 'consent', 'prompt'])
    expect([code, said]).toEqual([EXIT.usage, expect.stringContaining('is not JSON')])
    expect(readFileSync(file, 'utf8')).toBe('{"consent":')
  })

  test('names the variable, the unit and what was added to it, which win', async () => {
    const unit = join(home, '.config/systemd/user/sallyport.service')
    write(unit, serviceUnit(['/usr/bin/sallyport'], ['--platform', 'sandbox']))
    write(`${unit}.d/mine.conf`, '[Service]\nEnvironment="SALLYPORT_PLATFORM=sandbox"\n')
    const { printed } = await line(['set', 'platform', 'discord', '--json'], { SALLYPORT_PLATFORM: 'sandbox' })
    expect(JSON.parse(printed)).toEqual({
      file,
      key: 'platform',
      value: 'discord',
      changed: true,
      overridden_by: [
        'the variable SALLYPORT_PLATFORM of this environment',
        `--platform in ${unit}, which starts the bridge`,
        `SALLYPORT_PLATFORM in ${unit}.d/mine.conf, which starts the bridge`,
      ],
      restart: null,
    })
    expect((await line(['set', 'dataDir', '/data'])).said).toBe('')
  })
})

describe('with a bridge that runs', () => {
  let server: Server
  beforeEach(async () => {
    const socket = join(home, 'discord-ipc-0')
    const dataDir = join(home, '.local/share/sallyport')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeSocketAddress(dataDir, socket)
    server = createServer()
    await new Promise<void>((resolve) => server.listen(socket, resolve))
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  test('says that it must be started again, if the bridge reads the setting and it is new', async () => {
    expect((await line(['set', 'platform', 'discord'])).said).toContain('then type sallyport run')
    expect(await line(['set', 'platform', 'discord'])).toMatchObject({ said: '', printed: expect.stringContaining('(as before)') })
    expect((await line(['set', 'scopes', 'openid'])).said).toBe('')
  })

  test('names the unit of systemd that starts it', async () => {
    write(join(home, '.config/systemd/user/sallyport.service'), '')
    write(join(home, 'systemd/private'), '')
    expect((await line(['set', 'consent', 'deny'])).said).toContain('systemctl --user restart sallyport.service')
  })
})

test('unset removes the key', async () => {
  write(file, '{"platform":"discord","consent":"deny"}')
  expect((await line(['unset', 'platform'])).printed).toBe(`platform is not in ${file}`)
  expect(readFileSync(file, 'utf8')).toBe('{\n  "consent": "deny"\n}\n')
})
