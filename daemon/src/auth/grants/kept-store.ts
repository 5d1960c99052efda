/**
 * The store of grants that the bridge uses: it goes on when a file is damaged or cannot be read, and loses no refusal. A damaged list is set aside. One
 * that cannot be read now stays as it is, and grants are then kept in memory only. Both lists of refusals count.
 */
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import { Renewable } from '@sallyport/core/storage/renewable'
import { isInUse } from '@sallyport/core/storage/sqlite'
import type { Grant, GrantStore } from './grant.ts'
import { keyOf, SecondList } from './second-list.ts'
import { openGrantStore } from './store.ts'
import { isBlocked, isChoice, isGrant } from './terms.ts'

interface KeptStoreDeps {
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside' | 'notRead' | 'report'>
  /** Pauses presence also after a restart, because hidden games may be among what a damaged file lost. */
  readonly pauseForGood: () => void
}

interface KeptStore extends GrantStore {
  /** Whether no file says which games are hidden. */
  areChoicesLost(): boolean
  close(): void
}

/** Another process writes to the file, or an older program would misread it: going on would change what is not ours. */
const isFatal = (failure: unknown): boolean => failure instanceof NewerDataError || isInUse(failure)

/** What is left of a row that only the second list has. A hidden game gets no right back. */
const restored = (choice: Grant): Grant => (isGrant(choice) ? { ...choice, basis: 'token', scopes: [] } : choice)

/** The stricter of both. */
function merged(row: Grant | undefined, choice: Grant): Grant {
  if (row === undefined || isBlocked(choice)) return restored(choice)
  return isChoice(row) ? row : { ...row, presence: choice.presence, places: choice.places }
}

/** After an error the user may choose otherwise, and the second list must not bring back what failed. */
function orUndo(work: () => void, undo: () => void): void {
  try {
    work()
  } catch (failure) {
    try {
      undo()
    } catch {
      // The disk refuses this too; the user learns of the first failure.
    }
    throw failure
  }
}

/** Throws SERVICE_UNAVAILABLE when another process has the list, and NewerDataError. */
export function openKeptStore({ health, pauseForGood }: KeptStoreDeps): KeptStore {
  const rows = new Map<string, Grant>()
  const second = new SecondList(health)
  let areLost = false
  /** Undefined while the list of grants cannot be read. */
  let list: Renewable<ReturnType<typeof openGrantStore>> | undefined = new Renewable({
    open: () => openGrantStore(health.pathOf('grants.sqlite')),
    setAside(reason) {
      if (!second.isKnown && rows.size === 0) lost(true)
      health.setAside('grants.sqlite', reason)
    },
    refill: (table) => rows.forEach((grant) => table.put(grant)),
  })

  function lost(isForGood: boolean): void {
    health.report({
      name: 'choices.json',
      kind: 'lost',
      message:
        'The bridge cannot read which games you hid, where you chose to show games, and which programs you blocked, so presence is paused.',
      advice: 'Choose again with sallyport games, then resume presence with: sallyport presence resume',
    })
    areLost = true
    if (isForGood) pauseForGood()
  }

  function loaded(platform: string): readonly Grant[] {
    try {
      return list?.use((table) => table.load(platform)) ?? []
    } catch (failure) {
      if (isFatal(failure)) throw failure
      list = undefined
      health.notRead('grants.sqlite', failure)
      if (!second.isKnown) lost(false)
      return []
    }
  }

  return {
    load(platform) {
      const isDamaged = second.read() === 'damaged'
      for (const grant of loaded(platform)) rows.set(keyOf(grant), grant)
      for (const choice of second.of(platform)) {
        const before = rows.get(keyOf(choice))
        const after = merged(before, choice)
        if (after !== before) list?.use((table) => table.put(after))
        rows.set(keyOf(choice), after)
      }
      if (isDamaged && rows.size === 0) lost(true)
      second.adopt([...rows.values()], list !== undefined)
      return [...rows.values()]
    },
    put(grant) {
      const before = rows.get(keyOf(grant))
      second.put(grant)
      orUndo(
        () => list?.use((table) => table.put(grant)),
        () => (before === undefined ? second.remove([grant]) : second.put(before)),
      )
      rows.set(keyOf(grant), grant)
    },
    remove(ids) {
      const gone = [...rows.values()].filter(({ id }) => ids.includes(id))
      second.remove(gone)
      orUndo(
        () => list?.use((table) => table.remove(ids)),
        () => gone.forEach((grant) => second.put(grant)),
      )
      for (const grant of gone) rows.delete(keyOf(grant))
    },
    areChoicesLost: () => areLost,
    close: () => list?.close(),
  }
}
