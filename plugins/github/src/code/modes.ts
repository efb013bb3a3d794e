import { refused } from '../errors.js'
import type { GitHub } from '../github.js'

const REGULAR = '100644'
const EXECUTABLE = '100755'
const FOLDER = '40000'

interface TreesAnswer {
  repository: Record<string, { entries?: { name: string; mode: number }[] } | null>
}

/**
 * Returns the modes of files in a commit, by path: that of a regular file for those that are new.
 * @throws ProviderError `invalid` if a path is not a file, or its folder is not a folder
 */
export async function modesOf(
  github: GitHub,
  commit: string,
  paths: readonly string[]
): Promise<Map<string, string>> {
  const folders = [...new Set(paths.flatMap(foldersOf))]
  const names = folders.map((_, index) => `at${index}`)
  const query = `query ($owner: String!, $repo: String!, ${names.map((name) => `$${name}: String!`).join(', ')}) {
    repository(owner: $owner, name: $repo) {
      ${names.map((name) => `${name}: object(expression: $${name}) { ... on Tree { entries { name mode } } }`).join('\n')}
    }
  }`
  const expressions = folders.map((folder, index) => [names[index], `${commit}:${folder}`])
  const { repository } = await github.graphql<TreesAnswer>(query, Object.fromEntries(expressions))
  const modes = new Map(
    folders.flatMap((folder, index) =>
      (repository[names[index]]?.entries ?? []).map(({ name, mode }) => [
        folder === '' ? name : `${folder}/${name}`,
        mode.toString(8),
      ])
    )
  )
  return new Map(paths.map((path) => [path, modeFor(path, modes)]))
}

/** Returns the folders that lead to a file; that of the repository itself is empty. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, depth) => parts.slice(0, depth).join('/'))
}

function modeFor(path: string, modes: ReadonlyMap<string, string>): string {
  for (const folder of foldersOf(path).slice(1)) {
    const mode = modes.get(folder)
    if (mode === undefined) return REGULAR
    if (mode !== FOLDER) throw refused('invalid', `"${folder}" is not a folder`, 'path')
  }
  const mode = modes.get(path) ?? REGULAR
  if (mode === EXECUTABLE) return mode
  // Links and submodules have other modes.
  if (mode.startsWith('100')) return REGULAR
  throw refused('invalid', `"${path}" is not a file`, 'path')
}
