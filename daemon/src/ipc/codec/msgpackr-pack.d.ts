/** The entry of msgpackr that looks for no native code. It is the same code; the types that its package ships for it cannot be resolved. */
declare module 'msgpackr/pack' {
  export { Packr } from 'msgpackr'
}
