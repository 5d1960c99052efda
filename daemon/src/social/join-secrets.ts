/** Fetches a join secret from the platform as an account, without a call of a game. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import type { ApiClient } from '../sessions/api-client.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { GameInvitesDeps } from './game-invites.ts'

interface JoinSecretDeps {
  readonly registry: Pick<SessionRegistry, 'signedInAs'>
  readonly api: Pick<ApiClient, 'asSession' | 'asAccount'>
  /** The system user whose tokens are stored. */
  readonly uid: number | undefined
}

/** Uses the token of a connected game, else the stored one: the user may accept an invite while no game runs. */
export const joinSecretFetcher =
  ({ registry, api, uid }: JoinSecretDeps): GameInvitesDeps['fetchSecret'] =>
  async (account, target) => {
    const row = ENDPOINTS.GET_ACTIVITY_SECRET
    const query = {
      user_id: target.userId,
      session_id: target.sessionId,
      application_id: target.applicationId,
      action: '1',
      channel_id: target.channelId,
      message_id: target.messageId,
    }
    const game = registry.signedInAs(account).find(({ signedIn }) => signedIn?.isManaged === false)
    // Detached, because the invite is accepted even if the game ends meanwhile.
    const answer = await (game === undefined ? api.asAccount({ ...account, uid }, row, query) : api.asSession(game.detached(), row, query))
    return new Secret((answer as DataOf<'GET_ACTIVITY_SECRET'>).secret)
  }
