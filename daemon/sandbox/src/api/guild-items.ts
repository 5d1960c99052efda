/** Items that members create in a guild, such as emoji: list, get, create, modify, delete, with permissions, a limit and the audit log. */
import type { AuditLogEventName, PermissionName } from '@sallyport/protocol'
import { PlatformError, type PlatformErrorName } from '../platform-error.ts'
import type { Collection } from '../store/collection.ts'
import type { GuildItem } from '../store/guild-item-records.ts'
import type { Store } from '../store/store.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import type { Operation } from './handlers.ts'
import { guildPermissions, holds } from './permissions.ts'

interface GuildItemKind<Item extends GuildItem> {
  readonly collection: (store: Store) => Collection<Item>
  readonly unknown: PlatformErrorName
  /** For creating an item, and for changing one's own. */
  readonly createPermission: PermissionName
  /** For changing any item. */
  readonly managePermission: PermissionName
  /** Throws when the guild has no room for another item. */
  readonly checkRoom: (others: readonly Item[], item: Item) => void
  /** The audit log event of a creation; those of a change and a deletion have the same prefix. */
  readonly audit: 'EMOJI' | 'STICKER' | 'GUILD_SCHEDULED_EVENT'
}

type Reason = string | undefined

export class GuildItems<Item extends GuildItem> {
  readonly #kind: GuildItemKind<Item>

  constructor(kind: GuildItemKind<Item>) {
    this.#kind = kind
  }

  list(operation: Operation, guildId: string): Item[] {
    return this.#items(operation).group(guildFor(operation, guildId).id)
  }

  get(operation: Operation, guildId: string, id: string): Item {
    const item = this.list(operation, guildId).find((one) => one.id === id)
    if (item === undefined) throw new PlatformError(this.#kind.unknown)
    return item
  }

  create(operation: Operation, guildId: string, values: Omit<Item, keyof GuildItem>, reason: Reason): Item {
    const guild = guildFor(operation, guildId, this.#kind.createPermission)
    // The three fields of every item complete the values.
    const item = { id: operation.platform.ids.next(), guildId: guild.id, creatorId: operation.caller.id, ...values } as Item
    this.#kind.checkRoom(this.list(operation, guildId), item)
    return this.#store(operation, item, `${this.#kind.audit}_CREATE`, reason)
  }

  modify(operation: Operation, guildId: string, id: string, change: (item: Item) => Item, reason: Reason): Item {
    return this.#store(operation, change(this.#changeable(operation, guildId, id)), `${this.#kind.audit}_UPDATE`, reason)
  }

  delete(operation: Operation, guildId: string, id: string, reason: Reason): null {
    const item = this.#changeable(operation, guildId, id)
    const event = `${this.#kind.audit}_DELETE` as const
    operation.platform.store.commit([
      this.#items(operation).delete(item.id),
      ...auditWrites(operation, guildId, { event, targetId: item.id, reason }),
    ])
    return null
  }

  #items({ platform }: Operation): Collection<Item> {
    return this.#kind.collection(platform.store)
  }

  #changeable(operation: Operation, guildId: string, id: string): Item {
    const item = this.get(operation, guildId, id)
    const bits = guildPermissions(operation.platform, guildFor(operation, guildId), operation.caller)
    const isOwn = item.creatorId === operation.caller.id
    if (!holds(bits, this.#kind.managePermission) && !(isOwn && holds(bits, this.#kind.createPermission)))
      throw new PlatformError('missingPermissions')
    return item
  }

  #store(operation: Operation, item: Item, event: AuditLogEventName, reason: Reason): Item {
    const { store } = operation.platform
    store.commit([this.#items(operation).put(item.id, item), ...auditWrites(operation, item.guildId, { event, targetId: item.id, reason })])
    return item
  }
}
