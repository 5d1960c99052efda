/** A C client and the server that it meets, made anew for each test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { buildPrograms, isInstalled } from '../../support/c-build.ts'
import { type Peer, ScriptedServer } from '../../support/scripted-server.ts'
import { Probe, type ProbeLine } from './c-binding.ts'

export class CWorld {
  programs = ''
  base = ''
  #server: ScriptedServer | undefined
  #probe: Probe | undefined

  get runtime(): string {
    return join(this.base, 'run')
  }

  get server(): ScriptedServer {
    if (this.#server === undefined) throw new Error('no server listens before the test')
    return this.#server
  }

  get probe(): Probe {
    if (this.#probe === undefined) throw new Error('no client runs before the test')
    return this.#probe
  }

  async open(): Promise<void> {
    this.base = await mkdtemp(join(tmpdir(), 'sp-'))
    this.#server = await ScriptedServer.listen(this.runtime)
    this.start()
  }

  async close(): Promise<void> {
    await this.probe.stop()
    await this.server.close()
    await rm(this.base, { recursive: true, force: true })
  }

  /** Starts another client, e.g. after the first one has ended. */
  start({ runtime = this.runtime, requireBridge = false } = {}): void {
    this.#probe = new Probe(join(this.programs, 'probe'), runtime, { requireBridge })
  }

  /** Connects and returns the server's side. */
  async connected(data: object = {}): Promise<Peer> {
    this.probe.send('connect -1')
    const peer = await this.server.peer()
    await peer.ready(data)
    await this.probe.state('ready')
    return peer
  }

  /** What the allocator of the client has counted. */
  count(): Promise<ProbeLine> {
    return this.probe.ask('count', 'allocations')
  }
}

const hasCompiler = (await isInstalled('gcc')) && process.platform !== 'win32'

/** Tests of the C client; skipped without a compiler. */
export function describeC(name: string, tests: (world: CWorld) => void): void {
  if (!hasCompiler) {
    test(name, (context) => context.skip('There is no gcc to build the C client with; install gcc.'))
    return
  }
  describe(name, () => {
    const world = new CWorld()
    beforeAll(async () => {
      world.programs = await mkdtemp(join(tmpdir(), 'spc-'))
      await buildPrograms(world.programs, { probe: 'tests/probe.c' })
    })
    afterAll(() => rm(world.programs, { recursive: true, force: true }))
    beforeEach(() => world.open())
    afterEach(() => world.close())
    tests(world)
  })
}
