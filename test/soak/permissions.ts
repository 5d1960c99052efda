/** A user who always allows: the consent pages and the prompts that the daemon names in its log. */

/** Goes where a page leads, and brings back the cookie that it began with, as a browser does. */
async function follow(page: string): Promise<void> {
  let cookie = ''
  for (let next: string | null = page; next !== null; ) {
    const reply: Response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    await reply.body?.cancel()
    cookie ||= reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    const location = reply.headers.get('location')
    next = location === null ? null : new URL(location, next).href
  }
}

/** Answers the consent pages that the daemon names, as a user would who always allows. */
export function followPages(text: string): void {
  for (const [, page] of text.matchAll(/If no browser opens, go to (\S+)/g)) {
    // The platform allows by itself and leads back to the daemon; a page of a daemon that was killed meanwhile leads nowhere.
    if (page !== undefined) void follow(page).catch(() => {})
  }
}

/** Allows every prompt about a program, as the same user. */
export function allowPrograms(text: string, dashboard: string | null): void {
  const page = new URL(dashboard ?? 'http://127.0.0.1:1')
  const headers = { authorization: `Bearer ${page.hash.replace('#token=', '')}` }
  for (const [, id] of text.matchAll(/\(prompt (\w+)\)/g))
    void fetch(new URL(`/api/prompts/${id}/allow`, page), { method: 'POST', headers }).catch(() => {})
}
