/** What waits for the user, on every page: prompts, consent pages of the platform, invites, and what is wrong. */
import type { BridgeState } from '@sallyport/protocol'
import { useApplication, useSettled } from '../context.ts'
import { KINDS } from '../words.ts'
import { ActionButton } from './button.tsx'
import { PromptCard } from './prompt-card.tsx'
import { Code, ExternalLink, Name, Rest } from './text.tsx'

type Invite = BridgeState['invites'][number]

const PageCard = ({ url, lines }: BridgeState['pages'][number]) => (
  <article class="card ask">
    <h3>Go on in your browser</h3>
    <p>
      A program wants to sign in, and the platform asks you too. If its page did not open: <ExternalLink url={url} text="open page" />
    </p>
    <dl>
      {lines.map(({ label, text }) => (
        <>
          <dt>{label}</dt>
          <dd>
            <Name text={text} />
          </dd>
        </>
      ))}
    </dl>
  </article>
)

/** The cover is a link, not an image: the sender chose the URL, and must not learn when the dashboard is open. */
const Cover = ({ cover }: { readonly cover: string }) => (
  <p>{/^https?:/i.test(cover) ? <ExternalLink url={cover} text="cover image" /> : <Code text={`cover image ${cover}`} />}</p>
)

function InviteCard({ invite, isSettled }: { readonly invite: Invite; readonly isSettled: boolean }) {
  const { id, sender, activity, cover } = invite
  const { name } = useApplication(invite.application_id)
  return (
    <article class="card ask">
      <h3>
        <Name text={sender} /> invites you to <Name text={name} />
      </h3>
      {activity.name !== undefined && (
        <p>
          {KINDS[activity.type] ?? 'Activity'} <Name text={activity.name} />
        </p>
      )}
      {activity.details !== undefined && (
        <p>
          <Name text={activity.details} />
        </p>
      )}
      {activity.state !== undefined && (
        <p>
          <Name text={activity.state} />
        </p>
      )}
      {cover !== undefined && <Cover cover={cover} />}
      <footer>
        <ActionButton look="yes" path={`/api/invites/${id}/accept`} isReady={isSettled}>
          Join
        </ActionButton>
      </footer>
    </article>
  )
}

export function Questions({ state }: { readonly state: BridgeState }) {
  const { prompts, pages, invites, warnings, omitted } = state
  const isSettled = useSettled(JSON.stringify([prompts.map(({ id }) => id), pages.map(({ url }) => url), invites.map(({ id }) => id)]))
  const count = prompts.length + pages.length + invites.length
  return (
    <>
      <section id="questions" aria-label="Questions for you" aria-live="polite">
        {count > 0 && (
          <h2>
            {prompts.length === 0 ? 'For you' : prompts.length === 1 ? 'One question for you' : `${prompts.length} questions for you`}
          </h2>
        )}
        {prompts.map((prompt) => (
          <PromptCard key={prompt.id} prompt={prompt} isSettled={isSettled} />
        ))}
        <Rest count={omitted.prompts} />
        {pages.map((page) => (
          <PageCard key={page.url} {...page} />
        ))}
        <Rest count={omitted.pages} />
        {invites.map((invite) => (
          <InviteCard key={invite.id} invite={invite} isSettled={isSettled} />
        ))}
        <Rest count={omitted.invites} />
      </section>
      <section id="warnings" aria-label="Warnings" aria-live="polite">
        {warnings.map(({ message, advice }) => (
          <p key={message} class="problem">
            <Name text={`${message} ${advice}`} />
          </p>
        ))}
        <Rest count={omitted.warnings} />
      </section>
    </>
  )
}
