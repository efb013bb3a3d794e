/** A difference between two states, as in the plans of configuration files. */
export interface Difference {
  op: 'add' | 'change' | 'remove'
  path: string
  from: unknown
  to: unknown
}

/** Members that change with every other change. */
const PASSING = new Set(['updatedAt', 'etag', 'entityTag'])

/** Maximum depth to which members are compared one by one. Deeper ones are shown as a whole. */
const DEPTH = 4

/**
 * Lists the differences member by member. Entries of lists are matched by their id. For lists of
 * words and numbers, the result says which were added and which were removed.
 */
export function differences(was: unknown, is: unknown): Difference[] {
  const found: Difference[] = []
  const compare = (path: string, from: unknown, to: unknown, depth: number): void => {
    if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return
    const entries = entriesThatDiffer(path, from, to)
    if (entries.length > 0) return void found.push(...entries)
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

/** Returns whether a value is a list of words, numbers or similar values. */
export const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)

/**
 * Returns the added and removed entries of two plain lists, or none if only their order differs.
 */
function entriesThatDiffer(path: string, from: unknown, to: unknown): Difference[] {
  if (!isPlainList(from) || !isPlainList(to)) return []
  const added = to.filter((each) => !from.includes(each))
  const removed = from.filter((each) => !to.includes(each))
  return [
    ...(added.length > 0 ? [{ op: 'add' as const, path, from: null, to: added }] : []),
    ...(removed.length > 0 ? [{ op: 'remove' as const, path, from: removed, to: null }] : []),
  ]
}

/** The members that identify list entries. The first one that all entries have is used. */
const KNOWN_BY = ['id', 'type', 'key'] as const

/** Returns the members of an object, or the entries of a list by id. Null for anything else. */
function membersOf(value: unknown): Members | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return value as Members
  const entries = value as (Members | null)[]
  const idsBy = (name: string) => entries.map((each) => each?.[name])
  const ids = KNOWN_BY.map(idsBy).find(
    (list) => list.every((id) => typeof id === 'string') && new Set(list).size === list.length
  )
  if (!ids) return null
  return Object.fromEntries(value.map((each, index) => [`[${String(ids[index])}]`, each]))
}
