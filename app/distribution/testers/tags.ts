import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { buildTags } from './tables.js'

/** The maximum number of tags of a build, and the maximum length of a tag. */
export const MAX_TAGS = 20
export const MAX_TAG = 50

const TAGS = select(
  of(buildTags, 't', ['buildId', 'tag']),
  'from build_tags t where t.organization_id = :org and t.build_id in json(:ids) order by t.tag'
)

/** Returns a function from a build's id to its tags, in the order of code points. */
export async function tagsOf(scope: Scope, buildIds: readonly string[]) {
  const rows = await scope.rows(TAGS, { ids: JSON.stringify(buildIds) })
  const tags = Map.groupBy(rows, ({ buildId }) => buildId)
  return (buildId: string) => inOrder((tags.get(buildId) ?? []).map(({ tag }) => tag))
}

/** Sorts tags and removes duplicates; not by SQL, as databases sort differently. */
const inOrder = (tags: readonly string[]) => [...new Set(tags)].sort()

/** Replaces the tags of a build. @returns whether they have changed */
export async function setTags(
  scope: Scope,
  { id: buildId, bucketId }: { id: string; bucketId: string },
  tags: readonly string[]
): Promise<boolean> {
  const wanted = inOrder(tags)
  const before = (await tagsOf(scope, [buildId]))(buildId)
  if (JSON.stringify(before) === JSON.stringify(wanted)) return false
  await scope.table('build_tags').where('build_id', buildId).delete()
  await scope.insert(
    buildTags,
    wanted.map((tag) => ({ buildId, tag, bucketId }))
  )
  return true
}
