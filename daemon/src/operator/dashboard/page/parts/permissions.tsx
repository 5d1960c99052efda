/** Permissions in words, with the technical name behind; in a prompt and for a grant they can be chosen one by one. */
import { useId } from 'preact/hooks'
import { permissionText } from '../words.ts'
import { Code } from './text.tsx'

/** A sign-in needs the user's name. */
const NEEDED = 'identify'

interface PermissionsProps {
  readonly parts: readonly string[]
  readonly denied: ReadonlySet<string>
  /** Absent: they cannot be chosen. */
  readonly onChange?: (denied: ReadonlySet<string>) => void
  readonly isReady?: boolean
}

export function Permissions({ parts, denied, onChange, isReady = true }: PermissionsProps) {
  const base = useId()
  const turn = (scope: string): void => {
    const next = new Set(denied)
    if (!next.delete(scope)) next.add(scope)
    onChange?.(next)
  }
  return (
    <ul class="permissions">
      {parts.map((scope) => (
        <li key={scope}>
          {onChange === undefined ? (
            <span class={denied.has(scope) ? 'denied' : ''}>
              {denied.has(scope) ? 'not: ' : ''}
              {permissionText(scope)} <Code text={scope} />
            </span>
          ) : (
            <>
              <input
                type="checkbox"
                id={`${base}-${scope}`}
                checked={!denied.has(scope)}
                disabled={!isReady || scope === NEEDED}
                onChange={() => turn(scope)}
              />
              <label for={`${base}-${scope}`}>
                {permissionText(scope)} <Code text={scope} />
              </label>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
