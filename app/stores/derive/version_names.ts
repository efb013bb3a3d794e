import { compareVersions, parseVersion } from '#workflow/version'

/*
 * The name of a version in the record of its store. Google Play has tracks for testers and for form
 * factors, whose versions may be called alike: all but those of the production track are named with
 * their track. Pure.
 */

const PRODUCTION = 'production'
const OF_FORM_FACTOR = /^\S+:production /

/** The name of a version on a track; stores without tracks have none. */
export const nameOnTrack = (track: string | null | undefined, version: string) =>
  track && track !== PRODUCTION ? `${track} ${version}` : version

/** The version that a name is of, as users see it. */
export const versionOfName = (name: string) => name.replace(OF_FORM_FACTOR, '')

/** Returns whether two names denote the same version, however they are written. */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  const [version, otherVersion] = [versionOfName(one), versionOfName(other)]
  if (one.length - version.length !== other.length - otherVersion.length) return false
  if (one.slice(0, -version.length) !== other.slice(0, -otherVersion.length)) return false
  const [parts, otherParts] = [parseVersion(version), parseVersion(otherVersion)]
  return parts !== null && otherParts !== null && compareVersions(parts, otherParts) === 0
}

/** The name in a record of a version on a track: that which the record has for it already. */
export function nameIn(
  record: { versions: readonly { version: string }[] },
  track: string | null | undefined,
  version: string
): string {
  const name = nameOnTrack(track, version)
  return record.versions.find((each) => isSameName(each.version, name))?.version ?? name
}
