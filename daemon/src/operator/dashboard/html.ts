/** The HTML of the dashboard in one piece, and the policy that lets only its own script and style run. */
import { createHash } from 'node:crypto'

/** The bundle of the folder `page`. daemon/packaging/dashboard-page.ts makes it when the program is built, test/vitest.config.ts for tests. */
declare const DASHBOARD_SCRIPT: string
declare const DASHBOARD_STYLE: string
declare const DASHBOARD_ICON: string

// Each name stands once in the code, because its text takes its place.
const SCRIPT = DASHBOARD_SCRIPT
const STYLE = DASHBOARD_STYLE
const ICON = DASHBOARD_ICON

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const contentSecurityPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    // Pictures come from the daemon alone. The page reads them with its session, so an element shows a copy.
    "img-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup or script, even after changes of the script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export const iconText = (): string => ICON

export const pageText = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sallyport</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. In a terminal, <code>sallyport status</code> shows the same.</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`
