/** Changes of rows that are the same, with the ids of all rows that change so. */
interface Alike<Values> {
  ids: string[]
  values: Values
}

/** Puts together what changes alike, so that one statement writes it; nothing if nothing does. */
export function alike<Values extends object>(
  changes: Iterable<readonly [id: string, values: Values]>
): Alike<Values>[] {
  const found = new Map<string, Alike<Values>>()
  for (const [id, values] of changes) {
    if (Object.keys(values).length === 0) continue
    const name = JSON.stringify(values)
    const same = found.get(name)
    if (same) same.ids.push(id)
    else found.set(name, { ids: [id], values })
  }
  return [...found.values()]
}
