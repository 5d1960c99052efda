/** Calls with a key on a platform that the test answers for, and daemons that are killed and start again. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { EndpointRow } from '@sallyport/protocol'
import { onTestFinished } from 'vitest'
import type { KeyedCall, Work } from '#daemon/src/sessions/keys/keyed-calls.ts'
import { TimedCall } from '#daemon/src/sessions/timed-call.ts'
import { keyedCallsForTest } from '#test/support/keyed-calls.ts'
import { silentLogger } from '#test/support/silent-logger.ts'
import { reply } from '../../platform/api/fake-platform.ts'
import { ada, world } from '../../platform/api/forwarder-world.ts'
import { writeRow } from '../../platform/api/rows.ts'

export const KEY = '0123456789abcdef0123456789abcdef'
export const keyNumber = (number: number): string => number.toString(16).padStart(32, '0')
export const ok = reply(200, { id: 'x', extra: [1] })

/** A row that the platform takes once for its nonce. */
export const messageRow = (): EndpointRow => writeRow({ name: 'SAY_THING', idempotency: 'keyed' })

export interface CallOptions extends Partial<Pick<KeyedCall, 'key' | 'row' | 'args' | 'program' | 'applicationId' | 'account' | 'detach'>> {
  readonly within?: number
  /** In place of a request to the platform. */
  readonly work?: Work
}

export function keyedWorld() {
  const { platform, forwarder, clock } = world()
  const folders: string[] = []
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sp-keys-'))
    folders.push(folder)
    return folder
  }
  let folder = newFolder()
  let vaultKeyId: string | undefined = 'first'
  const logged: string[] = []
  const log: Logger = { ...silentLogger, warn: (event) => void logged.push(event) }
  const open = () => {
    const id = vaultKeyId
    return keyedCallsForTest(clock, { folder: () => folder, vaultKeyId: () => id, log })
  }
  let keyed = open()
  const opened = [keyed]
  onTestFinished(async () => {
    await Promise.all(opened.map((one) => one.close()))
    for (const one of folders) rmSync(one, { recursive: true })
  })
  /** How many charges of calls that go on alone are not given back. */
  const detached = { count: 0, isFull: false }
  const detach = () => {
    if (detached.isFull) return undefined
    detached.count += 1
    return () => void (detached.count -= 1)
  }

  /** Starts a call. `leave`: its game waits no longer. */
  const start = ({ within = 30_000, work, ...given }: CallOptions = {}) => {
    const call: KeyedCall = {
      key: KEY,
      row: writeRow(),
      args: { channel_id: '1' },
      program: 'game',
      applicationId: 'app',
      account: 'ada',
      detach,
      ...given,
    }
    const timed = new TimedCall(clock, within)
    const byDefault: Work = (own, follower, args) => forwarder.forward(call.row, args, ada, own.cancelSignal, own.deadlineAt, follower)
    const answer = timed
      .run((limits) => keyed.run(call, limits, work ?? byDefault))
      .catch((failure: unknown) => {
        if (failure instanceof BridgeError) return failure.toWire()
        throw failure
      })
    return { answer, leave: () => timed.cancel() }
  }
  /** Starts a call, and lets it come as far as it can. */
  const begin = async (options?: CallOptions) => {
    const started = start(options)
    await clock.advance(0)
    return started
  }
  return {
    platform,
    clock,
    detached,
    start,
    begin,
    call: (options?: CallOptions) => start(options).answer,
    logged,
    /** Ends as SIGKILL does: what is on the disk stays. `vault`: with another key of the vault; `locked`: with a vault that cannot be opened. */
    kill({ vault = vaultKeyId ?? 'locked' } = {}) {
      const next = newFolder()
      cpSync(folder, next, { recursive: true })
      folder = next
      vaultKeyId = vault === 'locked' ? undefined : vault
      keyed = open()
      opened.push(keyed)
    },
    stop: () => keyed.close(),
    restart() {
      keyed = open()
      opened.push(keyed)
    },
    files: (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n'),
    folder: () => folder,
    file: () => join(folder, 'calls.sqlite'),
  }
}
