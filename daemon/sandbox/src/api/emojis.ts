/** Emoji of applications. */
import { type Emoji, LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, rememberApplication } from '../platform.ts'
import type { StoredEmoji } from '../store/guild-application-records.ts'
import { checkOwnApplication } from './access.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { isAnimated } from './images.ts'
import { botView } from './user-view.ts'

const listApplicationEmojis: Handler<'LIST_APPLICATION_EMOJIS'> = ({ application_id }, operation) => {
  checkOwnApplication(operation, application_id)
  return { items: operation.platform.store.emojis.group(application_id).map((emoji) => emojiView(operation, emoji)) }
}

const getApplicationEmoji: Handler<'GET_APPLICATION_EMOJI'> = (args, operation) => emojiView(operation, emojiOf(args, operation))

const createApplicationEmoji: Handler<'CREATE_APPLICATION_EMOJI'> = ({ application_id, name, image }, operation) => {
  checkOwnApplication(operation, application_id)
  const { store, ids } = operation.platform
  if (store.emojis.group(application_id).length >= LIMITS.applicationEmoji.value) throw new PlatformError('tooManyEmoji')
  const emoji = { id: ids.next(), applicationId: application_id, name, animated: isAnimated(image) }
  store.commit([...rememberApplication(operation.platform, application_id), store.emojis.put(emoji.id, emoji)])
  return emojiView(operation, emoji)
}

const modifyApplicationEmoji: Handler<'MODIFY_APPLICATION_EMOJI'> = ({ name, ...ids }, operation) => {
  const { store } = operation.platform
  const before = emojiOf(ids, operation)
  const after = { ...before, name: name ?? before.name }
  store.commit([store.emojis.put(after.id, after)])
  return emojiView(operation, after)
}

const deleteApplicationEmoji: Handler<'DELETE_APPLICATION_EMOJI'> = (args, operation) => {
  const { store } = operation.platform
  store.commit([store.emojis.delete(emojiOf(args, operation).id)])
  return null
}

function emojiOf(
  { application_id, emoji_id }: { readonly application_id: string; readonly emoji_id: string },
  operation: Operation,
): StoredEmoji {
  checkOwnApplication(operation, application_id)
  const emoji = operation.platform.store.emojis.get(emoji_id)
  if (emoji === undefined || emoji.applicationId !== application_id) throw new PlatformError('unknownEmoji')
  return emoji
}

const emojiView = ({ platform }: Operation, { id, applicationId, name, animated }: StoredEmoji): Emoji => ({
  id,
  name,
  animated,
  user: botView(applicationOf(platform, applicationId)),
  roles: [],
  require_colons: true,
  managed: false,
  available: true,
})

export const emojiHandlers = {
  CREATE_APPLICATION_EMOJI: createApplicationEmoji,
  DELETE_APPLICATION_EMOJI: deleteApplicationEmoji,
  GET_APPLICATION_EMOJI: getApplicationEmoji,
  LIST_APPLICATION_EMOJIS: listApplicationEmojis,
  MODIFY_APPLICATION_EMOJI: modifyApplicationEmoji,
} satisfies Partial<Handlers>
