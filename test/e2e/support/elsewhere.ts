/** The profile of a platform of the user's own, at an origin. */
export const elsewhere = (origin: string) => ({
  name: 'elsewhere',
  ipcPrefix: 'discord-ipc',
  baseUrl: `${origin}/api/v10`,
  authorizeUrl: `${origin}/oauth2/authorize`,
  tokenUrl: `${origin}/oauth2/token`,
  revokeUrl: `${origin}/oauth2/revoke`,
  cdnHost: 'cdn.platform.invalid',
  activityProxyHost: 'activities.platform.invalid',
  userAgent: 'Test (sallyport)',
  customSchemePrefix: 'elsewhere',
})
