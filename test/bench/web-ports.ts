/** The web ports that daemons share: one that finds none logs a warning, which would be part of its figures. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const FIRST_PORT = 6463
const PORTS = 10
const LOOPBACK = '127.0.0.1'
const LOOK_AGAIN_MS = 500
const PATIENCE_MS = 120_000

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, LOOPBACK), 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

async function freePorts(): Promise<number> {
  let free = 0
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) if (await isFree(port)) free++
  return free
}

/** Waits until so many daemons would each find one. Rejects when other programs hold them for long. */
export async function untilWebPortsAreFree(daemons: number): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    if ((await freePorts()) >= daemons) return
    await pause(LOOK_AGAIN_MS)
  }
  const last = FIRST_PORT + PORTS - 1
  throw new Error(`Of the ports ${FIRST_PORT} to ${last}, fewer than ${daemons} are free. End the other daemons, then run this row again.`)
}
