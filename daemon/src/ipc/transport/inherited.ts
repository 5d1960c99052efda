/** Sockets that a service manager opened for the daemon (systemd socket activation). */
import { BridgeError } from '@sallyport/core/errors'
import { listenerFault } from '@sallyport/core/os/bound-path'

const FIRST_DESCRIPTOR = 3
/** More than any manager passes. */
const COUNT = /^[0-9]{1,4}$/

/** Inherited descriptors; empty without socket activation. Their names (LISTEN_FDNAMES) say nothing about what they are. */
export function inheritedDescriptors(environment: NodeJS.ProcessEnv, pid: number): readonly number[] {
  if (environment['LISTEN_PID'] !== String(pid)) return []
  const count = environment['LISTEN_FDS'] ?? ''
  return COUNT.test(count) ? Array.from({ length: Number(count) }, (_, index) => FIRST_DESCRIPTOR + index) : []
}

/** Throws SERVICE_UNAVAILABLE for the first descriptor that must not be served. */
export function assertListeners(descriptors: readonly number[]): void {
  for (const fd of descriptors) {
    const fault = listenerFault(fd)
    if (fault !== undefined) throw new BridgeError('SERVICE_UNAVAILABLE', `Descriptor ${fd} of the socket unit ${fault}.`)
  }
}
