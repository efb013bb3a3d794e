/** Identical changes: their values, and the ids of all rows that get them. */
interface Alike<Values> {
  ids: string[]
  values: Values
}

/**
 * Groups rows with the same new values, so that one statement writes each group; skips empty
 * changes.
 */
export function alike<Values extends object>(
  changes: Iterable<readonly [id: string, values: Values]>
): Alike<Values>[] {
  const groups = new Map<string, Alike<Values>>()
  for (const [id, values] of changes) {
    if (Object.keys(values).length === 0) continue
    const key = JSON.stringify(values)
    const group = groups.get(key)
    if (group) group.ids.push(id)
    else groups.set(key, { ids: [id], values })
  }
  return [...groups.values()]
}
