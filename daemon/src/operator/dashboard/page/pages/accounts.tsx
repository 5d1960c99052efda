/** The sign-ins that the daemon stores, and how to end them. */
import type { BridgeState } from '@sallyport/protocol'
import { useApplication, useSettled } from '../context.ts'
import { ConfirmButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { Picture } from '../parts/picture.tsx'
import { Name, Rest } from '../parts/text.tsx'
import { partsOf } from '../words.ts'

type Account = BridgeState['accounts'][number]

function AccountRow({ account, isSettled }: { readonly account: Account; readonly isSettled: boolean }) {
  const { id, username, user_id: userId, application_id: applicationId, scopes } = account
  const { name, icon } = useApplication(applicationId)
  return (
    <li class="card row">
      <Picture image={icon} name={name} size="medium" />
      <div class="lines">
        <h3>
          <Name text={username ?? userId} /> in <Name text={name} />
        </h3>
        <p class="soft">{partsOf(scopes).length} permissions at the platform</p>
      </div>
      <div class="acts">
        <ConfirmButton
          path={`/api/accounts/${id}/sign-out`}
          question="Sign out? Every program that uses this account is signed out."
          isReady={isSettled}
        >
          Sign out
        </ConfirmButton>
      </div>
    </li>
  )
}

function BotRow({ application_id: applicationId, name: botName }: BridgeState['bots'][number]) {
  const { name, icon } = useApplication(applicationId)
  return (
    <li class="card row">
      <Picture image={icon} name={name} size="medium" />
      <div class="lines">
        <h3>
          Bot <Name text={botName} />
        </h3>
        <p class="soft">
          of <Name text={name} />; its token is stored
        </p>
      </div>
    </li>
  )
}

export function AccountsPage({ state }: { readonly state: BridgeState }) {
  const { accounts, bots, vault_problem: problem, omitted } = state
  const isSettled = useSettled(JSON.stringify(accounts.map(({ id }) => id)))
  return (
    <section id="accounts" aria-labelledby="accounts-title">
      <Heading id="accounts-title" text="Signed-in accounts" />
      {problem !== undefined && (
        <p class="problem">
          <Name text={problem} />
        </p>
      )}
      {accounts.length + bots.length === 0 && problem === undefined && (
        <p class="hint">No account is stored here. A game asks you to sign in when it needs to.</p>
      )}
      <ul class="rows">
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} isSettled={isSettled} />
        ))}
        {bots.map((bot) => (
          <BotRow key={bot.application_id} {...bot} />
        ))}
      </ul>
      <Rest count={omitted.accounts} />
      <Rest count={omitted.bots} />
    </section>
  )
}
