import { filesAt, textHash, type SimulatedRepository } from './repository.js'

/**
 * Returns what commits change, by hash: removed and added lines, wherever in their files. Merges
 * and commits without a change have none.
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
      const [gone, come] = [without(old, now), without(now, old)]
      return gone.length + come.length === 0 ? [] : [[path, gone, come]]
    })
    return changes.length === 0 ? [] : [[sha, textHash(JSON.stringify(changes.sort()))]]
  })
}

const linesOf = (text: string | null | undefined) => (text ?? '').split('\n').filter(Boolean)

/** Lines without those of another text, each as often as it is there. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const found = left.indexOf(line)
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}
