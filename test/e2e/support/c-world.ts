/** A client in C or C++ and the server that it meets, made anew for each test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { buildPrograms, isInstalled } from '#test/support/c-build.ts'
import { type Peer, ScriptedServer } from '#test/support/scripted-server.ts'
import { Probe, type ProbeLine } from './c-binding.ts'
import { buildCppPrograms, COMPILE_MS } from '#test/support/cpp-build.ts'

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
    await this.listen()
    this.start()
  }

  /** Listens again, after the first server was closed. */
  async listen(): Promise<void> {
    this.#server = await ScriptedServer.listen(this.runtime)
  }

  async close(): Promise<void> {
    await this.probe.stop()
    await this.server.close()
    await rm(this.base, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Starts another client, e.g. after the first one has ended. */
  start({ runtime = this.runtime, ...options }: { runtime?: string; requireBridge?: boolean; reconnect?: boolean } = {}): void {
    this.#probe = new Probe(join(this.programs, 'probe'), runtime, options)
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

type Build = (folder: string, programs: Readonly<Record<string, string>>) => Promise<void>

interface Language {
  readonly compiler: string
  readonly isInstalled: boolean
  readonly probe: string
  readonly build: Build
}

const C: Language = { compiler: 'gcc', isInstalled: await isInstalled('gcc'), probe: 'tests/probe.c', build: buildPrograms }
const CPP: Language = { compiler: 'g++', isInstalled: await isInstalled('g++'), probe: 'tests/probe.cpp', build: buildCppPrograms }

/** Builds the client once, and gives each test a new world. */
function prepare(world: CWorld, { build, probe }: Language): void {
  beforeAll(async () => {
    world.programs = await mkdtemp(join(tmpdir(), 'spc-'))
    await build(world.programs, { probe })
  }, COMPILE_MS)
  afterAll(() => rm(world.programs, { recursive: true, force: true }))
  beforeEach(() => world.open())
  afterEach(() => world.close())
}

/** Tests of a client that the probe of its binding drives; skipped without a compiler. */
const describeIn = (language: Language) => (name: string, tests: (world: CWorld) => void) => {
  describe(name, () => {
    const world = new CWorld()
    if (language.isInstalled && process.platform !== 'win32') prepare(world, language)
    else beforeEach((context) => context.skip(`There is no ${language.compiler} to build the client with; install it.`))
    tests(world)
  })
}

export const describeC = describeIn(C)
export const describeCpp = describeIn(CPP)
