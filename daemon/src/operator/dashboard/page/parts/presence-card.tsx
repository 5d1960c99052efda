/** An activity as others see it, and what the user can do about that. */
import type { BridgeState } from '@sallyport/protocol'
import { useApplication, useDashboard } from '../context.ts'
import { placesText } from '@sallyport/core/known-games'
import { clockText, KINDS } from '../words.ts'
import { ActionButton } from './button.tsx'
import { Picture } from './picture.tsx'
import { Places } from './places.tsx'
import { ExternalLink, Name } from './text.tsx'

type Presence = BridgeState['presences'][number]

function timeOf({ started_at: startedAt, ends_at: endsAt }: Presence, now: number): string | undefined {
  if (endsAt !== undefined) return `${clockText(endsAt - now)} left`
  return startedAt === undefined ? undefined : `${clockText(now - startedAt)} elapsed`
}

const STATUS = {
  hidden: 'You hid it: others do not see it.',
  'hidden-now': 'You hid it for now: others do not see it.',
} as const

interface PresenceProps {
  readonly presence: Presence
  readonly isPaused: boolean
  readonly isSettled: boolean
}

export function PresenceCard({ presence, isPaused, isSettled }: PresenceProps) {
  const { connection, application_id: applicationId, type, details, state, party, hidden, buttons = [], username } = presence
  const { shown_on: shownOn = [], chosen_places: chosen } = presence
  const { large_picture: large, small_picture: small } = presence
  const { name: applicationName, icon } = useApplication(applicationId)
  const { now, isLive, places } = useDashboard()
  const name = presence.name ?? applicationName
  const time = isLive ? timeOf(presence, now) : undefined
  const address = `/api/programs/${connection}`
  const isSeen = hidden === undefined && !isPaused
  return (
    <article class={isSeen ? 'card presence' : 'card presence unseen'}>
      <h3 class="kind">{KINDS[type] ?? 'Activity'}</h3>
      <div class="body">
        <div class="art">
          <Picture image={large?.image ?? icon} name={name} text={large?.text ?? ''} size="large" />
          {small !== undefined && <Picture image={small.image} name={small.text ?? name} text={small.text ?? ''} size="small" />}
        </div>
        <div class="lines">
          <p class="name">
            <Name text={name} />
          </p>
          {details !== undefined && (
            <p>
              <Name text={details} />
            </p>
          )}
          {(state !== undefined || party !== undefined) && (
            <p>
              {state === undefined ? 'In a party' : <Name text={state} />}
              {party === undefined ? '' : ` (${party.size} of ${party.max})`}
            </p>
          )}
          {time !== undefined && <p class="time">{time}</p>}
        </div>
      </div>
      {buttons.length > 0 && (
        <ul class="links" aria-label="Buttons that others see">
          {buttons.map(({ label, url }) => (
            <li key={label}>
              <ExternalLink url={url} text={label} />
            </li>
          ))}
        </ul>
      )}
      <footer>
        <span class="soft">
          {username !== undefined && (
            <>
              <Name text={username} />:{' '}
            </>
          )}
          {!isLive
            ? 'Not known now.'
            : hidden !== undefined
              ? STATUS[hidden]
              : isPaused
                ? 'You hid all games: others do not see it.'
                : shownOn.length > 0
                  ? `Others see it on ${placesText(shownOn, places)}.`
                  : 'No place shows it now.'}
        </span>
        {presence.can_choose && hidden === undefined && (
          <>
            <ActionButton path={`${address}/hide-now`} isReady={isSettled}>
              Hide now
            </ActionButton>
            <ActionButton path={`${address}/hide`} isReady={isSettled}>
              Always hide
            </ActionButton>
          </>
        )}
        {presence.can_choose && hidden !== undefined && (
          <ActionButton path={`${address}/show`} isReady={isSettled}>
            Show again
          </ActionButton>
        )}
      </footer>
      {presence.can_choose && (
        <Places id={String(connection)} chosen={chosen} unset="as every game" about="this game" isSettled={isSettled} />
      )}
    </article>
  )
}
