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

/** The number of weeks that are shown. */
export const WEEKS = 12

/** The most releases that are listed. */
export const MAX_LISTED = 100

/** The target dates of a release: the words for people, and the members in the API. */
export const TARGETS = [
  ['Kickoff', 'targetKickoffAt'],
  ['Submit', 'targetSubmitAt'],
  ['Release', 'targetReleaseAt'],
] as const

/** Returns the span of the shown weeks, from the present week in the reader's time zone. */
export function weeksFrom(now: Instant, zone: string): { from: Instant; to: Instant } {
  const first = DateTime.fromISO(now, { zone }).startOf('week')
  const [from, to] = [first, first.plus({ weeks: WEEKS })].map((each) => each.toUTC().toISO()!)
  return { from, to }
}

export interface ScheduleAnswers {
  app: NamedApp & { destinations: readonly { name: string }[] }
  /** The beginning of the first week. */
  from: Instant
  /** The end of the last week. */
  to: Instant
  entries: readonly ReleaseScheduleEntryEntity[]
  /** Entity tags of the releases that the reader may change, by id. */
  releaseTags: Readonly<Record<string, string>>
  freezes: readonly LifecycleFreezeSetEntity[]
  cadence: ScheduleCadenceEntity
  /** The entity tag of the cadence. */
  tag: string
  /** The policy of rollouts in the first store, and when they do not grow. */
  rollouts: Pick<RolloutOutlookEntity, 'policy' | 'isApple' | 'closed'>
  /** The effect on drafts of a typed cadence that is not set; null without a preview. */
  preview: ScheduleOutlookEntity['drafts'] | null
  typed: Typed | Refused | null
}
