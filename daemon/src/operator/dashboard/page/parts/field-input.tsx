/** One argument of a call, as its schema wants it. */
import type { ArgumentField } from '../argument-fields.ts'

interface FieldInputProps {
  readonly field: ArgumentField
  readonly text: string
  /** A sentence. */
  readonly problem: string | undefined
  readonly onInput: (text: string) => void
}

const JSON_ROWS = 2

export function FieldInput({ field: { name, kind, choices, hint, isRequired, isSecret }, text, problem, onInput }: FieldInputProps) {
  // The page has one form. Ids that the library makes are not unique in it.
  const id = `argument-${name}`
  const common = {
    id,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired,
  }
  const input = (event: { readonly currentTarget: { readonly value: string } }): void => onInput(event.currentTarget.value)
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {isRequired ? ' (required)' : ''}
      </label>
      {kind === 'choice' ? (
        <select {...common} value={text} onChange={input}>
          <option value="" />
          {[...choices.keys()].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : kind === 'json' && !isSecret ? (
        <textarea {...common} rows={JSON_ROWS} spellcheck={false} value={text} onInput={input} />
      ) : (
        <input
          {...common}
          {...(isSecret ? ({ type: 'password' } as const) : { inputMode: kind === 'integer' ? 'numeric' : 'text' })}
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={input}
        />
      )}
      <span id={`${id}-hint`} class="soft">
        {problem !== undefined && <b>{problem} </b>}
        {hint}
      </span>
    </div>
  )
}
