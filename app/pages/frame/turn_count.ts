import { appsOf } from '../home/overview.js'
import { turnsOf } from '../home/turns.js'
import { KeptWhileUnchanged } from './kept_while_unchanged.js'
import type { PageCall } from './page.js'

const counts = new KeptWhileUnchanged<number>(10_000)

/**
 * Returns how many things wait for the reader. It is counted once while nothing changes.
 * @param isBrief whether a count of the last minute will do, as for a poll of another page
 */
export async function turnCountOf(call: PageCall, isBrief = false): Promise<number> {
  const { reader } = call
  const { organization, actor } = reader.principal
  const question = `${organization.id} ${actor.id}`
  const counted = isBrief
    ? counts.findLast(question, reader.now)
    : counts.find(question, organization.changes, reader.now)
  if (counted !== undefined) return counted
  if (!reader.may('getOrganizationOverview')) return 0
  const count = turnsOf(await appsOf(call), reader.principal).length
  counts.keep(question, organization.changes, reader.now, count)
  return count
}
