import type { Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { sourceName } from '../policy/observed.js'
import type { Finding } from '../tables.js'

/** Returns how late the source of a finding is, for people; null if it is not late. Pure. */
export function latenessText({ late }: Pick<Finding, 'late'>, now: Instant): string | null {
  if (late === undefined) return null
  const hours = Math.floor((Date.parse(now) - Date.parse(late.until)) / HOUR)
  const minute = late.until.slice(0, 16).replace('T', ' ')
  return `${sourceName(late.by)} reports on users until ${minute} UTC, ${hours} hours ago`
}

/**
 * Returns how late the sources of a guard are, and what waits for them; null if none is late. Pure.
 */
export function waitText(
  found: readonly Pick<Finding, 'late'>[],
  percentage: number,
  now: Instant
): string | null {
  const all = new Set(found.flatMap((each) => latenessText(each, now) ?? []))
  if (all.size === 0) return null
  const [it, its] = all.size === 1 ? ['it reports', 'its'] : ['they report', 'their']
  return `${[...all].join(', and ')}; the stage of ${percentage} % is judged once ${it} on enough of ${its} users.`
}
