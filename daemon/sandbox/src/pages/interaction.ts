/** The page on which a developer raises an interaction as if a user had used a command, and sees what the application would be sent. */
import { type Interaction, LIMITS } from '@sallyport/protocol'
import type { SandboxReply } from '../http/exchange.ts'
import { type Choices, options } from './choices.ts'
import { html, page } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

const MINUTES = LIMITS.interactionTokenMs.value / 60_000

/** `problem`: why the last one could not be raised. */
export function interactionPage({ users, applications, channels }: Choices, problem?: string): SandboxReply {
  const words = problem === undefined ? html`` : html`<p class="bad" role="alert">${problem}</p>`
  return page({
    title: 'Raise an interaction',
    narrow: true,
    status: problem === undefined ? 200 : 400,
    body: html`<form class="card" method="post" action="${PAGE_PATHS.interaction}">
<h1>Raise an interaction</h1>
<p>As if a user had used a command of the application.</p>${words}
<label for="application">Application</label>
<input id="application" name="application_id" required inputmode="numeric" pattern="[0-9]{1,20}" autocomplete="off" list="applications" value="${applications[0]?.id ?? ''}">
<datalist id="applications">${options(applications.map(({ id, name }) => ({ id, label: name })))}</datalist>
<label for="user">User</label>
<select id="user" name="user">${options(users.map(({ id, username }) => ({ id, label: username })))}</select>
<label for="channel">Where</label>
<select id="channel" name="channel_id"><option value="">Direct messages with the bot</option>${options(channels.map(({ id, name }) => ({ id, label: name })))}</select>
<label for="command">Command</label>
<input id="command" name="command_name" required value="play" maxlength="32" autocomplete="off">
<div class="buttons"><button class="main">Raise</button></div>
</form>`,
  })
}

/** With its token, which is what an answer needs: whoever may press the button is the application here. */
export const raisedPage = (interaction: Interaction): SandboxReply =>
  page({
    title: 'The interaction was raised',
    body: html`<div class="card"><h1>The interaction was raised</h1>
<p>The application would be sent this. Answer it with CREATE_INTERACTION_RESPONSE within ${MINUTES} minutes; one that is not raised here has three seconds.</p>
<pre>${JSON.stringify(interaction, null, 2)}</pre>
<p><a href="${PAGE_PATHS.interaction}">Raise another</a> · <a href="/">Back</a></p></div>`,
  })
