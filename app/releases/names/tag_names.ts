import type App from '#apps/models/app'
import { compilePattern } from '#apps/patterns/pattern'
import { parseVersion, type Version } from '#workflow/version'

/** The tag patterns of an app. */
export type Tagging = Pick<App, 'tagSettings'>

/** Returns the tag of a version: by the first tag pattern that needs no other value, or itself. */
export function tagName(app: Tagging, version: string): string {
  for (const { pattern } of app.tagSettings) {
    const name = compilePattern(pattern, 'tag').render({ version })
    if (name !== null) return name
  }
  return version
}

/** Matches a dotted version that is not part of a longer dotted number. */
const DOTTED_VERSION = /(?<![\d.])\d{1,9}(?:\.\d{1,9}){1,2}(?!\d|\.\d)/g

/**
 * Returns the version in a tag's name: by the app's patterns, or else the only dotted version. Null
 * if there is none, or if there are several.
 */
export function versionIn(app: Tagging, tag: string): Version | null {
  for (const { pattern } of app.tagSettings) {
    const found = compilePattern(pattern, 'tag').match(tag)?.version
    if (found) return parseVersion(found)
  }
  const dotted = tag.match(DOTTED_VERSION) ?? []
  return dotted.length === 1 ? parseVersion(dotted[0]) : null
}
