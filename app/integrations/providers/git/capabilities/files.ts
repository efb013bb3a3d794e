import { rm } from 'node:fs/promises'
import type { Commit } from '#plugin-kit/capabilities/source'
import type { Mutation, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { writeCommit } from '../mirror/objects.js'
import { branchRef, requireCommitName, requireFilePath, requireMessage, quoted } from '../names.js'
import { refused } from '../program/failures.js'
import {
  commitOf,
  committerOf,
  describeCommit,
  findEarlierCommit,
  requestLine,
  tipOf,
} from './commits.js'
import { retryWhileMoving } from './retry_while_moving.js'

/** Maximum bytes of a file that is read as text. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024
/** Maximum number of files in one commit. */
const MAX_FILES = 100
/** The mode of a regular file. */
const REGULAR_FILE = '100644'

interface TreeEntry {
  mode: string
  type: string
  hash: string
}

/**
 * Returns a file as text; null if the path does not exist or is a link, a folder or a submodule.
 * @throws ProviderError `notFound` for the ref; `invalid` if the file is too large or not text
 */
export function readFile(
  ctx: PluginContext,
  path: string,
  ref: string
): Promise<{ text: string; sha: string } | null> {
  requireFilePath(path)
  requireCommitName(ref)
  return Mirror.use(ctx, async (mirror) => {
    await mirror.fetch()
    const entry = await entryAt(mirror, await commitOf(mirror, ref), path)
    if (!entry || !isFile(entry)) return null
    const size = Number(await mirror.line(['cat-file', '-s', entry.hash]))
    if (size > MAX_TEXT_BYTES) {
      throw refused('invalid', `${quoted(path)} has ${size} bytes, which is too large`, 'too_large')
    }
    const { stdout } = await mirror.run(['cat-file', 'blob', entry.hash])
    return { text: decoded(stdout, path), sha: entry.hash }
  })
}

function decoded(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused('invalid', `${quoted(path)} is not UTF-8 text`, 'no_text')
  }
}

export interface FileChange {
  path: string
  text: string
  /** The hash that the file must still have. */
  replaces?: string
}

/**
 * Commits files to the tip of a branch. Without a difference it makes no commit and returns the
 * tip. A retry returns the commit of the earlier attempt.
 * @throws ProviderError `notFound`, `invalid`, `conflict` if the branch keeps moving, or a file no
 * longer has the hash that it `replaces`
 */
export function commitFiles(
  ctx: PluginContext,
  { branch, files, message }: { branch: string; files: readonly FileChange[]; message: string },
  { idempotencyKey }: Mutation
): Promise<Commit> {
  const ref = branchRef(branch)
  requireChanges(files, message)
  return Mirror.use(ctx, (mirror) =>
    retryWhileMoving(branch, async () => {
      await mirror.fetch()
      const tip = await tipOf(mirror, ref)
      if (tip === null) throw refused('notFound', `There is no branch ${quoted(branch)}`, 'branch')
      const before = await findEarlierCommit(mirror, tip, idempotencyKey)
      if (before !== null) return describeCommit(mirror, before)
      const tree = await treeWith(mirror, tip, files)
      if (tree === (await mirror.line(['rev-parse', `${tip}^{tree}`]))) {
        return describeCommit(mirror, tip)
      }
      const person = committerOf(ctx)
      const text = `${message.trim()}\n\n${requestLine(idempotencyKey)}\n`
      const to = await writeCommit(mirror, {
        tree,
        parents: [tip],
        author: person,
        committer: person,
        message: Buffer.from(text),
      })
      const pushed = await mirror.push({ ref, from: tip, to })
      return pushed === 'done' ? describeCommit(mirror, to) : null
    })
  )
}

function requireChanges(files: readonly FileChange[], message: string): void {
  if (files.length === 0 || files.length > MAX_FILES) {
    throw refused('invalid', `A commit needs 1 to ${MAX_FILES} files`, 'files')
  }
  if (requireMessage(message) === '') {
    throw refused('invalid', 'A commit needs a message', 'message')
  }
  const paths = files.map(({ path }) => requireFilePath(path))
  if (new Set(paths).size < paths.length) {
    throw refused('invalid', 'A commit can contain a file only once', 'path')
  }
}

/**
 * Writes a tree: the given one, or that of a commit, with changed files. It uses a separate index.
 */
export async function treeWith(
  mirror: Mirror,
  tip: string,
  files: readonly FileChange[]
): Promise<string> {
  const index = mirror.path('tarmac-index')
  const env = { GIT_INDEX_FILE: index }
  const lines: string[] = []
  for (const { path, text, replaces } of files) {
    if (replaces !== undefined) await requireUnchanged(mirror, tip, path, replaces)
    const mode = await modeFor(mirror, tip, path)
    const hash = await mirror.line(['hash-object', '-w', '--no-filters', '--stdin'], {
      input: text,
    })
    lines.push(`${mode} ${hash}\t${path}\0`)
  }
  try {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
    await mirror.run(['read-tree', tip], { env })
    await mirror.run(['update-index', '-z', '--index-info'], { env, input: lines.join('') })
    return await mirror.line(['write-tree'], { env })
  } finally {
    await rm(index, { force: true })
  }
}

async function requireUnchanged(mirror: Mirror, tip: string, path: string, replaces: string) {
  if ((await fileHashAt(mirror, tip, path)) === replaces) return
  throw refused('conflict', `${quoted(path)} was changed in the meantime`, 'changed')
}

/** Returns the hash of a file, as `readFile` returns it; undefined if the path does not exist. */
export const fileHashAt = async (mirror: Mirror, commit: string, path: string) =>
  (await entryAt(mirror, commit, path))?.hash

/**
 * Returns the mode for a file: its current one, or that of a regular file if it is new.
 * @throws ProviderError `invalid` if the path is not a file, or its folder is not a folder
 */
async function modeFor(mirror: Mirror, tip: string, path: string): Promise<string> {
  const parts = path.split('/')
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/')
    const entry = await entryAt(mirror, tip, folder)
    if (!entry) return REGULAR_FILE
    if (entry.type === 'tree') continue
    throw refused('invalid', `${quoted(folder)} is not a folder`, 'path')
  }
  const entry = await entryAt(mirror, tip, path)
  if (!entry) return REGULAR_FILE
  if (isFile(entry)) return entry.mode
  throw refused('invalid', `${quoted(path)} is not a file`, 'path')
}

async function entryAt(mirror: Mirror, commit: string, path: string): Promise<TreeEntry | null> {
  const { stdout } = await mirror.run(['ls-tree', '-z', '--full-tree', commit, '--', path])
  const [, mode, type, hash] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(stdout.toString('utf8')) ?? []
  return hash === undefined ? null : { mode, type, hash }
}

/** Excludes symbolic links, which are blobs, too. */
function isFile({ mode, type }: TreeEntry): boolean {
  return type === 'blob' && mode !== '120000'
}
