/** Sets what an application of the sandbox may do, as its developer portal would. */
export async function setApplication(origin: string, applicationId: string, settings: object): Promise<void> {
  const reply = await fetch(`${origin}/sandbox/applications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ application_id: applicationId, ...settings }),
  })
  if (!reply.ok) throw new Error(`the sandbox refused the settings: ${await reply.text()}`)
}

/** The settings with which an application may request every scope. */
export const ALL_SCOPES = {
  premium: true,
  social_sdk_terms: true,
  approved_scopes: ['applications.builds.upload', 'gdm.join', 'guilds.join', 'messages.read', 'rpc', 'rpc.voice.write'],
} as const

/** The redirects with which a game signs in by a port of this machine, its default scheme, or a scheme of its own. */
export const withScheme = (applicationId: string, scheme: string) => ({
  redirect_uris: [
    'http://127.0.0.1',
    'http://localhost',
    ...[`discord-${applicationId}`, scheme].map((one) => `${one}:/authorize/callback`),
  ],
})

/** Lets a test send more requests at once than the platform allows a game. */
export async function withoutLimits(origin: string): Promise<void> {
  const reply = await fetch(`${origin}/sandbox/limits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ table: false }),
  })
  if (!reply.ok) throw new Error(`the sandbox kept its limits: ${await reply.text()}`)
}
