/** What a package must say of the work of others in it: whose it is, and under which licence. */

export interface Notice {
  readonly name: string
  /** Undefined where the files that are used do not say it. */
  readonly version?: string
  /** Identifiers of SPDX, which apply together. */
  readonly licences: readonly string[]
  /** Where its files are when a package is made, as a pattern below the root of the tree. */
  readonly files: string
  /** The texts of the licences, as its makers wrote them. */
  readonly text: string
}

/** The file that each package has. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES'

const RULE = '='.repeat(76)

export const titleOf = ({ name, version }: Pick<Notice, 'name' | 'version'>): string =>
  version === undefined ? name : `${name} ${version}`

/** The text of the file. */
export function noticesText(notices: readonly Notice[]): string {
  const parts = notices.map((one) => `${RULE}\n${titleOf(one)}\nLicence: ${one.licences.join(' AND ')}\n${RULE}\n\n${one.text.trim()}\n`)
  return ['Sallyport contains the work of others. These are their notices and licences.\n', ...parts].join('\n')
}

/** The licences of a package, with ours, as an expression of SPDX. */
export const licenceExpression = (notices: readonly Notice[]): string =>
  [...new Set(['MIT', ...notices.flatMap(({ licences }) => licences).toSorted()])].join(' AND ')
