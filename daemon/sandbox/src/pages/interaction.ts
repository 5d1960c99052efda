/** The page where a developer creates an interaction, as if a user used a command. It shows what the application receives. */
import { type Interaction, LIMITS } from '@sallyport/protocol'
import type { SandboxReply } from '../http/exchange.ts'
import { type Choices, options } from './choices.ts'
import { html, page } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

const MINUTES = LIMITS.interactionTokenMs.value / 60_000

/** `problem`: why the last one failed. */
export function interactionPage({ users, applications, channels }: Choices, problem?: string): SandboxReply {
  const alert = problem === undefined ? html`` : html`<p class="bad" role="alert">${problem}</p>`
  return page({
    title: 'Create an interaction',
    narrow: true,
    status: problem === undefined ? 200 : 400,
    body: html`<form class="card" method="post" action="${PAGE_PATHS.interaction}">
<h1>Create an interaction</h1>
<p>Creates the interaction of a user who uses a command of the application.</p>${alert}
<label for="application">Application</label>
<input id="application" name="application_id" required inputmode="numeric" pattern="[0-9]{1,20}" autocomplete="off" list="applications" value="${applications[0]?.id ?? ''}">
<datalist id="applications">${options(applications.map(({ id, name }) => ({ id, label: name })))}</datalist>
<label for="user">User</label>
<select id="user" name="user">${options(users.map(({ id, username }) => ({ id, label: username })))}</select>
<label for="channel">Channel</label>
<select id="channel" name="channel_id"><option value="">Direct messages with the bot</option>${options(channels.map(({ id, name }) => ({ id, label: name })))}</select>
<label for="command">Command</label>
<input id="command" name="command_name" required value="play" maxlength="32" autocomplete="off">
<div class="buttons"><button class="main">Create</button></div>
</form>`,
  })
}

/** Shows the interaction with its token, since the developer responds as the application here. */
export const interactionCreatedPage = (interaction: Interaction): SandboxReply =>
  page({
    title: 'Interaction created',
    body: html`<div class="card"><h1>Interaction created</h1>
<p>The application receives this at its interactions endpoint, or by the gateway if it has none. Respond with CREATE_INTERACTION_RESPONSE within ${MINUTES} minutes. For a real interaction, the limit is three seconds.</p>
<pre>${JSON.stringify(interaction, null, 2)}</pre>
<p><a href="${PAGE_PATHS.interaction}">Create another</a> · <a href="/">Back</a></p></div>`,
  })
