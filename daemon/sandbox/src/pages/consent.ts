/** The page where a user allows or denies an application, as one of the sandbox's users. */
import { isScopeName, SCOPES, type ScopeRow } from '@sallyport/protocol'
import type { SandboxReply } from '../http/exchange.ts'
import { html, page, type Html } from './layout.ts'

interface ConsentView {
  readonly applicationName: string
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly users: readonly { readonly id: string; readonly username: string; readonly globalName: string }[]
  readonly chosenUserId: string
  /** The request and its proof, as hidden fields. */
  readonly hidden: Readonly<Record<string, string>>
  /** Further details of the request: name and value. */
  readonly details: readonly (readonly [name: string, value: string])[]
  /** Path of the form's request. */
  readonly action: string
  /** The redirect target as a CSP source; undefined for no redirect. */
  readonly target: string | undefined
}

const scopeText = (scope: string): string => (isScopeName(scope) ? SCOPES[scope].summary : scope)

function scopeItem(scope: string): Html {
  const row: ScopeRow | undefined = isScopeName(scope) ? SCOPES[scope] : undefined
  const parts = row?.expandsTo ?? []
  const inner =
    parts.length === 0 ? html`` : html`<ul>${parts.map((part) => html`<li>${scopeText(part)} <code class="soft">${part}</code></li>`)}</ul>`
  return html`<li>${scopeText(scope)} <code class="soft">${scope}</code>${inner}</li>`
}

export function consentPage(view: ConsentView): SandboxReply {
  const options = view.users.map(({ id, username, globalName }) =>
    id === view.chosenUserId
      ? html`<option value="${id}" selected>${globalName} (${username})</option>`
      : html`<option value="${id}">${globalName} (${username})</option>`,
  )
  const hidden = Object.entries(view.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const details =
    view.details.length === 0
      ? html``
      : html`<table>${view.details.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>`
  return page({
    title: `Allow ${view.applicationName}?`,
    narrow: true,
    formTargets: view.target === undefined ? [] : [view.target],
    body: html`<form class="card" method="post" action="${view.action}">${hidden}
<h1>${view.applicationName} wants to use your account</h1>
<p class="soft">Application <code>${view.applicationId}</code></p>
<p>This application requests permission to:</p>
<ul>${view.scopes.map(scopeItem)}</ul>
${details}
<label for="user">Sign in as</label>
<select id="user" name="user_id">${options}</select>
<div class="buttons"><button name="decision" value="deny">Deny</button><button class="main" name="decision" value="allow">Allow</button></div>
<p class="soft">This is the sandbox platform on your own machine. Its users are made up. No real account is used.</p>
</form>`,
  })
}
