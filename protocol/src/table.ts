/** Converts rows to a table keyed by name; throws on duplicates. */

type Keyed<Rows extends readonly { readonly name: string }[]> = { readonly [Row in Rows[number] as Row['name']]: Row }

export function tableOf<const Rows extends readonly { readonly name: string }[]>(rows: Rows): Keyed<Rows> {
  const table: Record<string, { readonly name: string }> = {}
  for (const row of rows) {
    if (Object.hasOwn(table, row.name)) throw new Error(`two rows are named ${row.name}`)
    table[row.name] = row
  }
  return table as Keyed<Rows>
}
