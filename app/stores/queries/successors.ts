import { as, of, select } from '#foundation/core/database/statement'
import { text, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { newestFirst } from '#releases/queries/version_sql'
import { compareVersions, parseVersion } from '#workflow/version'
import { trackOfSeen } from '../derive/seen.js'
import { ownRollout, type Successor } from '../derive/store_facts.js'
import { isOnItsWay, isOut } from '../reconciler/states.js'
import { appStoreVersions } from '../tables.js'
import { inSameStore } from './same_store.js'

type VersionRow = RowOf<typeof appStoreVersions>

/** The most versions of one store that are considered. */
const MAX_VERSIONS = 50

const BESIDE = select(
  { ...of(appStoreVersions, 'v'), releaseVersion: as(text(), 'r.version') },
  `from app_store_versions v join releases r on r.id = v.release_id
  where v.organization_id = :org and ${inSameStore('v')}
    and v.release_id <> :releaseId and v.submitted_at is not null
    ${newestFirst('r')} limit ${MAX_VERSIONS}`
)

/**
 * Returns the next higher version in the store, if that decides about the rollout of this one,
 * which must be below 100 %. Released versions come first. If the store calls this one replaced,
 * the successor may also be one that was not yet seen released, because both are not read at the
 * same moment.
 */
export async function successorOf(scope: Scope, row: VersionRow): Promise<Successor | null> {
  const { known } = row
  if (known === null || !isOut(known.state)) return null
  const rollout = ownRollout(known)
  const mayBeComplete = known.state === 'live' || known.state === 'replaced'
  if (mayBeComplete && (rollout === null || rollout.state === 'complete')) return null
  const { integrationId, releaseId } = row
  const rows = await scope.rows(BESIDE, { integrationId, releaseId })
  const higher = rows.filter((other) => isSameTrack(row, other) && comesAfter(other, row))
  const next = (isWanted: typeof isOut) =>
    higher
      .filter((other) => isWanted(other.known?.state ?? 'unknown'))
      .reduce<(typeof higher)[number] | null>(
        (low, each) => (low && comesAfter(each, low) ? low : each),
        null
      )
  const released = next(isOut)
  if (released) return { version: released.releaseVersion, isReleased: true }
  const coming = known.state === 'replaced' ? next(isOnItsWay) : null
  return coming && { version: coming.releaseVersion, isReleased: false }
}

const isSameTrack = (one: VersionRow, other: VersionRow) =>
  trackOfSeen(one.known) === trackOfSeen(other.known)

/** Compares by version code on Google Play, which serves the higher one, else by version. */
function comesAfter(one: VersionRow, other: VersionRow): boolean {
  const [code, otherCode] = [codeOf(one), codeOf(other)]
  if (code !== null && otherCode !== null && code !== otherCode) return code > otherCode
  const [version, otherVersion] = [parsed(one), parsed(other)]
  return version !== null && otherVersion !== null && compareVersions(version, otherVersion) > 0
}

const parsed = ({ known }: VersionRow) => parseVersion(known?.version ?? '')

function codeOf({ storeType, known }: VersionRow): number | null {
  if (storeType !== 'google') return null
  const codes = (known?.buildNumbers ?? []).map(Number).filter(Number.isSafeInteger)
  return codes.length > 0 ? Math.max(...codes) : null
}
