import type { Overview } from '../home/overview.js'
import { turnsOf } from '../home/turns.js'
import type { PageCall } from './page.js'

const MOST_KNOWN = 10_000

/** Counts by reader, each with the number of changes that it was counted at. */
const known = new Map<string, { number: string; count: number }>()

/** Returns how many things wait for the reader. It is counted once while nothing changes. */
export async function turnCountOf({ ask, reader }: PageCall): Promise<number> {
  const { organization, actor } = reader.principal
  const key = `${organization.id} ${actor.id}`
  const number = organization.changes ?? ''
  const counted = known.get(key)
  if (counted?.number === number) return counted.count
  if (!reader.may('getOrganizationOverview')) return 0
  const { body } = await ask<Overview>('getOrganizationOverview', {
    params: { orgId: organization.id },
    query: { limit: '200' },
  })
  const count = turnsOf(body.data, reader.principal).length
  known.delete(key)
  known.set(key, { number, count })
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
  return count
}
