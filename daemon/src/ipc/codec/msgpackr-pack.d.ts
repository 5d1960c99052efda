/** The msgpackr entry point without native code. Its packaged types cannot be resolved, so they are declared here. */
declare module 'msgpackr/pack' {
  export { Packr } from 'msgpackr'
}
