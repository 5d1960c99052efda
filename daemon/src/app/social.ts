/** Joins what joining one another's game needs: who is there, what they show, how a game that is not there is launched. */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenStore } from '../auth/auth.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { Consent } from '../auth/grants/consent-prompts.ts'
import { fileAt } from '../identity/file-identity.ts'
import type { Program } from '../identity/program.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { SessionOwners } from '../presence/session-owners.ts'
import { joinSecretFetcher } from '../social/join-secrets.ts'
import { joinableActivityOf } from '../social/joinable.ts'
import { playStateOf } from '../social/play-state.ts'
import type { GameInvitesDeps } from '../social/game-invites.ts'
import { GameLauncher } from '../social/launch/launcher.ts'
import { spawnGame } from '../social/launch/spawn.ts'
import { launchStore } from '../social/launch/store.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import { localAccessDenial } from '../platform/api/path-access.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'

export interface JoiningParts {
  readonly dataDir: string
  readonly profile: Pick<PlatformProfile, 'name' | 'customSchemePrefix'>
  readonly clock: Clock
  readonly log: Logger
  readonly registry: SessionRegistry
  readonly presence: PresenceArbiter
  readonly users: Pick<SessionOwners, 'of'>
  readonly keeper: TokenStore
  readonly forwarder: Forwarder
  readonly desktopClient: DesktopClient
  /** Asks the user. */
  readonly consent: Consent
  readonly grants: Pick<Grants, 'applicationName'>
  readonly closers: Closer[]
}

export interface Joining {
  readonly launches: GameLauncher
  /** What the joins are made of, but for those that every source has. */
  readonly parts: Omit<GameInvitesDeps, 'clock' | 'log' | 'publish'>
}

/** The address that every application of the platform has was set by no program. */
const NOBODY: Program = { kind: 'unknown', uid: undefined, executable: undefined, file: undefined }

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export function openJoining({
  dataDir,
  profile,
  registry,
  presence,
  users,
  keeper,
  forwarder,
  clock,
  log,
  desktopClient,
  consent,
  grants,
  closers,
}: JoiningParts): Joining {
  const stopped = new AbortController()
  closers.push(async () => stopped.abort())
  const store = launchStore(join(dataDir, 'launches.sqlite'), profile.name)
  closers.push(store.close)
  const launches = new GameLauncher({
    store,
    clock,
    log: log.child({ part: 'launches' }),
    platform: process.platform,
    spawn: spawnGame(),
    addressOf: (applicationId) => `${profile.customSchemePrefix}-${applicationId}:///`,
    localAccessDenial: localAccessDenial,
    isProgram,
    fileAt,
    prompt: ({ applicationId, launch, by, isChanged }) =>
      consent.ask(
        {
          program: by ?? NOBODY,
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
      ),
  })
  return {
    launches,
    parts: {
      isLinked: ({ applicationId, userId }) => desktopClient.isConnected(applicationId, userId),
      joinableActivity: joinableActivityOf(presence),
      fetchSecret: joinSecretFetcher({ registry, tokenStore: keeper, forwarder, clock, uid: process.getuid?.() }),
      playState: playStateOf(registry, (sessionId) => users.of(sessionId)),
      launch: (applicationId) => launches.launch(applicationId),
    },
  }
}
