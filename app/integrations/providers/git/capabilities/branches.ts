import type { Mutation, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { branchRef, requireHash, quoted } from '../names.js'
import { refused } from '../program/failures.js'
import { Remote } from '../remote/remote.js'
import { commitOf, tipOf } from './commits.js'

/** Returns a branch as the remote has it now. Git does not report whether it is protected. */
export async function getBranch(
  ctx: PluginContext,
  name: string
): Promise<{ name: string; sha: string; protected: null } | null> {
  const ref = branchRef(name)
  const remote = await Remote.open(ctx, ctx.data.repoName)
  try {
    const sha = (await remote.refs(ref)).get(ref)
    return sha === undefined ? null : { name, sha, protected: null }
  } finally {
    await remote.close()
  }
}

/**
 * Makes a branch; one that is there at the same commit is it.
 * @throws ProviderError `conflict` when it is there at another, `notFound` without that commit
 */
export function createBranch(
  ctx: PluginContext,
  { name, fromSha }: { name: string; fromSha: string },
  _mutation: Mutation
): Promise<{ name: string; sha: string }> {
  const ref = branchRef(name)
  requireHash(fromSha)
  return Mirror.use(ctx, async (mirror) => {
    await mirror.fetch()
    const there = await tipOf(mirror, ref)
    if (there !== null) return existing(name, there, fromSha)
    await commitOf(mirror, fromSha)
    const change = { ref, from: null, to: fromSha }
    if ((await mirror.push(change)) === 'done') {
      return { name, sha: fromSha }
    }
    const now = (await mirror.remote.refs(ref)).get(ref)
    return existing(name, now ?? null, fromSha)
  })
}

function existing(name: string, there: string | null, fromSha: string) {
  if (there === fromSha) return { name, sha: fromSha }
  const what = there === null ? 'was made and is gone again' : `is there, at ${there}`
  throw refused('conflict', `The branch ${quoted(name)} ${what}`, 'exists')
}
