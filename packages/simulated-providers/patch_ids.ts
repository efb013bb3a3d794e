import { filesAt, textHash, type SimulatedRepository } from './repository.js'

/**
 * Returns an id of each commit's change, like `git patch-id`: equal for the same removed and added
 * lines, wherever they are in a file. Merges and empty commits have none.
 */
export function patchIds(
  repository: SimulatedRepository,
  shas: readonly string[]
): [sha: string, id: string][] {
  const bySha = new Map(repository.commits.map((each) => [each.sha, each]))
  return shas.flatMap((sha): [string, string][] => {
    const { parents = [], files = {} } = bySha.get(sha) ?? {}
    if (parents.length > 1) return []
    const before = filesAt(repository, parents[0] ?? '')
    const changes = Object.entries(files).flatMap(([path, text]) => {
      const [old, now] = [linesOf(before.get(path)), linesOf(text)]
      const [removed, added] = [without(old, now), without(now, old)]
      return removed.length + added.length === 0 ? [] : [[path, removed, added]]
    })
    return changes.length === 0 ? [] : [[sha, textHash(JSON.stringify(changes.sort()))]]
  })
}

const linesOf = (text: string | null | undefined) => (text ?? '').split('\n').filter(Boolean)

/** Returns the lines that another text lacks; each of its lines cancels one equal line. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const unmatched = [...others]
  return lines.filter((line) => {
    const found = unmatched.indexOf(line)
    if (found >= 0) unmatched.splice(found, 1)
    return found < 0
  })
}
