/** Converts families of rows to one table keyed and sorted by name; throws on duplicates. A family is a module whose exports are all rows. */

interface TableRow {
  readonly name: string
  readonly summary: string
}
/** Modules by family: the name of its file without the ending. */
type Families = Readonly<Record<string, Readonly<Record<string, TableRow>>>>

type RowOf<Given extends Families> = { [Family in keyof Given]: Given[Family][keyof Given[Family]] }[keyof Given]
type Keyed<Row extends TableRow> = { readonly [One in Row as One['name']]: One }

export function tableOf<Given extends Families>(families: Given): Keyed<RowOf<Given>> {
  const table: Record<string, TableRow> = {}
  const rows = Object.values(families).flatMap((family) => Object.values(family))
  for (const row of rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (Object.hasOwn(table, row.name)) throw new Error(`two rows are named ${row.name}`)
    table[row.name] = row
  }
  return table as Keyed<RowOf<Given>>
}
