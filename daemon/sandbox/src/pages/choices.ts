/** Options of the forms. */
import { html, type Html } from './layout.ts'

export interface Choices {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly applications: readonly { readonly id: string; readonly name: string }[]
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

export const options = (rows: readonly { readonly id: string; readonly label: string }[]): Html =>
  html`${rows.map(({ id, label }) => html`<option value="${id}">${label}</option>`)}`
