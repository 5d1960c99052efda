/** The page where a developer maps the paths of an embedded activity to servers of this machine, and runs it. */
import type { ActivityMapping } from '@sallyport/protocol'
import type { SandboxReply } from '../http/exchange.ts'
import { options } from './choices.ts'
import { html, page } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

export interface ActivityChoice {
  readonly id: string
  readonly name: string
  readonly mappings: readonly ActivityMapping[]
  /** The address that runs the activity, if it has mappings. */
  readonly address?: string
}

const linesOf = (mappings: readonly ActivityMapping[]): string => mappings.map(({ prefix, target }) => `${prefix} ${target}`).join('\n')

/** `result`: the result of the last change. */
export function activityFormPage(
  applications: readonly ActivityChoice[],
  result?: { readonly isDone: boolean; readonly text: string },
): SandboxReply {
  const status = result === undefined ? html`` : html`<p class="${result.isDone ? 'ok' : 'bad'}" role="status">${result.text}</p>`
  const mapped = applications.flatMap(({ id, mappings, address }) => (address === undefined ? [] : [{ id, mappings, address }]))
  return page({
    title: 'Run an embedded activity',
    status: result === undefined || result.isDone ? 200 : 400,
    body: html`<form class="card" method="post" action="${PAGE_PATHS.activity}">
<h1>Run an embedded activity</h1>
<p>The proxy passes requests of the activity to servers of this machine. The first prefix that matches wins.</p>${status}
<label for="application">Application</label>
<input id="application" name="application_id" required inputmode="numeric" pattern="[0-9]{1,20}" autocomplete="off" list="applications" value="${mapped[0]?.id ?? applications[0]?.id ?? ''}">
<datalist id="applications">${options(applications.map(({ id, name }) => ({ id, label: name })))}</datalist>
<label for="mappings">URL mappings, one prefix and target per line; none removes the activity</label>
<textarea id="mappings" name="url_mappings" rows="4" spellcheck="false">${mapped[0] === undefined ? '/ 127.0.0.1:3000' : linesOf(mapped[0].mappings)}</textarea>
<div class="buttons"><button class="main">Set mappings</button></div>
</form>
${
  mapped.length === 0
    ? html``
    : html`<section class="card"><h2>Activities</h2><ul>${mapped.map(
        ({ id, address, mappings }) => html`<li><a href="${address}">Run ${id}</a><pre>${linesOf(mappings)}</pre></li>`,
      )}</ul></section>`
}<p><a href="/">Back</a></p>`,
  })
}
