/** The page where a user enters the code of a device. */
import type { SandboxReply } from '../http/exchange.ts'
import { html, page } from './layout.ts'

/** `problem`: why the last code was refused. */
export function activatePage(problem?: string): SandboxReply {
  const alert = problem === undefined ? html`` : html`<p class="bad" role="alert">${problem}</p>`
  return page({
    title: 'Connect a device',
    narrow: true,
    status: problem === undefined ? 200 : 404,
    body: html`<form class="card" method="get" action="/activate">
<h1>Connect a device</h1>
<p>Enter the code that your device shows. Do not enter a code that another person sent you.</p>${alert}
<label for="code">Code</label>
<input id="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="16">
<div class="buttons"><button class="main">Continue</button></div>
</form>`,
  })
}
