/** The pages of the dashboard, by the fragment of the address. */
export const PAGES = {
  now: 'Now',
  programs: 'Games and permissions',
  accounts: 'Accounts',
  calls: 'Calls',
  log: 'Log',
  details: 'Details',
} as const

export type PageName = keyof typeof PAGES

const isPageName = (name: string): name is PageName => Object.hasOwn(PAGES, name)

export const addressOf = (page: PageName): string => `#/${page}`

/** The first page for any other fragment. */
export function currentPage(): PageName {
  const name = location.hash.replace(/^#\//, '')
  return isPageName(name) ? name : 'now'
}
