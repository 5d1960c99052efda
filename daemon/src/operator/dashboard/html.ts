/** The HTML of the dashboard in one piece, and the policy that lets only its own script and style run. */
import { createHash } from 'node:crypto'

/** The bundle of the folder `page`. daemon/packaging/dashboard-page.ts makes it when the program is built, test/vitest.config.ts for tests. */
declare const DASHBOARD_SCRIPT: string
declare const DASHBOARD_STYLE: string

// Each name stands once in the code, because its text takes its place.
const SCRIPT = DASHBOARD_SCRIPT
const STYLE = DASHBOARD_STYLE

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const contentSecurityPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup or script, even after changes of the script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export const page = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sallyport</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Sallyport</h1><span id="version" class="soft"></span>
<span id="state" role="status"><span class="dot"></span><span id="words">connecting…</span></span>
</header>
<main>
<div id="failed" role="alert"></div>
<div id="prompts" role="status"></div>
<div id="warnings" role="status"></div>
<div class="heading"><h2>Presence</h2><div id="pause"></div></div><div id="presences" class="cards"></div>
<h2>Connected games</h2><div id="games"></div>
<h2>Programs and their grants</h2><div id="grants"></div>
<h2>Signed-in accounts</h2><div id="accounts"></div>
<h2>Daemon</h2><div class="card facts"><div id="facts"></div><div id="counters"></div></div>
<noscript><p class="hint">This page needs JavaScript. <code>npm run sallyport -- status</code> shows the same in the terminal.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
