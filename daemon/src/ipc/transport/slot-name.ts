/**
 * The slot of a socket: a name that is linked to its file. A bind at the name would also do, but then the name could not change, and libuv would
 * remove the file with that name when the socket closes, also another server's. A link never replaces the name of another socket.
 */
import { linkSync } from 'node:fs'
import { claimSlot, isCleared, isLaterSlot, locked, type SlotLocation, slotPath } from './address.ts'
import { addName, isNamed, removeName, socketFileAt } from './socket-name.ts'

/**
 * A server that ends may remove its name twice: by itself, and once more when its library closes the socket. In between, the name can be ours
 * already. So both names stay for so long.
 */
const SETTLE_MS = 1_000

export type BeforeNamed = (path: string) => Promise<void>

export class SlotName {
  readonly #place: SlotLocation
  readonly #file: ReturnType<typeof socketFileAt>
  /** A further name of the socket, which only this daemon knows: while it exists, no other file has the number of the socket. */
  pin: string | undefined
  #path: string
  #report: (path: string) => void = () => {}

  private constructor(place: SlotLocation, file: ReturnType<typeof socketFileAt>, path: string) {
    this.#place = place
    this.#file = file
    this.#path = path
  }

  /**
   * Names the socket at `from` in the first free slot, or keeps the name that it has there. `beforeNamed` is awaited with each name that the socket is
   * about to get. Rejects as `claimSlot`.
   */
  static async claim(location: SlotLocation, from: string, beforeNamed: BeforeNamed = async () => {}): Promise<SlotName> {
    const file = socketFileAt(from)
    const place: SlotLocation = { ...location, isOwn: (path) => isNamed(path, file) }
    const first = slotPath(place, 0)
    // The socket unit has named it, as it does unless another program has the slot.
    if (isNamed(first, file)) return new SlotName(place, file, first)
    const { path } = await claimSlot(place, async (at) => {
      if (isNamed(at, file)) return
      await beforeNamed(at)
      linkSync(from, at)
    })
    return new SlotName(place, file, path)
  }

  get path(): string {
    return this.#path
  }

  /** Calls `report` with the name, and with each later one before the socket has it. */
  onNamed(report: (path: string) => void): void {
    this.#report = report
    report(this.#path)
  }

  get isFirst(): boolean {
    return !isLaterSlot(this.#path)
  }

  get firstPath(): string {
    return slotPath(this.#place, 0)
  }

  /**
   * Takes the first slot if no server listens there, and gives up the later one; `onTaken` is called before that. Resolves to whether the socket
   * has the first slot. It keeps the later one when its new name is gone a second later. Rejects with SERVICE_UNAVAILABLE if the folder cannot be
   * used.
   */
  async takeFirst(onTaken: () => void): Promise<boolean> {
    const first = this.firstPath
    const unlock = await locked(this.#place.directory)
    this.#report(first)
    try {
      if (!(await isCleared(first)) || !addName(this.#path, first)) return false
    } finally {
      unlock()
    }
    await new Promise<void>((resolve) => void setTimeout(resolve, SETTLE_MS).unref())
    if (!isNamed(first, this.#file)) return false
    const later = this.#path
    this.#path = first
    onTaken()
    removeName(later, this.#file)
    return true
  }

  /** Does nothing if another program has replaced it. */
  remove(): void {
    for (const path of new Set([this.#path, this.firstPath])) removeName(path, this.#file)
    if (this.pin !== undefined) removeName(this.pin, this.#file)
  }
}
