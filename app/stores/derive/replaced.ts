import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { Listed } from '../reconciler/observe.js'
import type { StoreRecord } from '../reconciler/record.js'
import { isForUsers, isInReview, isReleased } from '../reconciler/states.js'
import { trackOfSeen, type SeenVersion } from './seen.js'

/**
 * Adds the replaced versions to Google Play's list. A version is replaced when a higher version
 * code is published while it is with only a share of users, or none. The list drops such versions
 * or shows them unchanged; versions in review at that time are gone as well. Pure.
 */
export function withReplaced({ type, versions }: StoreRecord, listed: readonly Listed[]): Listed[] {
  if (type !== 'google') return [...listed]
  const tracks = new Set([...listed.map(({ seen }) => seen), ...knownOf(versions)].map(trackOfSeen))
  return [...tracks].flatMap((track) =>
    withReplacedOn(
      versions.filter(({ known }) => known !== null && trackOfSeen(known) === track),
      listed.filter(({ seen }) => trackOfSeen(seen) === track)
    )
  )
}

const knownOf = (versions: StoreRecord['versions']) => versions.flatMap(({ known }) => known ?? [])

/** Handles one track: versions on other tracks replace nothing here. */
function withReplacedOn(versions: StoreRecord['versions'], listed: readonly Listed[]): Listed[] {
  const served = listed.filter(({ seen }) => isForUsers(seen) && isServed(seen))
  const newest = served.reduce<Listed | null>(
    (best, each) => (best === null || codeOf(each.seen) > codeOf(best.seen) ? each : best),
    null
  )
  if (newest === null) return [...listed]
  const { at, lagSeconds } = newest.seen
  const isNewestSettled = isServedForLonger(
    versions.find(({ version }) => version === newest.version)?.known,
    at
  )
  const isReplaced = (seen: SeenVersion, isListed: boolean) => {
    if (!isForUsers(seen) || codeOf(seen) >= codeOf(newest.seen)) return false
    if (!isListed && isReleased(seen.state)) return true
    // A lagging list may still show one of the two versions as it was.
    if (!isNewestSettled) return false
    if (!isListed) return isAwaitingRelease(seen.state) && later(seen.at, lagSeconds * SECOND) < at
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

/** Returns whether users have been offered a version for longer than the lag of the list. */
const isServedForLonger = (known: SeenVersion | null | undefined, at: Instant) =>
  known !== null &&
  known !== undefined &&
  isServed(known) &&
  later(known.at, known.lagSeconds * SECOND) < at

const isAwaitingRelease = (state: SeenVersion['state']) =>
  isInReview(state) || state === 'pendingRelease'

const replaced = (seen: SeenVersion): SeenVersion => ({ ...seen, state: 'replaced' })
const isServed = ({ state }: SeenVersion) => state === 'live' || state === 'rolledOutPartially'

/** Returns the highest version code; -1 if the store reports none. */
const codeOf = ({ buildNumbers }: SeenVersion) => Math.max(-1, ...buildNumbers.map(Number))
