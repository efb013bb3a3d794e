import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { ArchiveMetadata } from '#app-archives/metadata'
import { later, type Instant } from '#foundation/core/clock'
import { ENDS_SHOWN_AHEAD } from '#integrations/queries/ending_connections'

/** The end of something that a build needs, or a date from which a store no longer accepts it. */
export interface BuildEnd {
  at: Instant
  what: 'profileEnd' | 'certificateEnd' | 'targetApiLevel'
  message: string
}

/** The API levels that new versions must target, by form factor. */
export type TargetLevels = Partial<Record<ArchiveMetadata['platform'], number>>

/**
 * The dates from which Google Play rejects versions below a target API level
 * (support.google.com, answer 11926878), oldest first.
 */
export const PLAY_DEADLINES: readonly { at: Instant; levels: TargetLevels }[] = [
  { at: '2025-08-31T00:00:00.000Z', levels: { android: 35, wearos: 34, androidtv: 34 } },
  { at: '2026-08-31T00:00:00.000Z', levels: { android: 36, wearos: 35, androidtv: 34 } },
]

/**
 * Returns the ends of a build that are within 30 days or in the past, oldest first: those of its
 * provisioning profile, of the last certificate in the profile, and the date from which Google Play
 * rejects its target API level. Pure.
 */
export function endsOfBuild(
  { platform, buildNumber, targetOsVersion, profile }: ArchiveMetadata,
  now: Instant,
  deadlines = PLAY_DEADLINES
): BuildEnd[] {
  const build = buildNumber === null ? 'The build' : `Build ${buildNumber}`
  const ends: BuildEnd[] = []
  const add = (at: Instant | null | undefined, what: BuildEnd['what'], message: string) => {
    if (at && at < later(now, ENDS_SHOWN_AHEAD)) ends.push({ at, what, message })
  }
  const verb = (at: Instant) => (at > now ? 'ends' : 'ended')
  const on = (at: Instant) => `${verb(at)} on ${at.slice(0, 10)}`
  if (profile?.expiresAt) {
    const named = profile.name === null ? 'provisioning profile' : `profile ${profile.name}`
    const message = `The ${named} of ${lower(build)} ${on(profile.expiresAt)}. Renew it at Apple and build again: a build installs no longer than its profile lasts.`
    add(profile.expiresAt, 'profileEnd', message)
  }
  if (profile?.certificateExpiresAt) {
    const message = `The signing certificate of ${lower(build)} ${on(profile.certificateExpiresAt)}. Create a new one at Apple, with the profiles that use it, and build again.`
    add(profile.certificateExpiresAt, 'certificateEnd', message)
  }
  const target = Number(targetOsVersion ?? Number.NaN)
  const [missed, ...others] = deadlines.filter(({ levels }) => target < (levels[platform] ?? 0))
  if (missed && Number.isInteger(target)) {
    // The level of a later deadline that has passed is the one to reach.
    const { at, levels } = others.findLast((each) => each.at <= now) ?? missed
    const message = `${build} targets API level ${target}. From ${at.slice(0, 10)} on Google Play takes only versions that target ${levels[platform]} or more: raise the target and build again, or ask for more time in the Play Console.`
    add(missed.at, 'targetApiLevel', message)
  }
  return ends.sort((one, other) => compareTexts(one.at, other.at))
}

const lower = (text: string) => text[0].toLowerCase() + text.slice(1)
