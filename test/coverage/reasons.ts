/** Reasons why a local bridge cannot carry some statements. */

export const NO_AUDIO = 'Voice and audio run inside the game process and its sound devices, not in a local bridge.'
export const NO_CONSOLE = 'Consoles run no local bridge.'
export const OWN_PROCESS = 'It concerns the SDK inside the game process; the bridge is another process.'
