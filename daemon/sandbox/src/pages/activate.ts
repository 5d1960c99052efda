/** The page on which a person enters the code that a device shows. */
import type { SandboxReply } from '../http/exchange.ts'
import { html, page } from './layout.ts'

/** `problem`: why the last code did not do. */
export function activatePage(problem?: string): SandboxReply {
  const words = problem === undefined ? html`` : html`<p class="bad" role="alert">${problem}</p>`
  return page({
    title: 'Connect a device',
    narrow: true,
    status: problem === undefined ? 200 : 404,
    body: html`<form class="card" method="get" action="/activate">
<h1>Connect a device</h1>
<p>Enter the code that your device shows. Enter none that somebody sent you.</p>${words}
<label for="code">Code</label>
<input id="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="16">
<div class="buttons"><button class="main">Continue</button></div>
</form>`,
  })
}
