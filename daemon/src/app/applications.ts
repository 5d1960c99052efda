/** Opens the names and pictures of applications. Nothing is read or asked before a user looks at the dashboard. */
import { join } from 'node:path'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import type { HttpSend } from '../platform/api/forwarder-port.ts'
import { ApplicationRequests } from '../platform/applications/application-requests.ts'
import { openApplicationStore } from '../platform/applications/application-store.ts'
import { Applications } from '../platform/applications/applications.ts'

interface ApplicationParts {
  readonly settings: Pick<Settings, 'dataDir'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly send: HttpSend
  readonly scope: AsyncDisposableStack
}

export function openApplications({ settings, profile, clock, log, send, scope }: ApplicationParts): Applications {
  const applications = new Applications({
    clock,
    log: log.child({ part: 'applications' }),
    requests: new ApplicationRequests({ profile, send, clock }),
    openStore: () => openApplicationStore(join(settings.dataDir, 'applications.sqlite'), profile.name),
  })
  scope.defer(() => applications.close())
  return applications
}
