/** The launcher of games: what it stores, what it asks the user, and what it starts. */
import { accessSync, constants, statSync } from 'node:fs'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { Consent } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { Settings } from '../config/load.ts'
import { comparableFileAt } from '../identity/file-identity.ts'
import type { Program } from '../identity/program.ts'
import { localAccessDenial } from '../platform/api/path-access.ts'
import { GameLauncher } from '../social/launch/launcher.ts'
import { type SpawnGame, spawnGame } from '../social/launch/spawn.ts'
import { launchStore } from '../social/launch/store.ts'

interface LauncherParts {
  readonly settings: Pick<Settings, 'isIsolated'>
  readonly profile: Pick<PlatformProfile, 'name' | 'customSchemePrefix'>
  readonly clock: Clock
  readonly log: Logger
  readonly consent: Consent
  readonly grants: Pick<Grants, 'applicationName'>
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside'>
  readonly scope: AsyncDisposableStack
}

/** For the address that every application of the platform has: no program registered it. */
const NO_PROGRAM: Program = { kind: 'unknown', uid: undefined, executable: undefined, file: undefined }

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const startsNothing: SpawnGame = () => Promise.reject(new Error('this bridge starts no programs'))

export function openLauncher({
  settings: { isIsolated },
  profile,
  clock,
  log,
  consent,
  grants,
  health,
  scope,
}: LauncherParts): GameLauncher {
  const store = launchStore(health, profile.name)
  scope.defer(() => store.close())
  const stopped = new AbortController()
  scope.defer(() => stopped.abort())
  return new GameLauncher({
    store,
    clock,
    log: log.child({ part: 'launches' }),
    platform: process.platform,
    spawn: isIsolated ? startsNothing : spawnGame(),
    addressOf: (applicationId) => `${profile.customSchemePrefix}-${applicationId}:///`,
    localAccessDenial,
    isProgram,
    fileAt: comparableFileAt,
    prompt: async ({ applicationId, launch, by, isChanged }) => {
      await consent.ask(
        {
          program: by ?? NO_PROGRAM,
          pid: undefined,
          connection: 0,
          applicationId,
          applicationName: grants.applicationName(applicationId),
          userId: undefined,
          username: undefined,
          scopes: [],
          launch,
          reason: isChanged ? 'changed-launch' : 'new-launch',
        },
        stopped.signal,
      )
    },
  })
}
