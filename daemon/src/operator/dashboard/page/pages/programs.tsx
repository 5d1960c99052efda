/** What the user allowed to programs, refused and hid, and how to change it. */
import type { BridgeState } from '@sallyport/protocol'
import { useState } from 'preact/hooks'
import { useApplication, useSettled } from '../context.ts'
import { ActionButton, ConfirmButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { Permissions } from '../parts/permissions.tsx'
import { Picture } from '../parts/picture.tsx'
import { Places } from '../parts/places.tsx'
import { Name, Program, Rest } from '../parts/text.tsx'
import { dayText, partsOf } from '../words.ts'

type Grant = BridgeState['grants'][number]

const BASES: Readonly<Record<Grant['basis'], string>> = {
  allowed: 'You allowed it',
  token: 'It signs in with a token of its own',
  blocked: 'Blocked: it gets nothing',
  none: 'Not signed in',
}

interface GrantProps {
  readonly grant: Grant
  readonly isSettled: boolean
}

/** The permissions of a grant, to be changed and saved together. */
function GrantPermissions({ grant, isSettled }: GrantProps) {
  const { id, scopes, denied_scopes: stored = [] } = grant
  const [changed, setChanged] = useState<ReadonlySet<string>>()
  const parts = partsOf(scopes)
  const now = new Set(partsOf(stored))
  const denied = changed ?? now
  const isChanged = changed !== undefined && (changed.size !== now.size || [...changed].some((scope) => !now.has(scope)))
  return (
    <details>
      <summary>
        {parts.filter((scope) => !now.has(scope)).length} of {parts.length} permissions
      </summary>
      <Permissions parts={parts} denied={denied} onChange={setChanged} isReady={isSettled} />
      <ActionButton path={`/api/grants/${id}/narrow`} scopes={[...denied]} isReady={isSettled && isChanged}>
        Save permissions
      </ActionButton>
    </details>
  )
}

const HIDDEN = { hidden: 'Its activity is hidden', 'hidden-now': 'Its activity is hidden for now' } as const

function GrantCard({ grant, isSettled }: GrantProps) {
  const { id, basis, username, user_id: userId, program, program_name: programName, presence, lasts, chosen_places: chosen } = grant
  const { name, icon } = useApplication(grant.application_id)
  const isGrant = basis === 'allowed' || basis === 'token'
  const facts = [
    basis === 'allowed' ? `${BASES.allowed} on ${dayText(grant.granted_at)}` : BASES[basis],
    ...(isGrant ? [`last used ${dayText(grant.last_used_at)}`] : []),
    ...(lasts === undefined ? [] : ['this time only']),
    ...(presence === undefined ? [] : [HIDDEN[presence]]),
  ]
  return (
    <li class="card grant">
      <div class="row">
        <Picture image={icon} name={name} size="medium" />
        <div class="lines">
          <h3>
            <Name text={name} />
          </h3>
          {isGrant && (
            <p>
              as <Name text={username ?? userId} />
            </p>
          )}
          <p class="soft">
            <Program name={programName} text={program} />
          </p>
          <p class="soft">{facts.join(' · ')}</p>
        </div>
      </div>
      {isGrant && grant.scopes.length > 0 && <GrantPermissions grant={grant} isSettled={isSettled} />}
      {basis !== 'blocked' && <Places id={id} chosen={chosen} unset="as every game" about={name} isSettled={isSettled} />}
      <div class="acts">
        {basis !== 'blocked' &&
          (presence === undefined ? (
            <ActionButton path={`/api/programs/${id}/hide`} isReady={isSettled}>
              Always hide
            </ActionButton>
          ) : (
            <ActionButton path={`/api/programs/${id}/show`} isReady={isSettled}>
              Show again
            </ActionButton>
          ))}
        {basis === 'allowed' && (
          <ActionButton path={`/api/grants/${id}/${lasts === undefined ? 'for-session' : 'keep'}`} isReady={isSettled}>
            {lasts === undefined ? 'This time only' : 'Keep it'}
          </ActionButton>
        )}
        {isGrant && (
          <ConfirmButton
            path={`/api/grants/${id}/revoke`}
            question="Take all permissions back? The program is signed out."
            isReady={isSettled}
          >
            Revoke
          </ConfirmButton>
        )}
        {basis === 'blocked' ? (
          <ActionButton path={`/api/grants/${id}/revoke`} isReady={isSettled}>
            Lift the block
          </ActionButton>
        ) : (
          <ConfirmButton
            path={`/api/programs/${id}/block`}
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

export function ProgramsPage({ state: { grants, omitted } }: { readonly state: BridgeState }) {
  const isSettled = useSettled(
    JSON.stringify(grants.map(({ id, basis, presence, lasts, chosen_places: places }) => [id, basis, presence, lasts, places])),
  )
  return (
    <section id="grants" aria-labelledby="grants-title">
      <Heading id="grants-title" text="What you allowed and refused" />
      {grants.length === 0 && (
        <p class="hint">You have not allowed or hidden anything yet. Sallyport asks you when a game wants to sign in.</p>
      )}
      <ul class="rows">
        {grants.map((grant) => (
          <GrantCard key={grant.id} grant={grant} isSettled={isSettled} />
        ))}
      </ul>
      <Rest count={omitted.grants} />
    </section>
  )
}
