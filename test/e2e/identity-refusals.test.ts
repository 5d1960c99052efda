/** Causes every refusal of the platform for external identities in the sandbox, and checks the error that a game gets. */
import { CallError, createPkce, type SallyportClient } from '@sallyport/client'
import { ENDPOINTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'

const CONFIDENTIAL = '888000501'
const REDIRECT = 'http://127.0.0.1/callback'
const SIGN_IN = { external_auth_type: 'STEAM_SESSION_TICKET' } as const
const identity = (name: string) => ({ ...SIGN_IN, external_auth_token: `sandbox-external-${name}` })

/** 530xxx codes that the rows name. */
const CODES = [
  ...new Set(
    [
      ENDPOINTS.REQUEST_PROVISIONAL_TOKEN,
      ENDPOINTS.REQUEST_TOKEN,
      ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE,
      ENDPOINTS.REQUEST_CHILD_TOKEN,
    ]
      .flatMap(({ platformErrors }) => [...platformErrors])
      .filter((code) => code >= 530_000),
  ),
].toSorted((a, b) => a - b)

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let applications = 888_000_510

  useDaemon(target, (opened, inFolders) => {
    daemon = opened
    at = inFolders
  })

  const control = (name: string, body: object) =>
    fetch(`${daemon.origin}/sandbox/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  /** A game, each time of another application. */
  class Player {
    readonly applicationId: string
    readonly client: SallyportClient
    constructor(applicationId: string, client: SallyportClient) {
      this.applicationId = applicationId
      this.client = client
    }

    provisional(name: string) {
      return this.client.call('GET_PROVISIONAL_TOKEN', identity(name))
    }

    /** Merges the identity into the account of a user who allows it on the consent page. */
    async merge(name: string, user: string) {
      const { verifier, challenge } = createPkce()
      const query = new URLSearchParams({
        client_id: this.applicationId,
        response_type: 'code',
        scope: 'sdk.social_layer',
        redirect_uri: REDIRECT,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        login_hint: user,
      })
      const { headers } = await fetch(`${daemon.origin}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' })
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
      return this.client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri: REDIRECT, ...identity(name) })
    }
  }

  async function player(applicationId = String(++applications)): Promise<Player> {
    return new Player(applicationId, await connectedGame({ applicationId, runtimeDir: at.runtime }))
  }

  interface Case {
    readonly code: number
    /** The bridge's own code. */
    readonly error: number
    readonly way: string
    readonly applicationId?: string
    /** Ends in the refusal. */
    readonly run: (game: Player) => Promise<unknown>
    readonly after?: () => Promise<unknown>
  }

  const refusedName = (code: number, error: number, name: string): Case => ({
    code,
    error,
    way: `a provisional token for ${name}`,
    run: (game) => game.provisional(name),
  })

  const CASES: readonly Case[] = [
    refusedName(530000, 5012, 'not-allowed'),
    refusedName(530001, 4009, 'expired'),
    refusedName(530002, 4009, 'wrong-issuer'),
    refusedName(530003, 4009, 'wrong-audience'),
    refusedName(530004, 4009, 'too-old'),
    refusedName(530006, 1001, 'no-username'),
    refusedName(530008, 5000, 'no-settings'),
    refusedName(530009, 5000, 'no-keys'),
    refusedName(530020, 4009, 'what is this'),
    refusedName(530027, 4009, 'no-kid'),
    {
      code: 530007,
      error: 5000,
      way: 'a confidential application without its secret',
      applicationId: CONFIDENTIAL,
      async run(game) {
        await control('applications', { application_id: CONFIDENTIAL, confidential: true })
        return game.provisional('cap')
      },
    },
    {
      code: 530010,
      error: 5000,
      way: 'a provisional token for an identity that was merged',
      async run(game) {
        await game.merge('cap', 'ada')
        return game.provisional('cap')
      },
    },
    {
      code: 530014,
      error: 5000,
      way: 'a merge of an identity that belongs to another user',
      async run(game) {
        await game.merge('cap', 'ada')
        return game.merge('cap', 'grace')
      },
    },
    {
      code: 530016,
      error: 5000,
      way: 'a merge into a provisional account',
      async run(game) {
        await game.provisional('cap')
        const { user } = await game.client.call('AUTHENTICATE', {})
        return game.merge('mate', user.id)
      },
    },
    {
      code: 530017,
      error: 5000,
      way: 'a merge while the linked account is banned',
      async run(game) {
        await game.merge('cap', 'linus')
        await control('ban', { user: 'linus' })
        return game.merge('cap', 'ada')
      },
      after: () => control('unban', { user: 'linus' }),
    },
    {
      code: 530023,
      error: 5000,
      way: 'a second identity for an account that has one',
      async run(game) {
        await game.merge('cap', 'ada')
        return game.merge('mate', 'ada')
      },
    },
  ]

  test('no code of the rows is left out', () => {
    expect(CASES.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual(CODES)
  })

  test.each(CASES)(
    '$code by $way: error $error, HTTP status and code kept, no token repeated',
    async ({ code, error, applicationId, run, after }) => {
      const game = await player(applicationId)
      const failure: unknown = await run(game).catch((refusal: unknown) => refusal)
      await after?.()
      await game.client.close()
      if (!(failure instanceof CallError)) throw new Error(`not refused: ${JSON.stringify(failure)}`)
      expect(failure).toMatchObject({ code: error, data: { http_status: 400, platform_code: code } })
      expect(failure.message).toMatch(/^[A-Z].{20,}/)
      expect(JSON.stringify([failure.message, failure.data])).not.toContain('sandbox-external-')
    },
  )

  test.each(CODES)('%i on demand at the token endpoint reaches the game as well', async (code) => {
    await control('faults', {
      match: { method: 'POST', path: '/oauth2/token' },
      status: 400,
      body: JSON.stringify({ code, message: 'on demand' }),
    })
    const game = await player()
    const failure: unknown = await game.merge('cap', 'ada').catch((refusal: unknown) => refusal)
    await game.client.close()
    expect(failure).toMatchObject({ data: { http_status: 400, platform_code: code } })
  })
})
