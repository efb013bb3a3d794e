import type { Tag, VersionControl } from '#plugin-kit/capabilities/source'

/** The tag of a name; undefined where there is none. @throws ProviderError */
export async function findTag(
  versionControl: VersionControl,
  name: string
): Promise<Tag | undefined> {
  for (let cursor: string | undefined; ;) {
    const { items, next } = await versionControl.listTags(name, cursor)
    const found = items.find((tag) => tag.name === name)
    if (found || next === undefined) return found
    cursor = next
  }
}

/** The full hash of a commit, as providers tell it. */
export const isFullHash = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
