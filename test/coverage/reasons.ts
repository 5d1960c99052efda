/** Reasons why a local bridge cannot implement some statements. */

export const NO_AUDIO = 'Voice and audio run inside the game process and its sound devices, not in a local bridge.'
export const NO_CONSOLE = 'Consoles run no local bridge.'
export const NO_OBJECT = 'It describes an object of a C++ library; over a local socket arguments are data.'
