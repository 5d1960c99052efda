/** Paths of the front page's forms, below the control interface, which has no faults. */
export const PAGE_PATHS = {
  ban: '/sandbox/page/ban',
  lift: '/sandbox/page/lift',
  unlink: '/sandbox/page/unlink',
  interaction: '/sandbox/page/interaction',
  join: '/sandbox/page/join',
  activity: '/sandbox/page/activity',
  controls: '/sandbox/page/controls',
} as const
