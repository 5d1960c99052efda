/** Sockets that a service manager opened for the daemon (systemd socket activation). */

/** Inherited descriptors; empty without socket activation. */
export function inheritedDescriptors(environment: NodeJS.ProcessEnv, pid: number): readonly number[] {
  const FIRST_DESCRIPTOR = 3
  if (environment['LISTEN_PID'] !== String(pid)) return []
  const count = Number.parseInt(environment['LISTEN_FDS'] ?? '', 10)
  return Number.isInteger(count) && count > 0 ? Array.from({ length: count }, (_, index) => FIRST_DESCRIPTOR + index) : []
}
