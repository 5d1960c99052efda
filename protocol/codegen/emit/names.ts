/** Names of rows in the habits of several languages. */

/** The words of `SET_ACTIVITY`, `rpc.voice.read`, `frameBytes` or `LobbyMember`, in lower case. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())

/** `SET_ACTIVITY`; a name that begins with a digit is not possible. */
export const upperSnake = (name: string): string => wordsOf(name).join('_').toUpperCase()

/** `set_activity` */
export const lowerSnake = (name: string): string => wordsOf(name).join('_')

/** `SetActivity` */
export const pascal = (name: string): string =>
  wordsOf(name)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')
