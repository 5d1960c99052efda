/** Where activities are shown, and the choice of the user: for one game, or for every game. */
import type { BridgeState } from '@sallyport/protocol'
import { placeText, placesText } from '@sallyport/core/known-games'
import { useId, useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'
import { ActionButton } from './button.tsx'
import { Name } from './text.tsx'

interface PlacesProps {
  /** Of a program, of its connection, or `all`. */
  readonly id: string
  /** What the user chose; undefined: nothing. */
  readonly chosen: BridgeState['chosen_places']
  /** What holds without a choice. */
  readonly unset: string
  /** What it is about, for a reader that hears the control alone. */
  readonly about: string
  readonly isSettled: boolean
}

export function Places({ id, chosen, unset, about, isSettled }: PlacesProps) {
  const { places } = useDashboard()
  const base = useId()
  const [changed, setChanged] = useState<readonly string[]>()
  const now = changed ?? chosen ?? []
  const isChanged = changed !== undefined && changed.toSorted().join() !== (chosen ?? []).toSorted().join()
  const turn = (place: string): void => setChanged(now.includes(place) ? now.filter((one) => one !== place) : [...now, place])
  if (places.length === 0) return null
  const path = `/api/programs/${id}/choose-places`
  return (
    <details class="places">
      <summary>
        Show on: <Name text={chosen === undefined ? unset : placesText(chosen, places)} />
      </summary>
      <fieldset>
        <legend>Show {about} only on</legend>
        <ul class="permissions">
          {places.map((place) => (
            <li key={place.id}>
              <input
                type="checkbox"
                id={`${base}-${place.id}`}
                checked={now.includes(place.id)}
                disabled={!isSettled}
                onChange={() => turn(place.id)}
              />
              <label for={`${base}-${place.id}`}>
                <Name text={placeText(place)} />
              </label>
            </li>
          ))}
        </ul>
        <div class="acts">
          <ActionButton path={path} places={now} isReady={isSettled && isChanged && now.length > 0}>
            Save the choice
          </ActionButton>
          {chosen !== undefined && (
            <ActionButton path={path} isReady={isSettled}>
              Take the choice back
            </ActionButton>
          )}
        </div>
      </fieldset>
    </details>
  )
}
