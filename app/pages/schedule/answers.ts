import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import type {
  LifecycleFreezeSetEntity,
  ReleaseScheduleEntryEntity,
  ScheduleCadenceEntity,
  ScheduleOutlookEntity,
} from '#planning/entities'
import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import type { NamedApp } from '../app/head.js'
import type { Refused, Typed } from '../frame/page.js'

/** Weeks that are shown. */
export const WEEKS = 12

/** Releases that are listed at most. */
export const MOST_LISTED = 100

/** The target dates of a release, as people and the API call them. */
export const TARGETS = [
  ['Kickoff', 'targetKickoffAt'],
  ['Submit', 'targetSubmitAt'],
  ['Release', 'targetReleaseAt'],
] as const

/** Returns the weeks that are shown: from the present one on, as its reader counts. */
export function weeksFrom(now: Instant, zone: string): { from: Instant; to: Instant } {
  const first = DateTime.fromISO(now, { zone }).startOf('week')
  const [from, to] = [first, first.plus({ weeks: WEEKS })].map((each) => each.toUTC().toISO()!)
  return { from, to }
}

export interface ScheduleAnswers {
  app: NamedApp & { destinations: readonly { name: string }[] }
  /** The begin of the first week. */
  from: Instant
  /** The end of the last. */
  to: Instant
  entries: readonly ReleaseScheduleEntryEntity[]
  /** Entity tags of the releases that the reader may change, by id. */
  releaseTags: Readonly<Record<string, string>>
  freezes: readonly LifecycleFreezeSetEntity[]
  cadence: ScheduleCadenceEntity
  /** The entity tag of the cadence. */
  tag: string
  /** The growth of rollouts in the first store. */
  rollouts: Pick<RolloutOutlookEntity, 'policy' | 'isApple' | 'closed'>
  /** The effect on drafts of a cadence that is typed but not set; null if nobody asked. */
  preview: ScheduleOutlookEntity['drafts'] | null
  typed: Typed | Refused | null
}
