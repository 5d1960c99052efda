/** The type of the part of undici that is loaded by its path. The package has no `exports`, and its version is exact. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
