/** Releases of the platform's SDK and their changes to the contract; used to list what an older version lacks. */

export interface SdkRelease {
  /** `major.minor`, or `major.minor.build` for a change in one build. Several versions if a fix was released for several minors. */
  readonly versions: readonly string[]
  /** Empty: none is known. */
  readonly changes: readonly string[]
}

/** Newest first. */
export const SDK_RELEASES: readonly SdkRelease[] = [
  {
    versions: ['1.10.19337'],
    changes: [
      "VoiceSettings, GetVoiceSettings and SetVoiceSettingsUpdatedCallback: a read-only view of the running client's settings, for approved integrations.",
    ],
  },
  { versions: ['1.10.18687'], changes: ['Signing in on iOS no longer replaces the delegate of the host app.'] },
  { versions: ['1.10.18369', '1.9.18337', '1.8.18335'], changes: ['C# passes booleans as one byte.'] },
  {
    versions: ['1.10.18247'],
    changes: [
      'Messages carry AdditionalName, the second display name of their author.',
      'Consoles read presence.',
      'Consoles need newer system SDKs.',
      'Voice is built on WebRTC M130.',
      'Android shows presence without signing in.',
    ],
  },
  { versions: ['1.9.18337', '1.8.18335'], changes: ['Lobby events no longer crash the process while listeners change.'] },
  { versions: ['1.9.17379'], changes: [] },
  { versions: ['1.9.17228'], changes: ['AUTHORIZE_REQUEST is subscribed again after the client reconnects.'] },
  { versions: ['1.9.16441'], changes: [] },
  { versions: ['1.9.15780'], changes: [] },
  { versions: ['1.9.15332'], changes: ['Accepting an activity invite passes the application id of the invite.'] },
  { versions: ['1.8.14985'], changes: [] },
  { versions: ['1.8.14856'], changes: ['The privacy of a party reaches other users.'] },
  { versions: ['1.8.14587'], changes: [] },
  {
    versions: ['1.8.14437', '1.7.14433', '1.6.14448'],
    changes: ['Bearer tokens stay out of logs; release builds log errors and warnings only.'],
  },
  { versions: ['1.8.14026'], changes: [] },
  { versions: ['1.8.13395'], changes: ['Messages carry ModerationMetadata.'] },
  { versions: ['1.7.13357', '1.6.13305'], changes: ['RegisterLaunchCommand no longer crashes on a Steam Deck.'] },
  {
    versions: ['1.7'],
    changes: [
      'GetGuildChannels is ordered and returns type, position and parent.',
      'Console and Apple identities for provisional accounts.',
      'The CPU affinity of a client can be set.',
    ],
  },
  {
    versions: ['1.6'],
    changes: [
      'Authorizations can start in the client.',
      'GetUserMessagesWithLimit uses a cache.',
      'GetUserApplicationProfiles.',
      'Notifications are not repeated.',
    ],
  },
  {
    versions: ['1.5'],
    changes: [
      'History of direct messages.',
      'Listening, watching and competing activities.',
      'GetCurrentUserV2.',
      'Native sign-in on phones, and builds for Windows on ARM.',
    ],
  },
  {
    versions: ['1.4'],
    changes: [
      'GetLobbyMessagesWithLimit, ExchangeChildToken, RevokeToken and UnmergeIntoProvisionalAccount.',
      'SetAecDump, and memory pages of 16 KB on Android.',
    ],
  },
  {
    versions: ['1.3'],
    changes: [
      'SetHttpRequestTimeout.',
      'APPLICATION_DEAUTHORIZED notifies a backend when a user ends an authorization.',
      'SetEngineManagedAudioSession.',
    ],
  },
  {
    versions: ['1.1'],
    changes: ['Presence on desktops without a gateway connection.', 'Two more consoles.', 'GetPTTReleaseDelay.'],
  },
]

/** The least system SDK that a console build needs, from an SDK version on. */
export interface ConsoleMinimum {
  /** Console platforms have neutral names. */
  readonly console: 'A' | 'B'
  readonly systemSdk: string
  readonly since: string
}

/** No source names the minimums of earlier versions. */
const CONSOLE_MINIMUMS: readonly ConsoleMinimum[] = [
  { console: 'A', systemSdk: '241000', since: '1.10.18247' },
  { console: 'B', systemSdk: '10.000', since: '1.10.18247' },
]

const partsOf = (version: string): readonly number[] | undefined =>
  /^[0-9]{1,6}\.[0-9]{1,6}(\.[0-9]{1,9})?$/.test(version) ? version.split('.').map(Number) : undefined

function compareVersions(one: readonly number[], other: readonly number[]): number {
  // A version without a build is its first build.
  for (let part = 0; part < 3; part += 1) {
    const difference = (one[part] ?? 0) - (other[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a version contains the change of a release: compared with the fix of its own minor if there is one, else with the newest minor. */
function has(version: readonly number[], { versions }: SdkRelease): boolean {
  const released = versions.map((text) => partsOf(text) ?? [])
  const ofOwnMinor = released.find(([major, minor]) => major === version[0] && minor === version[1])
  const [newest = []] = released
  return compareVersions(version, ofOwnMinor ?? newest) >= 0
}

/** Returns the changes that an SDK version does not have, newest first; undefined for text that is not a version. */
export function missingInSdk(version: string): string[] | undefined {
  const parts = partsOf(version)
  return parts === undefined ? undefined : SDK_RELEASES.filter((release) => !has(parts, release)).flatMap(({ changes }) => [...changes])
}

/** Returns the console minimums of an SDK version; all of them without a version; undefined for text that is not a version. */
export function consoleMinimums(version: string | undefined): readonly ConsoleMinimum[] | undefined {
  if (version === undefined) return CONSOLE_MINIMUMS
  const parts = partsOf(version)
  return parts && CONSOLE_MINIMUMS.filter(({ since }) => compareVersions(parts, partsOf(since) ?? []) >= 0)
}
