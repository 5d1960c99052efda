/** The layout of all pages: plain HTML and one inline style, without scripts or external resources. */
import { createHash } from 'node:crypto'
import type { SandboxReply } from '../http/exchange.ts'

/** Safe markup. Only `html` creates it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[]

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const rendered = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map((one) => one.text).join('')
}

/** A template that escapes its values, except markup. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? rendered(parts[index] ?? '') : '')).join(''))

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2733;--soft:#5b6776;--line:#d8dee6;--paper:#fff;--ground:#eef2f6;--accent:#0b6e6e;--ok:#1a7f37;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa7b5;--line:#34404d;--paper:#1b232c;--ground:#11171d;--accent:#4fc3c3;--ok:#5bc77a;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem}
main.narrow{max-width:28rem;padding-top:8vh}
.card{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:1.5rem;margin-bottom:1rem}
h1{font-size:1.35rem;line-height:1.3;margin:0 0 .5rem}
h2{font-size:1rem;margin:0 0 .5rem}
p{margin:.5rem 0}.soft{color:var(--soft);font-size:.9rem}
ul{padding-left:1.2rem;margin:.5rem 0}li{margin:.25rem 0}
table{width:100%;border-collapse:collapse;font-size:.9rem}th{text-align:left;color:var(--soft);font-weight:600}
th,td{padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
select,input,textarea{width:100%;padding:.6rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:8px}
.buttons{display:flex;gap:.75rem;margin-top:1.25rem}
button{flex:1;padding:.7rem;font:inherit;font-weight:600;border-radius:8px;border:1px solid var(--line);background:none;color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--paper)}
td form{display:inline}td button{flex:none;padding:.1rem .6rem;font-size:.85rem}
pre{overflow-x:auto;font:.85em ui-monospace,monospace;margin:.5rem 0}a{color:var(--accent)}
button:focus-visible,select:focus-visible,input:focus-visible,textarea:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.ok{color:var(--ok)}.bad{color:var(--bad)}
`

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

export interface Page {
  readonly title: string
  readonly body: Html
  readonly narrow?: boolean
  readonly status?: number
  /** Allowed targets of forms, besides this server. */
  readonly formTargets?: readonly string[]
  /** The page reloads after this many seconds while it is open. */
  readonly refreshSeconds?: number
}

/** Renders a page with headers that block external resources. */
export function page({ title, body, narrow = false, status = 200, formTargets = [], refreshSeconds }: Page): SandboxReply {
  const refresh = refreshSeconds === undefined ? html`` : html`<meta http-equiv="refresh" content="${refreshSeconds}">`
  const document = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${refresh}
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><main class="${narrow ? 'narrow' : 'wide'}">${body}</main></body></html>`
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // With `no-referrer`, browsers send `Origin: null` with a form, which the origin check refuses.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: document.text,
  }
}

/** A page that shows why an action failed. */
export const problemPage = (status: number, title: string, message: string): SandboxReply =>
  page({ title, status, narrow: true, body: html`<div class="card"><h1>${title}</h1><p>${message}</p></div>` })

/** A page that shows the result of an action. */
export const messagePage = (title: string, message: string): SandboxReply => problemPage(200, title, message)
