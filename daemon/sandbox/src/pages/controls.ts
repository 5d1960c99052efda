/** The page of all controls: what each does, an example of its body, and a button. */
import type { SandboxReply } from '../http/exchange.ts'
import { html, page } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

interface Shown {
  readonly method: string
  readonly path: string
  readonly does: string
  readonly body?: object
}

const BODY_ROWS = 3

/** `result`: the answer to the last request. */
export function controlsPage(
  controls: readonly Shown[],
  result?: { readonly control: string; readonly answer: SandboxReply },
): SandboxReply {
  const status = result?.answer.status ?? 200
  const answer =
    result === undefined
      ? html``
      : html`<div class="card" role="status"><p class="${status < 400 ? 'ok' : 'bad'}">${result.control}: ${status}</p><pre>${result.answer.body.toString()}</pre></div>`
  return page({
    title: 'Controls',
    status: status < 400 ? 200 : 400,
    body: html`<h1>Controls</h1>
<p class="soft">Each button sends one request of the control interface. Tests send the same requests.</p>
<p><a href="/">Back</a></p>
${answer}
${controls.map(
  ({ method, path, does, body }) => html`<form class="card" method="post" action="${PAGE_PATHS.controls}">
<h2><code>${method} ${path}</code></h2>
<p>It ${does}.</p>
<input type="hidden" name="control" value="${method} ${path}">
${body === undefined ? html`` : html`<textarea name="body" rows="${BODY_ROWS}" aria-label="Body of ${method} ${path}">${JSON.stringify(body)}</textarea>`}
<div class="buttons"><button aria-label="Send ${method} ${path}">Send</button></div>
</form>`,
)}`,
  })
}
