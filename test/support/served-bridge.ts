/** The bridge of the tests on a real socket. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sallyport/core/clock'
import { HeldServer } from '@sallyport/core/net/held-server'
import { nodeIpcListener } from '#daemon/src/ipc/transport/node-ipc-listener.ts'
import { KNOWN_PROGRAM, type TestBridge, testBridge, type TestBridgeOptions } from './bridge.ts'

export interface ServedBridge extends TestBridge {
  readonly path: string
  stop(): Promise<void>
}

export async function serveBridge(options: TestBridgeOptions = {}): Promise<ServedBridge> {
  const directory = mkdtempSync(join(tmpdir(), 'bridge-'))
  const path = join(directory, 'ipc')
  const made = testBridge({ clock: systemClock, ...options })
  const held = await HeldServer.listen({ path }, { identify: () => KNOWN_PROGRAM, release: () => {}, onNeeded: () => {} })
  const stop = await nodeIpcListener({ address: path, held }).listen((channel) => made.bridge.openStream(channel))
  return {
    ...made,
    path,
    stop: async () => {
      await stop()
      await made.providers.stop()
      made.presence.stop()
      for (const folder of [directory, made.uploadFolder]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
