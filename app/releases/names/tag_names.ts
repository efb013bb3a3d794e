import type App from '#apps/models/app'
import { compilePattern } from '#apps/patterns/pattern'
import { parseVersion, type Version } from '#workflow/version'

/** The tag patterns of an app. */
export type Tagging = Pick<App, 'tagSettings'>

/** The tag of a version by the app's first tag pattern that it can be written with. */
export function tagName(app: Tagging, version: string): string {
  for (const { pattern } of app.tagSettings) {
    const name = compilePattern(pattern, 'tag').render({ version })
    if (name !== null) return name
  }
  return version
}

/** A dotted version; part of a longer row of numbers is none. */
const DOTTED_VERSION = /(?<![\d.])\d{1,9}(?:\.\d{1,9}){1,2}(?!\d|\.\d)/g

/**
 * The version in a tag's name, by the app's patterns or as the only dotted one in it. Null if it
 * names none or several: an ambiguous tag is not checked.
 */
export function versionIn(app: Tagging, tag: string): Version | null {
  for (const { pattern } of app.tagSettings) {
    const found = compilePattern(pattern, 'tag').match(tag)?.version
    if (found) return parseVersion(found)
  }
  const dotted = tag.match(DOTTED_VERSION) ?? []
  return dotted.length === 1 ? parseVersion(dotted[0]) : null
}
