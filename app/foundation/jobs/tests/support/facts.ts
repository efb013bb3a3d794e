import db from '@adonisjs/lucid/services/db'
import type { Scope } from '#foundation/core/scope'
import { LEASE, MINUTE, type Stage } from './stage.js'

export const note = (text: string) => ({ note: text })
export const policy = { actor: 'test', lease: LEASE, retry: { steps: [MINUTE, 2 * MINUTE] } }

/** Records an event that is stored with its transaction or not at all. */
export const fact = (scope: Scope, title: string) =>
  scope.events.record({ type: 'test.fact', entityKey: 'test', title })

/** Returns the titles of recorded facts, by time; at equal times the order is undefined. */
export async function facts({ world }: Stage): Promise<string[]> {
  const rows = await db
    .from('events')
    .where({ organization_id: world.organizationId, type: 'test.fact' })
    .orderBy('occurred_at')
  return rows.map(({ title }) => title)
}
