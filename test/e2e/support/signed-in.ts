/** One daemon for the tests of a suite, and sign-ins of games on it with the calls of the protocol. */
import { CallError, createPkce, type SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll } from 'vitest'
import { type Daemon, type Folders, folders, startDaemon, type Target } from './daemon.ts'

/** Starts a daemon in folders of its own before the tests of the suite, and ends it after them. */
export function useDaemon(
  target: Target,
  use: (daemon: Daemon, at: Folders) => void,
  flags: readonly string[] | (() => Promise<readonly string[]>) = [],
  env: NodeJS.ProcessEnv = {},
): void {
  let started: { readonly daemon: Daemon; readonly at: Folders } | undefined
  beforeAll(async () => {
    const at = await folders()
    const daemon = await startDaemon(target, at, typeof flags === 'function' ? await flags() : flags, env)
    started = { daemon, at }
    use(daemon, at)
  })
  afterAll(async () => {
    await started?.daemon.stop()
    await started?.at.remove()
  })
}

/** Signs in with a proof key, up to the tokens. `more` are further arguments of GET_TOKEN. */
export async function exchange(client: SallyportClient, more: object = {}) {
  const { verifier, challenge } = createPkce()
  const { code, redirect_uri = '' } = await client.call('AUTHORIZE', {
    scopes: ['sdk.social_layer'],
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri, ...more })
}

/** Credentials of another provider that the sandbox takes. */
export const EXTERNAL = { external_auth_type: 'STEAM_SESSION_TICKET', external_auth_token: 'sandbox-external-skipper' } as const

/** The error that a call must end with. */
export async function refusalOf(call: Promise<unknown>): Promise<CallError> {
  const failure: unknown = await call.catch((error: unknown) => error)
  if (failure instanceof CallError) return failure
  throw new Error(`not refused: ${String(failure)}`)
}
