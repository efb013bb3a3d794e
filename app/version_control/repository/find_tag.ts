import type { Tag, VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import { gather } from './gather.js'

/** Most pages of tags with a prefix; a longer list is an error of the provider. */
const MAX_PAGES = 100

/**
 * Returns the tag of a name; undefined if there is none.
 * @throws ProviderError `protocol` for a list without an end
 */
export async function findTag(
  versionControl: Pick<VersionControl, 'listTags'>,
  name: string
): Promise<Tag | undefined> {
  const { rows, cursor } = await gather((page) => versionControl.listTags(name, page), {
    from: '',
    limit: 1,
    isWanted: (tag) => tag.name === name,
    mostPages: MAX_PAGES,
  })
  if (rows[0] || cursor === null) return rows[0]?.item
  const message = `There are more than ${MAX_PAGES} pages of tags that begin with ${name}`
  throw new ProviderError('protocol', message, { outcome: 'notApplied', reason: 'pages' })
}

/** Returns whether a text is the full hash of a commit, as providers write it. */
export const isFullHash = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
