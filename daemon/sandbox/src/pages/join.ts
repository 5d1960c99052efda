/** The page where a developer does what users do in the desktop client: request to join a game, invite, accept. */
import { type Choices, options } from './choices.ts'
import type { SandboxReply } from '../http/exchange.ts'
import { html, page } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

/** `result`: the result of the last action. */
export function joinPage(
  { users, applications }: Pick<Choices, 'users' | 'applications'>,
  result?: { readonly isDone: boolean; readonly text: string },
): SandboxReply {
  const status = result === undefined ? html`` : html`<p class="${result.isDone ? 'ok' : 'bad'}" role="status">${result.text}</p>`
  const names = users.map(({ id, username }) => ({ id, label: username }))
  return page({
    title: 'Join a game',
    narrow: true,
    status: result === undefined || result.isDone ? 200 : 400,
    body: html`<form class="card" method="post" action="${PAGE_PATHS.join}">
<h1>Join a game</h1>
<p>The first user does this in the desktop client.</p>${status}
<label for="user">User</label>
<select id="user" name="user">${options(names)}</select>
<label for="target">Other user</label>
<select id="target" name="target">${options(names.toReversed())}</select>
<label for="application">Application of the game</label>
<input id="application" name="application_id" required inputmode="numeric" pattern="[0-9]{1,20}" autocomplete="off" list="applications" value="${applications[0]?.id ?? ''}">
<datalist id="applications">${options(applications.map(({ id, name }) => ({ id, label: name })))}</datalist>
<div class="buttons"><button class="main" name="action" value="ask">Ask to join</button><button name="action" value="accept">Accept request</button><button name="action" value="invite">Invite</button></div>
<p><a href="/">Back</a></p>
</form>`,
  })
}
