import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { Listed } from '../reconciler/observe.js'
import type { StoreRecord } from '../reconciler/record.js'
import { isForUsers, isInReview, isReleased } from '../reconciler/states.js'
import type { SeenVersion } from './seen.js'

/**
 * Completes Google Play's list of versions with those that were replaced: a share of users, or
 * none, had them when a higher version code was published. The list drops them or shows them
 * unchanged; a version that was in review then is gone as well. Pure.
 */
export function withReplaced({ type, versions }: StoreRecord, listed: readonly Listed[]): Listed[] {
  if (type !== 'google') return [...listed]
  const tracks = new Set([...listed.map(({ seen }) => seen), ...knownOf(versions)].map(trackOf))
  return [...tracks].flatMap((track) =>
    withReplacedOn(
      versions.filter(({ known }) => known !== null && trackOf(known) === track),
      listed.filter(({ seen }) => trackOf(seen) === track)
    )
  )
}

const knownOf = (versions: StoreRecord['versions']) => versions.flatMap(({ known }) => known ?? [])

/** The same of one track: what is published on another one replaces nothing there. */
function withReplacedOn(versions: StoreRecord['versions'], listed: readonly Listed[]): Listed[] {
  const out = listed.filter(({ seen }) => isForUsers(seen) && isServed(seen))
  const newest = out.reduce<Listed | null>(
    (best, each) => (best === null || codeOf(each.seen) > codeOf(best.seen) ? each : best),
    null
  )
  if (newest === null) return [...listed]
  const { at, lagSeconds } = newest.seen
  const isSettled = isSince(versions.find(({ version }) => version === newest.version)?.known, at)
  const isReplaced = (seen: SeenVersion, isListed: boolean) => {
    if (!isForUsers(seen) || codeOf(seen) >= codeOf(newest.seen)) return false
    if (!isListed && isReleased(seen.state)) return true
    // A list that lags may show one of the two as it was.
    if (!isSettled) return false
    if (!isListed) return isOnItsWay(seen.state) && later(seen.at, lagSeconds * SECOND) < at
    const isShare = seen.rollout !== null && seen.rollout.percentage < 100
    return isShare && (seen.state === 'halted' || seen.state === 'rolledOutPartially')
  }
  const shown = listed.map((each) =>
    isReplaced(each.seen, true) ? { ...each, seen: replaced(each.seen) } : each
  )
  const gone = versions.flatMap(({ version, known }) => {
    const isListed = listed.some((each) => each.version === version)
    if (known === null || isListed || !isReplaced(known, false)) return []
    return [{ version, seen: { ...replaced(known), at, lagSeconds, ofCall: null } }]
  })
  return [...shown, ...gone]
}

/** Returns whether users were offered a version for longer than the lag of a list. */
const isSince = (known: SeenVersion | null | undefined, at: Instant) =>
  known !== null &&
  known !== undefined &&
  isServed(known) &&
  later(known.at, known.lagSeconds * SECOND) < at

const isOnItsWay = (state: SeenVersion['state']) => isInReview(state) || state === 'pendingRelease'

const replaced = (seen: SeenVersion): SeenVersion => ({ ...seen, state: 'replaced' })
const isServed = ({ state }: SeenVersion) => state === 'live' || state === 'rolledOutPartially'

const trackOf = ({ track }: SeenVersion) => track ?? 'production'

/** The highest version code; lowest of all where the store says none. */
const codeOf = ({ buildNumbers }: SeenVersion) => Math.max(-1, ...buildNumbers.map(Number))
