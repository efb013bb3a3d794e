import type { Tag, VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import { gather } from './gather.js'

/** Pages of tags that begin with a name; a list that has no end then is none. */
const MOST_PAGES = 100

/**
 * The tag of a name; undefined if there is none.
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
    mostPages: MOST_PAGES,
  })
  if (rows[0] || cursor === null) return rows[0]?.item
  const message = `The tags that begin with ${name} have no end after ${MOST_PAGES} pages`
  throw new ProviderError('protocol', message, { outcome: 'notApplied', reason: 'pages' })
}

/** The full hash of a commit, as providers write it. */
export const isFullHash = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
