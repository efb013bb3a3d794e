/** A difference between what was and what is, as the plans of configuration files have it. */
export interface Difference {
  op: 'add' | 'change' | 'remove'
  path: string
  from: unknown
  to: unknown
}

/** Members that differ whenever anything does. */
const PASSING = new Set(['updatedAt', 'etag', 'entityTag'])

/** How deep members are told one by one: what is further in is told as a whole. */
const DEPTH = 4

/** What differs, member by member; entries of lists go by their id. */
export function differences(was: unknown, is: unknown): Difference[] {
  const found: Difference[] = []
  const compare = (path: string, from: unknown, to: unknown, depth: number): void => {
    if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return
    const [before, after] = [membersOf(from), membersOf(to)]
    if (!before || !after || depth === DEPTH) {
      const op = (from ?? null) === null ? 'add' : (to ?? null) === null ? 'remove' : 'change'
      found.push({ op, path, from: from ?? null, to: to ?? null })
      return
    }
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (PASSING.has(name)) continue
      compare(
        path === '' || name.startsWith('[') ? path + name : `${path}.${name}`,
        before[name],
        after[name],
        depth + 1
      )
    }
  }
  compare('', was, is, 0)
  return found
}

type Members = Readonly<Record<string, unknown>>

/** The members of an object, or the entries of a list by their ids; null for anything else. */
function membersOf(value: unknown): Members | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return value as Members
  const ids = value.map((each) => (each as { id?: unknown } | null)?.id)
  if (ids.some((id) => typeof id !== 'string') || new Set(ids).size < ids.length) return null
  return Object.fromEntries(value.map((each, index) => [`[${String(ids[index])}]`, each]))
}
