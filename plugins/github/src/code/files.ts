import { type Commit, type Mutation, unless } from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import { requireName, isNotFound, requestLine, type GitHub } from '../github.js'
import {
  requireTip,
  gitCommit,
  madeBefore,
  moveBranch,
  retryWhileMoving,
  withTrailers,
} from './commits.js'
import { modesOf } from './modes.js'

/** Reads a text file and the hash of its content; null if there is no file. */
export async function readFile(github: GitHub, path: string, ref: string) {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/contents/{path}', { path, ref }),
    isNotFound
  )
  const file = found?.data
  // A folder is answered as a list; links and submodules have no text.
  if (!file || Array.isArray(file) || file.type !== 'file' || !('encoding' in file)) return null
  const { sha, encoding, content } = file as { sha: string; encoding: string; content: string }
  // GitHub leaves out the content of files larger than 1 MB.
  if (encoding === 'base64') return { text: textIn(content), sha }
  const { data } = await github.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
    file_sha: sha,
  })
  return { text: textIn(data.content), sha }
}

const textIn = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')

/** A file to commit, and the hash of the one that it replaces. */
interface Change {
  path: string
  text: string
  replaces?: string
}

/** Commits files to the tip of a branch, once per request. */
export async function commitFiles(
  github: GitHub,
  branch: string,
  files: readonly Change[],
  message: string,
  mutation: Mutation
): Promise<Commit> {
  requireName(branch)
  return retryWhileMoving(branch, async () => {
    const tip = await requireTip(github, branch)
    const before = await madeBefore(github, tip, mutation)
    if (before) return before
    await requireUnchanged(github, tip, files)
    const tree = await treeOf(github, tip, files)
    const text = withTrailers(message, [requestLine(mutation)])
    const made = await createCommit(github, { message: text, tree, parents: [tip] })
    return (await moveBranch(github, branch, made.sha)) ? made : null
  })
}

async function requireUnchanged(github: GitHub, tip: string, files: readonly Change[]) {
  for (const { path, replaces } of files) {
    if (replaces === undefined) continue
    const now = await readFile(github, path, tip)
    if (now?.sha !== replaces) {
      throw refused('conflict', `"${path}" has changed in the meantime`, 'changed', [path])
    }
  }
}

/**
 * Creates the tree of a commit with some files replaced or added. A replaced file keeps its mode.
 * @throws ProviderError `invalid` for a path that is not a file, such as a link
 */
export async function treeOf(
  github: GitHub,
  commit: string,
  files: readonly { path: string; text: string }[]
): Promise<string> {
  const known = await gitCommit(github, commit)
  if (files.length === 0) return known.tree.sha
  const paths = files.map(({ path }) => path)
  const modes = await modesOf(github, commit, paths)
  const { data } = await github.request('POST /repos/{owner}/{repo}/git/trees', {
    base_tree: known.tree.sha,
    tree: files.map(({ path, text: content }) => ({
      ...{ path, content, type: 'blob' as const },
      mode: modes.get(path) as '100644' | '100755',
    })),
  })
  return data.sha
}

interface NewCommit {
  message: string
  tree: string
  parents: string[]
  /** Default: the account that makes the request. */
  author?: { name: string; email: string; date?: string }
}

export async function createCommit(github: GitHub, commit: NewCommit): Promise<Commit> {
  const { data } = await github.request('POST /repos/{owner}/{repo}/git/commits', commit)
  const { sha, author, committer, message, parents, html_url: url } = data
  return {
    sha,
    message,
    author: author.name,
    email: author.email,
    at: committer.date,
    url,
    parents: parents.map((each) => each.sha),
  }
}
