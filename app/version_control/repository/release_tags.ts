import type { Static } from '@sinclair/typebox'
import type { PartialRows, PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import type { Tag } from '#plugin-kit/capabilities/source'
import { normalVersion } from '#workflow/version'
import type { ReleaseTag } from '#releases/entities'
import { versionIn, type Tagging } from '#releases/names/tag_names'
import { askRepository, type AppRepository } from './app_repository.js'
import { gather, type Gathered } from './gather.js'

/** Returns tags whose names contain a text, in any case, newest first. @throws provider_error */
export function listReleaseTags(
  scope: Scope,
  repository: AppRepository,
  { q = '', limit, after }: PageRequest & { q?: string }
): Promise<PartialRows<Gathered<Tag>>> {
  const wanted = q.toLowerCase()
  const [from, at, name] = (after ?? ['', '', '']) as [string, string, string]
  return askRepository(scope, repository, async (versionControl) => {
    const { rows, cursor } = await gather((page) => versionControl.listTags('', page), {
      from,
      limit,
      isWanted: (tag) =>
        tag.name.toLowerCase().includes(wanted) && (name === '' || isBehind(tag, { at, name })),
    })
    return { rows, nextKeys: cursor === null ? null : [cursor, '', ''] }
  })
}

/** Returns the sort keys of a tag. */
export const tagKeys = ({ item, cursor }: Gathered<Tag>) => [cursor, item.at, item.name]

/** Returns whether a tag comes after the last one: newest first, equal ones by name. */
function isBehind(tag: Tag, last: { at: string; name: string }): boolean {
  if (tag.at !== last.at) return tag.at < last.at
  return Buffer.compare(Buffer.from(tag.name), Buffer.from(last.name)) > 0
}

/** Returns a tag as the API shows it, with the version in its name by the app's patterns. */
export function releaseTag(app: Tagging, tag: Tag): Static<typeof ReleaseTag> {
  const version = versionIn(app, tag.name)
  return {
    name: tag.name,
    commitHash: tag.sha,
    version: version && normalVersion(version),
    createdAt: tag.at,
    url: tag.url ?? null,
  }
}
