/** Where the forms of the front page lead: below the control interface, which works whatever goes wrong on demand. */
export const PAGE_PATHS = {
  ban: '/sandbox/page/ban',
  lift: '/sandbox/page/lift',
  unlink: '/sandbox/page/unlink',
  interaction: '/sandbox/page/interaction',
  join: '/sandbox/page/join',
} as const
