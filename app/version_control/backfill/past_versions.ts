import { compilePattern } from '#apps/patterns/pattern'
import { instantOf, type Instant } from '#foundation/core/clock'
import type { Tag } from '#plugin-kit/capabilities/source'
import type { PastVersion } from '#releases/actions/import_releases'
import type { Tagging } from '#releases/names/tag_names'
import { normalVersion, parseVersion, type Version } from '#workflow/version'
import { releaseTag } from '../repository/release_tags.js'

/** The tag names of an app without patterns. Tags with any other text may be another app's. */
const PLAIN = /^v?(\d{1,9}(?:\.\d{1,9}){1,2})$/i

/** Returns the version whose release a tag marks; null for a candidate's tag, or another app's. */
function releasedVersion({ tagSettings }: Tagging, name: string): Version | null {
  if (tagSettings.length === 0) return parseVersion(PLAIN.exec(name)?.[1] ?? '')
  for (const { pattern } of tagSettings) {
    const version = parseVersion(compilePattern(pattern, 'tag').match(name)?.version ?? '')
    if (version) return version
  }
  return null
}

/**
 * Returns the versions that the tags of a repository mark as released. Of several tags of one
 * version, the newest counts.
 * @param tags newest first
 * @param now upper bound of the release dates
 */
export function pastVersions(app: Tagging, tags: readonly Tag[], now: Instant): PastVersion[] {
  const found = new Map<string, PastVersion>()
  for (const tag of tags) {
    const version = releasedVersion(app, tag.name)
    if (!version || found.has(normalVersion(version))) continue
    const at = instantOf(tag.at) ?? now
    const shown = releaseTag(app, { ...tag, at: at < now ? at : now })
    found.set(normalVersion(version), {
      version,
      tag: { ...shown, version: normalVersion(version) },
      releasedAt: null,
    })
  }
  return [...found.values()]
}
