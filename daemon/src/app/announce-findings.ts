/** Says what the platform would have refused, when a game leaves the relaxed sandbox: one line for each rule that it broke. */
import type { Logger } from '@sallyport/core/logger'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { SandboxFindings } from '../operator/state-warnings.ts'

interface AnnounceDeps {
  readonly findings: Pick<SandboxFindings, 'current'>
  readonly lifecycle: LifecycleEvents
  readonly registry: Pick<SessionRegistry, 'find'>
  readonly log: Logger
  readonly announce: (text: string) => void
}

export function announceFindings({ findings, lifecycle, registry, log, announce }: AnnounceDeps): void {
  /** The messages that were announced, by application and rule: the count of a finding is part of its message. */
  const announced = new Map<string, string>()
  lifecycle.on('sessionChanged', ({ applicationId, connection }) => {
    if (registry.find(connection.id) !== undefined) return
    const fresh = findings.current().filter((one) => {
      const key = `${one.applicationId} ${one.rule}`
      const isNew = one.applicationId === applicationId && announced.get(key) !== one.message
      if (isNew) announced.set(key, one.message)
      return isNew
    })
    if (fresh.length === 0) return
    announce(
      [
        `Application ${applicationId} left the relaxed sandbox. The platform would refuse what it did:`,
        ...fresh.map(({ message, remedy }) => `  - ${message} ${remedy}`),
      ].join('\n'),
    )
    for (const { rule, count } of fresh) log.info('sandbox-finding', { application: applicationId, rule, count })
  })
}
