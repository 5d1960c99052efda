/** The entry of msgpackr that loads no native code. The package's own types for it cannot be resolved. */
declare module 'msgpackr/pack' {
  export { Packr } from 'msgpackr'
}
