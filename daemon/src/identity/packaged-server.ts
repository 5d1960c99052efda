/**
 * Whether a server in the directory of a packaged application may be taken for it. Other containers can have the permission to listen there: the
 * usual one of games in Flatpak. A program without confinement could listen in the runtime directory as well, so it may serve here too.
 */
import { confinementOf } from './confinement.ts'
import { containerOf } from './containers.ts'
import type { Proc } from './proc.ts'
import type { ContainerKind } from './program.ts'

interface Application {
  readonly kind: ContainerKind
  readonly id: string
}

/** `pid`: undefined if the system does not say; then no program may. */
export function mayServeFor({ kind, id }: Application, pid: number | undefined, proc: Proc): boolean {
  if (pid === undefined) return false
  try {
    if (confinementOf(pid, proc) === undefined) return true
    const container = containerOf(pid, proc)
    return container.kind === kind && container.id === id
  } catch {
    return false // It has ended, or its facts cannot be read.
  }
}
