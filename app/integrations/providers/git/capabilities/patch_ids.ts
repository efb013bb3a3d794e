import type { PluginContext } from '#plugin-kit/context'
import { isProviderError } from '#plugin-kit/provider_error'
import { Mirror } from '../mirror/mirror.js'
import { requireHash } from '../names.js'

/** Maximum size of a diff before it is split in halves, in bytes. */
const MAX_OUTPUT = 16 * 1024 * 1024
/** Whole, and the same whatever the repository or the machine prefers. */
const PLAIN = ['--full-index', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color']

/**
 * Returns the `git patch-id` of commits, by hash: without positions and white space. A far too
 * large change is left out, as merges are.
 */
export function patchIds(
  ctx: PluginContext,
  shas: readonly string[]
): Promise<Record<string, string>> {
  for (const sha of shas) requireHash(sha)
  return Mirror.use(ctx, async (mirror) => {
    const found = await mirror.commits(shas)
    const known = shas.filter((sha, index) => found[index] === sha)
    return Object.fromEntries(await idsOf(mirror, known))
  })
}

async function idsOf(mirror: Mirror, shas: readonly string[]): Promise<[string, string][]> {
  if (shas.length === 0) return []
  try {
    const { stdout: patches } = await mirror.run(
      ['diff-tree', '--stdin', '-p', '--root', ...PLAIN],
      {
        input: shas.map((sha) => `${sha}\n`).join(''),
        maxOutput: MAX_OUTPUT,
      }
    )
    const ids = await mirror.line(['patch-id', '--stable'], { input: patches })
    return ids.split('\n').flatMap((line): [string, string][] => {
      const [id, sha] = line.split(' ')
      return sha ? [[sha, id]] : []
    })
  } catch (error) {
    if (!isProviderError(error) || error.code !== 'protocol') throw error
    if (shas.length === 1) return []
    const half = Math.ceil(shas.length / 2)
    return [
      ...(await idsOf(mirror, shas.slice(0, half))),
      ...(await idsOf(mirror, shas.slice(half))),
    ]
  }
}
