/**
 * One table of several.
 * @throws Error for what two of them name.
 */
export function joined<Row>(...tables: Record<string, Row>[]): Record<string, Row> {
  const rows = tables.flatMap((table) => Object.entries(table))
  const whole = Object.fromEntries(rows)
  const [twice] = rows.find(([name, row]) => whole[name] !== row) ?? []
  if (twice) throw new Error(`${twice} stands in two tables`)
  return whole
}
