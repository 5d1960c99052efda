/** Where the icon of a guild is. */

/** `imageOrigin`: where the platform serves images, e.g. `https://cdn.example.com`. */
export const guildIcon = ({ id, icon }: { readonly id: string; readonly icon: string | null }, imageOrigin: string): string | null =>
  icon === null ? null : `${imageOrigin}/icons/${id}/${icon}.png`
