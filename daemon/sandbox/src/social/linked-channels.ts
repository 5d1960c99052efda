/** A lobby and the channel that is linked to it carry the messages of each other: what users write, change and delete in one is in the other. */
import { historyOf } from '../api/lobby-lifecycle.ts'
import { newMessage } from '../api/new-message.ts'
import type { Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import { messageChange } from '../store/message-change.ts'
import type { StoredChannelMessage, StoredMessage } from '../store/records.ts'
import type { Change } from '../store/store.ts'

/** Copies what the changes did to original messages. Copies are not copied again. */
export function copyLinkedMessages(platform: Platform, changes: readonly Change[]): void {
  const { store } = platform
  store.commit(
    changes.flatMap(({ kind, before, after }) => {
      // A document has the type of its kind.
      if (kind === store.messages.kind)
        return toChannel(platform, { before: before as StoredMessage | undefined, after: after as StoredMessage | undefined, all: changes })
      if (kind === store.channelMessages.kind)
        return toLobbies(platform, {
          before: before as StoredChannelMessage | undefined,
          after: after as StoredChannelMessage | undefined,
          all: changes,
        })
      return []
    }),
  )
}

interface MessageStep<Stored> {
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  readonly all: readonly Change[]
}

function toChannel(platform: Platform, step: MessageStep<StoredMessage>): readonly Write[] {
  const { store, clock } = platform
  const message = step.after ?? step.before
  const change = messageChange(store.messages.kind, step)
  const channelId = store.lobbies.get(message?.lobbyId ?? '')?.linkedChannelId
  if (message === undefined || change === undefined || message.copyOf !== undefined) return []
  if (channelId === undefined || store.channels.get(channelId) === undefined) return []
  const { id, authorId, applicationId, content } = message
  if (change === 'CREATE') {
    const copy = { ...newMessage(platform, { channelId, applicationId: authorId }, { content }), applicationId, copyOf: id }
    return [store.channelMessages.put(copy.id, copy)]
  }
  return store.channelMessages
    .group(channelId)
    .filter(({ copyOf }) => copyOf === id)
    .map((copy) =>
      change === 'DELETE'
        ? store.channelMessages.delete(copy.id)
        : store.channelMessages.put(copy.id, { ...copy, content, editedAt: clock.now() }),
    )
}

function toLobbies(platform: Platform, step: MessageStep<StoredChannelMessage>): readonly Write[] {
  const { store } = platform
  const message = step.after ?? step.before
  const change = messageChange(store.channelMessages.kind, step)
  if (message === undefined || change === undefined || message.copyOf !== undefined) return []
  // A bot's message stays in the channel.
  if (store.users.get(message.authorId) === undefined || message.content === '') return []
  return store.lobbies
    .all()
    .filter(({ linkedChannelId }) => linkedChannelId === message.channelId)
    .flatMap(({ id: lobbyId, applicationId }) => toLobby(platform, { lobbyId, applicationId, message, change }))
}

interface LobbyCopy {
  readonly lobbyId: string
  readonly applicationId: string
  readonly message: StoredChannelMessage
  readonly change: NonNullable<ReturnType<typeof messageChange>>
}

function toLobby({ store, ids, clock }: Platform, { lobbyId, applicationId, message, change }: LobbyCopy): readonly Write[] {
  const { id: copyOf, authorId, content } = message
  const inLobby = store.messages.group(lobbyId)
  if (change === 'CREATE') {
    const copy: StoredMessage = { id: ids.next(), lobbyId, applicationId, authorId, content, metadata: null, flags: 0, copyOf }
    const { lapsed } = historyOf([...inLobby, copy], clock.now())
    return [store.messages.put(copy.id, copy), ...lapsed.map(({ id }) => store.messages.delete(id))]
  }
  return inLobby
    .filter((one) => one.copyOf === copyOf)
    .map((copy) =>
      change === 'DELETE' ? store.messages.delete(copy.id) : store.messages.put(copy.id, { ...copy, content, editedAt: clock.now() }),
    )
}
