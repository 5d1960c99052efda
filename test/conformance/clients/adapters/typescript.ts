/** The adapter of the TypeScript client. */
import { AdvancedClock, playTypeScript } from './sallyport.ts'

playTypeScript(new AdvancedClock())
