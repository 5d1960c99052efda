/** Joins what joining one another's game needs: who is there, what they show, how a game that is not there is launched. */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenKeeper } from '../auth/auth.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { Consent } from '../auth/grants/questions.ts'
import { fileAt } from '../identity/file-identity.ts'
import type { Program } from '../identity/program.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { SessionUsers } from '../presence/users.ts'
import { accountSecrets } from '../social/account-secrets.ts'
import { joinableOf } from '../social/joinable.ts'
import { playingOf } from '../social/playing.ts'
import type { JoinParts } from '../social/joins.ts'
import { Launches } from '../social/launch/launches.ts'
import { startGame } from '../social/launch/start.ts'
import { launchStore } from '../social/launch/store.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import { outsider } from '../platform/api/path-refusal.ts'
import type { Forwarder } from '../platform/api/upstream.ts'

export interface JoiningParts {
  readonly dataDir: string
  readonly profile: Pick<PlatformProfile, 'name' | 'customSchemePrefix'>
  readonly clock: Clock
  readonly log: Logger
  readonly registry: SessionRegistry
  readonly presence: PresenceArbiter
  readonly users: Pick<SessionUsers, 'of'>
  readonly keeper: TokenKeeper
  readonly forwarder: Forwarder
  readonly desktopClient: DesktopClient
  /** Asks the user. */
  readonly consent: Consent
  readonly grants: Pick<Grants, 'applicationName'>
  readonly closers: Closer[]
}

export interface Joining {
  readonly launches: Launches
  /** What the joins are made of, but for those that every source has. */
  readonly parts: Omit<JoinParts, 'clock' | 'log' | 'tell'>
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
  const launches = new Launches({
    store,
    clock,
    log: log.child({ part: 'launches' }),
    platform: process.platform,
    start: startGame(),
    addressOf: (applicationId) => `${profile.customSchemePrefix}-${applicationId}:///`,
    outsider,
    isProgram,
    fileAt,
    ask: ({ applicationId, launch, by, isChanged }) =>
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
          why: isChanged ? 'changed-launch' : 'new-launch',
        },
        stopped.signal,
      ),
  })
  return {
    launches,
    parts: {
      isLinked: ({ applicationId, userId }) => desktopClient.isLinked(applicationId, userId),
      joinable: joinableOf(presence),
      secretOf: accountSecrets({ registry, keeper, forwarder, clock, uid: process.getuid?.() }),
      playing: playingOf(registry, (sessionId) => users.of(sessionId)),
      launch: (applicationId) => launches.launch(applicationId),
    },
  }
}
