import type { ResolvedFile } from '#plugin-kit/capabilities/source'
import type { Mutation, PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import { Mirror } from '../mirror/mirror.js'
import { writeCommit } from '../mirror/objects.js'
import { branchRef, requireMessage, isHash, quoted } from '../names.js'
import { refused } from '../program/failures.js'
import { fileHashAt, treeWith } from './files.js'
import { commitOf, committerOf, findEarlierCommit, requestLine, tipOf } from './commits.js'
import { retryWhileMoving } from './retry_while_moving.js'

/** Maximum number of files in conflict that are listed. */
const MAX_NAMED = 100

/**
 * Merges a branch, or a commit by its full hash, into another and pushes the merge. It always makes
 * a merge commit, even if a fast-forward is possible, and pushes nothing with unresolved conflicts.
 * @throws ProviderError `conflict` with the files, `notFound`, `invalid`
 */
export function mergeBranch(
  ctx: PluginContext,
  {
    from,
    into,
    message,
    resolved,
  }: { from: string; into: string; message: string; resolved: readonly ResolvedFile[] },
  { idempotencyKey }: Mutation
): Promise<{ sha: string; isMerged: boolean }> {
  const [fromRef, intoRef] = [isHash(from) ? null : branchRef(from), branchRef(into)]
  const text = requireMessage(message)
  if (text === '') throw refused('invalid', 'A merge needs a message', 'message')
  return Mirror.use(ctx, (mirror) =>
    retryWhileMoving(into, async () => {
      await mirror.fetch()
      const theirs = fromRef
        ? await requireTip(mirror, fromRef, from)
        : await commitOf(mirror, from)
      const ours = await requireTip(mirror, intoRef, into)
      const before = await findEarlierCommit(mirror, ours, idempotencyKey)
      if (before !== null) return { sha: before, isMerged: true }
      if (await isWithin(mirror, theirs, ours)) return { sha: ours, isMerged: false }
      await requireRelated(mirror, ours, theirs)
      const person = committerOf(ctx)
      const to = await writeCommit(mirror, {
        tree: await mergedTree(mirror, {
          ours,
          theirs,
          unmerged: `${quoted(from)} does not merge into ${quoted(into)}`,
          resolved,
        }),
        parents: [ours, theirs],
        author: person,
        committer: person,
        message: Buffer.from(`${text}\n\n${requestLine(idempotencyKey)}\n`),
      })
      const pushed = await mirror.push({ ref: intoRef, from: ours, to })
      return pushed === 'done' ? { sha: to, isMerged: true } : null
    })
  )
}

/**
 * Returns whether a branch would merge into another in their present states.
 * @throws ProviderError `notFound`, `invalid`
 */
export function isMergeable(
  ctx: PluginContext,
  { from, into }: { from: string; into: string }
): Promise<boolean> {
  const [fromRef, intoRef] = [branchRef(from), branchRef(into)]
  return Mirror.use(ctx, async (mirror) => {
    await mirror.fetch()
    const theirs = await requireTip(mirror, fromRef, from)
    const ours = await requireTip(mirror, intoRef, into)
    if (await isWithin(mirror, theirs, ours)) return true
    try {
      await requireRelated(mirror, ours, theirs)
      await mergedTree(mirror, { ours, theirs, unmerged: 'They cannot be merged' })
      return true
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'conflict') return false
      throw error
    }
  })
}

async function requireTip(mirror: Mirror, ref: string, name: string): Promise<string> {
  const tip = await tipOf(mirror, ref)
  if (tip !== null) return tip
  throw refused('notFound', `There is no branch ${quoted(name)}`, 'branch')
}

async function isWithin(mirror: Mirror, commit: string, tip: string): Promise<boolean> {
  const { code } = await mirror.run(['merge-base', '--is-ancestor', commit, tip], {
    expected: [0, 1],
  })
  return code === 0
}

async function requireRelated(mirror: Mirror, ours: string, theirs: string): Promise<void> {
  const { code } = await mirror.run(['merge-base', ours, theirs], { expected: [0, 1] })
  if (code === 0) return
  throw refused('conflict', 'The two branches have no commit in common', 'unrelated')
}

/**
 * Returns the tree of two commits merged; without a common ancestor, with an empty tree as the base.
 * @param unmerged how the refusal begins, before the files
 * @param resolved the resolved contents of files in conflict
 * @throws ProviderError `conflict` with the files in `fields`
 */
export async function mergedTree(
  mirror: Mirror,
  {
    ours,
    theirs,
    unmerged,
    resolved = [],
  }: { ours: string; theirs: string; unmerged: string; resolved?: readonly ResolvedFile[] }
): Promise<string> {
  const flags = [
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    '--allow-unrelated-histories',
  ]
  const { code, stdout } = await mirror.run(['merge-tree', ...flags, ours, theirs], {
    expected: [0, 1],
  })
  const [tree, ...files] = stdout.toString('utf8').split('\0').filter(Boolean)
  if (code === 0) return tree
  const known = new Map(resolved.map((each) => [each.path, each]))
  const texts = files.flatMap((path) => known.get(path) ?? [])
  if (texts.length === files.length && (await areAsNamed(mirror, { ours, theirs }, texts))) {
    return treeWith(mirror, tree, texts)
  }
  const named = files.slice(0, MAX_NAMED)
  throw new ProviderError('conflict', `${unmerged}: ${named.join(', ')}`.slice(0, 500), {
    outcome: 'notApplied',
    reason: 'merge',
    fields: named.map((path) => ({ path, message: 'is in conflict' })),
  })
}

/** Returns whether files are unchanged on both sides of a merge since they were resolved. */
async function areAsNamed(
  mirror: Mirror,
  { ours, theirs }: { ours: string; theirs: string },
  files: readonly ResolvedFile[]
): Promise<boolean> {
  for (const file of files) {
    if ((await fileHashAt(mirror, ours, file.path)) !== file.ours) return false
    if ((await fileHashAt(mirror, theirs, file.path)) !== file.theirs) return false
  }
  return true
}
