/** A question of the daemon to the user. The program comes last, so text that it controls does not precede the facts that the user decides by. */
import type { BridgeState } from '@sallyport/protocol'
import { useId, useState } from 'preact/hooks'
import { useApplication, useDashboard } from '../context.ts'
import { partsOf } from '../words.ts'
import { ActionButton } from './button.tsx'
import { Permissions } from './permissions.tsx'
import { Picture } from './picture.tsx'
import { Code, Name, Program } from './text.tsx'

type Prompt = BridgeState['prompts'][number]

interface PromptProps {
  readonly prompt: Prompt
  /** Whether it has stood there for a while. */
  readonly isSettled: boolean
}

const NO_SCOPES: ReadonlySet<string> = new Set()

/** What is asked, after the name of the application. */
const ASKS: Readonly<Record<Prompt['kind'], string>> = {
  'sign-in': 'wants to sign in',
  bot: 'wants to act as the bot of its application',
  launch: 'is about to be started',
}

interface AsProps {
  readonly kind: Prompt['kind']
  readonly username: string | undefined
}

/** As which user; only the platform knows it before the first sign-in. */
function As({ kind, username }: AsProps) {
  if (kind !== 'sign-in') return null
  if (username === undefined) return <>You choose the account on the next page.</>
  return (
    <>
      As <Name text={username} />.
    </>
  )
}

export function PromptCard({ prompt, isSettled }: PromptProps) {
  const { id, kind, application_id: applicationId, why, username, program, program_name: programName } = prompt
  const { name, icon, isClaimed } = useApplication(applicationId)
  const { isLive } = useDashboard()
  const base = useId()
  const [denied, setDenied] = useState(NO_SCOPES)
  const [isOnce, setOnce] = useState(false)
  const parts = partsOf(prompt.scopes)
  const isReady = isSettled && isLive
  const isEmpty = parts.length > 0 && parts.every((scope) => denied.has(scope))
  const verb = isOnce ? 'allow-once' : 'allow'
  const starts = prompt.lines.find(({ label }) => label === 'Starts')?.text
  return (
    <article class="card ask" aria-labelledby={`${base}-title`}>
      <header>
        <Picture image={icon} name={name} size="medium" />
        <div>
          <h3 id={`${base}-title`}>
            <Name text={name} /> {ASKS[kind]}
          </h3>
          <p class="soft">
            {isClaimed ? 'The game gives itself this name. ' : ''}
            <As kind={kind} username={username} /> {why}
          </p>
        </div>
      </header>
      {parts.length > 0 && kind === 'sign-in' && (
        <fieldset>
          <legend>If you allow it, it can</legend>
          <Permissions parts={parts} denied={denied} {...(prompt.can_choose ? { onChange: setDenied } : {})} isReady={isReady} />
        </fieldset>
      )}
      {kind === 'bot' && <p>If you allow it, it can do all that this bot may do, in all its servers.</p>}
      <dl>
        {program !== undefined && programName !== undefined && (
          <>
            <dt>{kind === 'launch' ? 'Set by' : 'Program'}</dt>
            <dd>
              <Program name={programName} text={program} />
            </dd>
          </>
        )}
        {starts !== undefined && (
          <>
            <dt>Starts</dt>
            <dd>
              <Code text={starts} />
            </dd>
          </>
        )}
        {prompt.lines
          .filter(({ label }) => label.startsWith('Wine'))
          .map(({ label, text }) => (
            <>
              <dt>{label}</dt>
              <dd>
                <Code text={text} />
              </dd>
            </>
          ))}
      </dl>
      {prompt.can_choose && (
        <fieldset class="choice">
          <legend>For how long</legend>
          <label>
            <input type="radio" name={`${base}-time`} checked={!isOnce} disabled={!isReady} onChange={() => setOnce(false)} /> until I take
            it back
          </label>
          <label>
            <input type="radio" name={`${base}-time`} checked={isOnce} disabled={!isReady} onChange={() => setOnce(true)} /> this time only
          </label>
        </fieldset>
      )}
      <footer>
        <ActionButton
          look="yes"
          path={`/api/prompts/${id}/${verb}`}
          scopes={[...denied]}
          isReady={isReady && !isEmpty}
          about={`${base}-title`}
        >
          Allow
        </ActionButton>
        <ActionButton look="no" path={`/api/prompts/${id}/deny`} isReady={isReady} about={`${base}-title`}>
          Deny
        </ActionButton>
        {isEmpty && <span class="soft">Without a permission there is nothing to allow.</span>}
        <span class="soft id">Question {id}</span>
      </footer>
    </article>
  )
}
