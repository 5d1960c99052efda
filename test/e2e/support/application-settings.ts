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
export const ALL_SCOPES = { premium: true, social_sdk_terms: true } as const
