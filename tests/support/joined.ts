/**
 * Merges several tables into one.
 * @throws Error for a name that two tables have with different rows
 */
export function joined<Row>(...tables: Record<string, Row>[]): Record<string, Row> {
  const rows = tables.flatMap((table) => Object.entries(table))
  const whole = Object.fromEntries(rows)
  const [twice] = rows.find(([name, row]) => whole[name] !== row) ?? []
  if (twice) throw new Error(`${twice} stands in two tables`)
  return whole
}
