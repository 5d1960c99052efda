/** Opens the sockets for games: inherited descriptors if there are any, otherwise the first free slot. Connections wait until they are served. */
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import type { Closer } from '@sallyport/core/closer'
import { HeldServer } from '@sallyport/core/net/held-server'
import { once } from '@sallyport/core/once'
import { boundPath } from '@sallyport/core/os/bound-path'
import { WINE_SOCKET_PREFIX, wineSocketName } from '@sallyport/core/platform-names'
import { openPrivateFolder, openSocketFolder, ownUid } from '@sallyport/core/storage/safe-folder'
import { privateFolderName } from '@sallyport/protocol/wire'
import { claimSlot, clearSlot, folderError, isCleared, openSlotFolder, type SlotLocation } from './address.ts'
import type { FirstSlotWatch } from './first-slot.ts'
import { assertListeners, inheritedDescriptors } from './inherited.ts'
import { peerIdentifier } from './peer-identity.ts'
import { type BeforeNamed, SlotName } from './slot-name.ts'
import { addName, isNamed, ownName, socketFileAt } from './socket-name.ts'
import type { PeerIdentity } from './transport.ts'

interface LocalSocketOptions {
  readonly directory: string
  readonly ipcPrefix: string
  /** Whether to listen also in a private directory when other users can write to `directory`. */
  readonly hasPrivateFolder: boolean
  /** A game connected; see `HeldServer`. */
  readonly onNeeded: () => void
}

/** Binds with a umask that lets only this user open the socket, from its creation on. */
function underTightUmask<T>(bind: () => T): T {
  const before = process.umask(0o177)
  try {
    return bind()
  } finally {
    process.umask(before)
  }
}

/** A socket, and its address for display. */
export interface LocalSocket {
  /** Changes when the socket takes the first slot. */
  readonly address: string
  readonly held: HeldServer<PeerIdentity>
}

export interface BoundSlot extends LocalSocket {
  readonly close: Closer
  /** Undefined for a socket that has no name of ours, or none that can change. */
  readonly name?: SlotName | undefined
}

export interface LocalSockets {
  /** The first is the one that all games try. */
  readonly sockets: readonly LocalSocket[]
  /** The address for our own clients; undefined if its path is unknown. */
  readonly ownAddress: string | undefined
  /** Whether a service manager opened the sockets. */
  readonly isActivated: boolean
  /** Present while another server has the first slot: takes it as soon as that is gone. */
  readonly awaitFirstSlot: ((onTaken: () => void) => Promise<FirstSlotWatch>) | undefined
  /** The names in slots that end with this daemon: without a service manager, which goes on listening, all of them. */
  readonly names: readonly SlotName[]
  /** The socket for pipe bridges of Wine prefixes, beside the slot of `ownAddress`; undefined where there is no Wine. Called once. */
  readonly openForWine: () => Promise<BoundSlot | undefined>
  /** Opens one more socket, in the first free slot of another folder. Rejects as `openLocalSockets`. */
  readonly openIn: (folder: string) => Promise<BoundSlot>
  /** Loads what identifies the peers, unless a connection did. Throws SERVICE_UNAVAILABLE where the bridge must not run without it. */
  readonly preparePeers: () => void
  /** Closes the sockets and removes their files. */
  readonly close: Closer
}

type Listen = (at: { readonly path: string } | { readonly fd: number }) => Promise<HeldServer<PeerIdentity>>

/** A socket with a slot. Without a name that can change, it stays where it is. */
interface Slot extends BoundSlot {
  readonly name: SlotName | undefined
}

/** Rejects with SERVICE_UNAVAILABLE if no slot is free, the folder is not safe, or an inherited descriptor is no socket for games. */
export async function openLocalSockets({ directory, ipcPrefix, hasPrivateFolder, onNeeded }: LocalSocketOptions): Promise<LocalSockets> {
  const identifier = once(() => peerIdentifier())
  const options = { identify: (socket: Socket) => identifier()(socket), release: (peer: PeerIdentity) => peer.process?.release(), onNeeded }
  const listen: Listen = (at) => HeldServer.listen(at, options, underTightUmask)
  const inherited = inheritedDescriptors(process.env, process.pid)
  const preparePeers = () => void identifier()
  const { platform } = process
  const openSlot = (folder: string, beforeNamed?: BeforeNamed) =>
    openSlotIn({ directory: folder, ipcPrefix, platform }, listen, beforeNamed)
  assertListeners(inherited)
  if (inherited.length > 0) {
    return { ...(await listenOnInherited(inherited, { directory, ipcPrefix, platform }, listen)), openIn: openSlot, preparePeers }
  }
  const folders = platform === 'win32' ? [directory] : foldersOf(directory, hasPrivateFolder)
  const opened: Slot[] = []
  const forWine = new WineSocket(listen)
  const close = async () => void (await Promise.all([forWine, ...opened].map((one) => one.close())))
  try {
    for (const folder of folders)
      opened.push(await openSlot(folder, folder === folders[0] ? (path) => forWine.openBeside(path) : undefined))
  } catch (failure) {
    await close()
    throw failure
  }
  const [own] = opened
  return {
    sockets: opened.toReversed(),
    get ownAddress() {
      return own?.address
    },
    isActivated: false,
    awaitFirstSlot: firstSlotOf(opened.at(-1)?.name),
    names: opened.flatMap(({ name }) => name ?? []),
    openForWine: () => forWine.opened,
    openIn: openSlot,
    preparePeers,
    close,
  }
}

/** Undefined for a socket that has the first slot, and for one that cannot change its name. */
function firstSlotOf(name: SlotName | undefined): LocalSockets['awaitFirstSlot'] {
  if (name === undefined || name.isFirst) return undefined
  return async (onTaken) => {
    const { FirstSlotWatch: Watch } = await import('./first-slot.ts')
    return new Watch(name.firstPath, () => name.takeFirst(onTaken))
  }
}

/** Systems and file systems without links to sockets. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** Listens at a name of its own, and then takes a slot for it. */
async function openSlotIn(place: SlotLocation, listen: Listen, beforeNamed?: BeforeNamed): Promise<Slot> {
  const bindSlot = async (): Promise<Slot> => {
    const { path, bound: held } = await claimSlot(place, async (at) => {
      await beforeNamed?.(at)
      return listen({ path: at })
    })
    return { address: path, held, name: undefined, close: () => held.close() }
  }
  if (place.platform === 'win32') return bindSlot()
  const from = ownName(place.directory)
  const held = await listen({ path: from }).catch((failure: unknown) => {
    throw folderError(place.directory, failure)
  })
  try {
    const name = await SlotName.claim(place, from, beforeNamed)
    name.pin = from
    const close = async (): Promise<void> => {
      await held.close()
      name.remove()
    }
    return namedSlot(name, held, close)
  } catch (failure) {
    await held.close()
    rmSync(from, { force: true })
    const cause = (failure as Error).cause as NodeJS.ErrnoException | undefined
    if (NO_LINKS.includes(cause?.code)) return bindSlot()
    throw failure
  }
}

const namedSlot = (name: SlotName, held: BoundSlot['held'], close: Closer): Slot => ({
  get address() {
    return name.path
  },
  held,
  name,
  close,
})

/**
 * Listens before its slot has a name: a pipe bridge that finds the slot alone takes it, and the daemon does not know which Windows program calls. Where
 * it cannot be opened, the slot is opened all the same.
 */
class WineSocket {
  readonly #listen: Listen
  #opened: Promise<BoundSlot | undefined> = Promise.resolve(undefined)

  constructor(listen: Listen) {
    this.#listen = listen
  }

  /** Rejects if it could not be opened. */
  get opened(): Promise<BoundSlot | undefined> {
    return this.#opened
  }

  /** Replaces an earlier one: another server took that slot meanwhile. */
  async openBeside(slot: string): Promise<void> {
    await this.close()
    this.#opened = openForWine(slot, this.#listen)
    await this.#opened.catch(() => {})
  }

  async close(): Promise<void> {
    const opened = await this.#opened.catch(() => undefined)
    await opened?.close()
  }
}

/** Its name belongs to the daemon that has the slot. Rejects with the system error, and if another server still listens. */
async function openForWine(slot: string | undefined, listen: Listen): Promise<BoundSlot | undefined> {
  if (slot === undefined || process.platform !== 'linux') return undefined
  const path = join(dirname(slot), wineSocketName(basename(slot)))
  await clearSlot(path)
  const held = await listen({ path })
  return { address: path, held, close: () => held.close() }
}

/** Directories in bind order. The private socket exists before the well-known one appears. */
function foldersOf(directory: string, hasPrivateFolder: boolean): readonly string[] {
  const isShared = openSlotFolder(directory, openSocketFolder) === 'shared'
  if (!isShared || !hasPrivateFolder || ownUid === undefined) return [directory]
  const own = join(directory, privateFolderName(ownUid))
  openSlotFolder(own, openPrivateFolder)
  return [own, directory]
}

type Inherited = Slot & { readonly path: string | undefined }

/**
 * Sockets that listen in a slot have it. Those of our socket unit listen beside the slots, and need the name of one. What cannot be named is
 * served all the same: the service manager knows where it is.
 */
async function inheritedSlot(fd: number, place: SlotLocation, listen: Listen): Promise<Inherited> {
  const held = await listen({ fd })
  const path = boundPath(fd)
  const close = () => held.close()
  const unnamed = { address: path ?? `fd:${fd}`, held, name: undefined, path, close }
  if (path === undefined || isForWine(path) || dirname(path) === resolve(place.directory)) return unnamed
  try {
    openSlotFolder(place.directory, openSocketFolder)
    return Object.assign(namedSlot(await SlotName.claim(place, path), held, close), { path })
  } catch {
    return unnamed
  }
}

const isForWine = (path: string): boolean => basename(path).startsWith(WINE_SOCKET_PREFIX)

async function listenOnInherited(
  descriptors: readonly number[],
  place: SlotLocation,
  listen: Listen,
): Promise<Omit<LocalSockets, 'openIn' | 'preparePeers'>> {
  const opened = await Promise.all(descriptors.map((fd) => inheritedSlot(fd, place, listen)))
  const sockets = opened.filter(({ path }) => path === undefined || !isForWine(path))
  const forWine = opened.find(({ path }) => path !== undefined && isForWine(path))
  const [ownAddress] = sockets.flatMap(({ path }) => path ?? [])
  const [slot] = sockets
  return {
    sockets,
    ownAddress,
    isActivated: true,
    awaitFirstSlot: firstSlotOf(slot?.name),
    names: [],
    openForWine: async () => {
      if (forWine?.path === undefined) return openForWine(ownAddress, listen)
      if (slot?.name !== undefined) await nameForWine(forWine.path, slot.name)
      return forWine
    },
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  }
}

/** Beside the slot, where pipe bridges search. Another daemon of this user may have the name; then its Windows games stay there. */
async function nameForWine(path: string, slot: SlotName): Promise<void> {
  const name = join(dirname(slot.path), wineSocketName(basename(slot.path)))
  if (!isNamed(name, socketFileAt(path)) && (await isCleared(name))) addName(path, name)
}
