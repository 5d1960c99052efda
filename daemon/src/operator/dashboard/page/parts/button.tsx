/** Buttons that send an action to the daemon. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'

interface ButtonProps {
  readonly children: ComponentChildren
  /** The address of the action. */
  readonly path: string
  readonly scopes?: readonly string[]
  readonly places?: readonly string[]
  readonly look?: 'plain' | 'yes' | 'no'
  /** Whether it can be pressed now. */
  readonly isReady?: boolean
  /** What it is about, for a reader that hears the button alone. */
  readonly about?: string
}

export function ActionButton({ children, path, scopes, places, look = 'plain', isReady = true, about }: ButtonProps) {
  const { act, isLive } = useDashboard()
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    setBusy(true)
    await act(path, { scopes, places })
    setBusy(false)
  }
  return (
    <button type="button" class={look} disabled={!isLive || !isReady || isBusy} aria-describedby={about} onClick={() => void press()}>
      {children}
    </button>
  )
}

interface ConfirmProps extends ButtonProps {
  /** What happens, as a sentence. */
  readonly question: string
}

/** A button for what cannot be taken back at once: it asks in its place first. */
export function ConfirmButton({ question, children, ...props }: ConfirmProps) {
  const { isLive } = useDashboard()
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button type="button" disabled={!isLive || props.isReady === false} aria-describedby={props.about} onClick={() => setAsking(true)}>
        {children}…
      </button>
    )
  return (
    <span class="confirm" role="group" aria-label={question}>
      <span>{question}</span>
      <ActionButton {...props} look="no">
        {children}
      </ActionButton>
      <button type="button" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  )
}
