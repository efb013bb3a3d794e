import { releasesOf } from '../home/overview.js'
import { turnsOf } from '../home/turns.js'
import { KeptWhileUnchanged } from './kept_while_unchanged.js'
import type { PageCall } from './page.js'

const counts = new KeptWhileUnchanged<number>(10_000)

/**
 * Returns how many things wait for the reader. They are counted once while nothing changes.
 * @param isBrief whether a count of the last minute is enough, as for a poll of another page
 */
export async function turnCountOf(call: PageCall, isBrief = false): Promise<number> {
  const { reader } = call
  const { organization, actor } = reader.principal
  const key = `${organization.id} ${actor.id}`
  const counted = isBrief
    ? counts.findLast(key, reader.now)
    : counts.find(key, organization.changes, reader.now)
  if (counted !== undefined) return counted
  if (!reader.may('getOrganizationOverview')) return 0
  const count = turnsOf(await releasesOf(call), reader.principal).length
  counts.keep(key, organization.changes, reader.now, count)
  return count
}
