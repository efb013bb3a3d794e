import { isSameVersion } from '#plugin-kit/version_names'

/*
 * A version's name in the record of its store. Google Play has tracks for testers and for form
 * factors whose versions may have equal numbers, so the name includes the track unless it is the
 * production track. Pure.
 */

const PRODUCTION = 'production'
const FORM_FACTOR_PREFIX = /^\S+:production /

/** Returns the name of a version on a track; stores without tracks have none. */
export const nameOnTrack = (track: string | null | undefined, version: string) =>
  track && track !== PRODUCTION ? `${track} ${version}` : version

/** Returns the version of a name, as users see it. */
export const versionOfName = (name: string) => name.replace(FORM_FACTOR_PREFIX, '')

/** Returns whether two names denote the same version, however they are written. */
export function isSameName(one: string, other: string): boolean {
  const prefixOf = (name: string) => FORM_FACTOR_PREFIX.exec(name)?.[0]
  return (
    prefixOf(one) === prefixOf(other) && isSameVersion(versionOfName(one), versionOfName(other))
  )
}

/** Returns the name that a record already uses for a version on a track, else a new one. */
export function nameIn(
  record: { versions: readonly { version: string }[] },
  track: string | null | undefined,
  version: string
): string {
  const name = nameOnTrack(track, version)
  return record.versions.find((each) => isSameName(each.version, name))?.version ?? name
}
