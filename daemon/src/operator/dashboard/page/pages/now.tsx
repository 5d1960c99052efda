/** What happens now: what others see, and which games are connected. */
import type { BridgeState } from '@sallyport/protocol'
import { useApplication, useSettled } from '../context.ts'
import { ActionButton, ConfirmButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { Picture } from '../parts/picture.tsx'
import { Places } from '../parts/places.tsx'
import { PresenceCard } from '../parts/presence-card.tsx'
import { Name, Program, Rest } from '../parts/text.tsx'

type Game = BridgeState['games'][number]

interface GameProps {
  readonly game: Game
  /** One button per application: it reaches all of its games. */
  readonly hasLink: boolean
  readonly isSettled: boolean
}

function GameRow({ game, hasLink, isSettled }: GameProps) {
  const { application_id: applicationId, user, program, program_name: programName, connection } = game
  const { name, icon } = useApplication(applicationId)
  return (
    <li class="card row">
      <Picture image={icon} name={name} size="medium" />
      <div class="lines">
        <h3>
          <Name text={name} />
        </h3>
        <p>
          {user === undefined ? (
            <span class="soft">not signed in</span>
          ) : (
            <>
              signed in as <Name text={user.username} />
            </>
          )}
        </p>
        <p class="soft">
          <Program name={programName} text={program} />
        </p>
      </div>
      <div class="acts">
        {hasLink && (
          <ActionButton path={`/api/applications/${applicationId}/link`} isReady={isSettled}>
            Link account
          </ActionButton>
        )}
        {game.can_choose && (
          <ConfirmButton
            path={`/api/programs/${connection}/block`}
            question="Block this program? It gets nothing, until you lift the block."
            isReady={isSettled}
          >
            Block
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}

export function NowPage({ state }: { readonly state: BridgeState }) {
  const { presences, presence_paused: isPaused, games, omitted, chosen_places: chosen } = state
  const isSettled = useSettled(
    JSON.stringify([
      chosen,
      presences.map(({ connection, hidden, chosen_places: places }) => [connection, hidden, places]),
      games.map(({ connection }) => connection),
    ]),
  )
  return (
    <>
      <section id="presences" aria-labelledby="presences-title">
        <div class="heading">
          <Heading id="presences-title" text="What others see of you" />
          <ActionButton path={`/api/presence/all/${isPaused ? 'resume' : 'pause'}`}>
            {isPaused ? 'Show my games again' : 'Hide all games'}
          </ActionButton>
        </div>
        {isPaused && <p class="note">You hid all games. Others do not see what you play, and the games go on.</p>}
        <Places
          id="all"
          chosen={chosen}
          unset="the first desktop client, else the account of the sign-in; and pages in a browser"
          about="every game without a choice of its own"
          isSettled={isSettled}
        />
        {presences.length === 0 && !isPaused && <p class="hint">No game shows anything now.</p>}
        <div class="cards">
          {presences.map((presence) => (
            <PresenceCard key={presence.connection} presence={presence} isPaused={isPaused} isSettled={isSettled} />
          ))}
        </div>
        <Rest count={omitted.presences} />
      </section>
      <section id="games" aria-labelledby="games-title">
        <Heading id="games-title" text="Connected games" />
        {games.length === 0 && (
          <p class="hint">No game is connected. Start a game: if it can show what you play or sign you in, it finds Sallyport by itself.</p>
        )}
        <ul class="rows">
          {games.map((game) => (
            <GameRow
              key={game.connection}
              game={game}
              hasLink={games.find((other) => other.can_link && other.application_id === game.application_id) === game}
              isSettled={isSettled}
            />
          ))}
        </ul>
        <Rest count={omitted.games} />
      </section>
    </>
  )
}
