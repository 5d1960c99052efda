/** The checks of `sallyport doctor` about running servers: which one games reach, and whether it is this program. */
import { basename } from 'node:path'
import { CONTRACT_VERSION, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { Settings } from '../config/load.ts'
import { isLaterSlot } from '../ipc/transport/address.ts'
import { type Finding, found } from './doctor-finding.ts'
import { verifiedConnect } from '../operator/own-server.ts'
import { ReplayConnection } from './replay-connection.ts'

/** A server that listens in a slot. */
interface RunningServer {
  readonly path: string
  /** Undefined for another program, and for one that does not answer. */
  readonly bridge: { readonly version: string; readonly contract: string } | undefined
}

const ANSWER_MS = 2000

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** Greets the server as a game would, and leaves again. Never rejects. */
export async function identifyServer(path: string, { application }: Pick<Settings, 'application'>): Promise<RunningServer> {
  const connect = verifiedConnect(await import('@sallyport/client'))
  const socket = await connect(path, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined)
  if (socket === undefined) return { path, bridge: undefined }
  const connection = new ReplayConnection(socket)
  try {
    connection.send(OPCODES.HANDSHAKE, { v: PROTOCOL_VERSION, client_id: application, contract: CONTRACT_VERSION })
    const ready = fieldOf((await connection.next(() => true, ANSWER_MS))?.message, 'data')
    const bridge = fieldOf(ready, 'bridge')
    if (fieldOf(bridge, 'name') !== 'sallyport') return { path, bridge: undefined }
    return { path, bridge: { version: String(fieldOf(bridge, 'version')), contract: String(fieldOf(ready, 'contract')) } }
  } finally {
    await connection.close()
  }
}

/** Old games try only the first slot. */
export function checkFirstSlot(servers: readonly RunningServer[]): Finding {
  const first = servers.find(({ path }) => !isLaterSlot(path))
  const own = servers.find(({ bridge }) => bridge !== undefined)
  if (first === undefined) {
    if (own === undefined) return found('first slot', 'ok', 'No server has the first slot; the next bridge takes it.')
    return found(
      'first slot',
      'wrong',
      `The bridge listens at ${own.path}, and the first slot is free. Restart the bridge; it then takes it.`,
    )
  }
  if (first.bridge !== undefined) return found('first slot', 'ok', `Games reach a bridge at ${first.path}.`)
  const foreign = `The program that listens at ${first.path} does not answer as Sallyport; perhaps it is the platform's desktop client.`
  if (own === undefined) return found('first slot', 'wrong', `${foreign} Start the bridge, which then has the next slot: sallyport run`)
  return found('first slot', 'ok', `${foreign} The bridge listens at ${own.path}, and takes the first slot when that program ends.`)
}

export function checkInstances(servers: readonly RunningServer[]): Finding {
  const own = servers.filter(({ bridge }) => bridge !== undefined)
  if (own.length <= 1) return found('instances', 'ok', own.length === 0 ? 'No bridge is running.' : 'One bridge is running.')
  const names = own.map(({ path }) => basename(path)).join(', ')
  return found(
    'instances',
    'wrong',
    `${own.length} bridges are running (${names}). Stop all but one; sallyport status --json names the process of each.`,
  )
}

/** A bridge that was updated while it ran still has its old version. */
export function checkContract(servers: readonly RunningServer[]): Finding {
  const others = servers.flatMap(({ path, bridge }) => {
    if (bridge === undefined || (bridge.version === VERSION && bridge.contract === CONTRACT_VERSION)) return []
    return [`${path} is version ${bridge.version} with contract ${bridge.contract}`]
  })
  const own = `this program is version ${VERSION} with contract ${CONTRACT_VERSION}`
  if (others.length === 0) return found('contract', 'ok', `No bridge of another version is running; ${own}.`)
  return found('contract', 'wrong', `The bridge at ${others.join(', ')}; ${own}. Stop that bridge and start it again.`)
}
