/** A game that was written for the platform's own SDK: two of its lines change, and it plays with the daemon, also after a kill. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isInstalled } from '#test/support/c-build.ts'
import { buildCppPrograms, COMPILE_MS, CPP_BINDING } from '#test/support/cpp-build.ts'
import { cleanEnvironment, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { GameProcess } from './support/game-process.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const GAME = join(import.meta.dirname, '../engines/sdk/game.cpp')
const APPLICATION = '1180000000000000042'
const BEFORE = '#include "discordpp.h"\n'
/** The two lines that the page of the client promises. */
const AFTER = '#include <sallyport/sdk.hpp>\nnamespace discordpp = sdk;\n'
const LEAST_LINES = 150
const hasCompiler = process.platform !== 'win32' && (await isInstalled('g++'))

interface Members {
  readonly [name: string]: { readonly served: readonly string[]; readonly answers: Readonly<Record<string, readonly [string, string]>> }
}

/** Types inside a class; other members are functions. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  Call: ['Error', 'Status'],
  Client: ['Error', 'Status', 'Thread'],
  UserHandle: ['AvatarType'],
}
const FREE: Readonly<Record<string, string>> = {
  RunCallbacks: 'use(&sdk::RunCallbacks);',
  EnumToString: 'use(static_cast<const char *(*)(sdk::ErrorType)>(&sdk::EnumToString));',
}

function useOf(owner: string, member: string): string {
  if (owner === '(namespace)') return FREE[member] ?? `use(sdk::${member}{});`
  const type = `sdk::${owner}`
  if (member === owner) return `static_assert(std::is_move_constructible_v<${type}>);`
  if (member === 'operator=') return `static_assert(std::is_move_assignable_v<${type}>);`
  if (member === 'operator bool') return `static_assert(std::is_constructible_v<bool, const ${type} &>);`
  return TYPES[owner]?.includes(member) === true ? `use(${type}::${member}{});` : `use(&${type}::${member});`
}

describe('a game for the SDK of the platform', () => {
  let programs: string
  beforeAll(async () => {
    if (!hasCompiler) return
    programs = await mkdtemp(join(tmpdir(), 'spo-'))
    const game = await readFile(GAME, 'utf8')
    expect(game.split(BEFORE)).toHaveLength(2)
    expect(game.split('\n').length).toBeGreaterThan(LEAST_LINES)
    await writeFile(join(programs, 'ported.cpp'), game.replace(BEFORE, AFTER))
    const members = JSON.parse(await readFile(join(CPP_BINDING, 'members.json'), 'utf8')) as Members
    const uses = Object.entries(members).flatMap(([owner, { served, answers }]) =>
      [...served, ...Object.keys(answers)].map((member) => useOf(owner, member)),
    )
    const program = ['#include <sallyport/sdk.hpp>', 'template <class T> void use(T) {}', 'int main() {', ...uses, '}', '']
    await writeFile(join(programs, 'members.cpp'), program.join('\n'))
    await buildCppPrograms(programs, { ported: join(programs, 'ported.cpp'), members: join(programs, 'members.cpp') })
  }, COMPILE_MS)
  afterAll(() => (hasCompiler ? rm(programs, { recursive: true, force: true }) : undefined))
  beforeEach((context) => context.skip(!hasCompiler, 'There is no g++ to build the game with; install g++.'))

  test('finds every member of the table, whose share the page prints', async () => {
    await promisify(execFile)(join(programs, 'members'))
    await promisify(execFile)(process.execPath, [join(CPP_BINDING, 'scripts/members.mjs'), '--check'])
  })

  test('signs in, meets, chats, invites and is invited, and is back after the daemon was killed', async () => {
    const at = await folders()
    let daemon = await startDaemon(SOURCE, at)
    const env = { ...cleanEnvironment(), XDG_RUNTIME_DIR: at.runtime }
    const host = new GameProcess([join(programs, 'ported'), 'host'], { env })
    let guest: GameProcess | undefined
    try {
      for (const line of ['authorize: ok', 'token: ok', 'update: ok', 'authenticated 1 1', 'status Ready', 'presence: ok', 'lobby: ok'])
        await host.says(line)
      await host.says('device: Aborted')
      await host.says('I am ada https://')
      await host.says('channels: ok')
      await host.says(/chat \w+: Ahoy in a lobby of 1/)
      const place = { authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }
      guest = new GameProcess([join(programs, 'ported'), 'guest', await sandboxToken(place, 'grace', APPLICATION)], { env })
      await guest.says('lobby: ok')
      await host.says(/chat \w+: Aye in a lobby of 2/)
      await host.says('invite: ok')
      await guest.says('accepted harbour-join-secret: ok')
      await guest.says('join harbour-join-secret')
      const from = host.text.length
      await daemon.kill()
      await expect.poll(() => host.text.slice(from)).toContain('status Reconnecting')
      daemon = await startDaemon(SOURCE, at)
      await expect.poll(() => host.text.slice(from)).toMatch(/status Ready[^]*lobby: ok[^]*message: ok/)
    } finally {
      await guest?.stop()
      await host.stop()
      await daemon.stop()
      await at.remove()
    }
  })
})
