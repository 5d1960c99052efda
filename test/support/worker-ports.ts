/**
 * Ports on loopback for programs that listen where a test says. They are below those that systems choose themselves, and another worker has
 * others: so nothing takes one before its program listens, or while that program is stopped.
 */
import { randomInt } from 'node:crypto'
import { holdFirstFree } from '@sallyport/core/net/held-port'

const FIRST_PORT = 10_000
const PORTS_EACH = 200
/** Below the first port of any system. */
const WORKERS_MAX = 100

/** A worker runs one file at a time. Outside Vitest there is one worker. */
const firstPort = FIRST_PORT + PORTS_EACH * (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS_MAX)
export const WORKER_PORTS: readonly number[] = Array.from({ length: PORTS_EACH }, (_, index) => firstPort + index)

/** Another run of the tests on this machine then seldom starts at the same port. */
let given = randomInt(PORTS_EACH)

/** A port that no program has now; not one that it gave just before. Rejects when all are taken. */
export async function freePort(): Promise<number> {
  const held = await holdFirstFree([...WORKER_PORTS.slice(given), ...WORKER_PORTS.slice(0, given)])
  if (held === undefined) throw new Error(`No port from ${WORKER_PORTS[0]} to ${WORKER_PORTS.at(-1)} is free.`)
  given = held.port - firstPort + 1
  await held.close()
  return held.port
}
