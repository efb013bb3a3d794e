import db from '@adonisjs/lucid/services/db'
import type { Scope } from '#foundation/core/scope'
import { LEASE, MINUTE, type Stage } from './stage.js'

export const note = (text: string) => ({ note: text })
export const policy = { actor: 'test', lease: LEASE, retry: { steps: [MINUTE, 2 * MINUTE] } }

/** A fact that is stored with its transaction or not at all. */
export const fact = (scope: Scope, title: string) =>
  scope.events.record({ type: 'test.fact', entityKey: 'test', title })

/** By their time; those of one time in no certain order, as rows without a sequence have none. */
export async function facts({ world }: Stage): Promise<string[]> {
  const rows = await db
    .from('events')
    .where({ organization_id: world.organizationId, type: 'test.fact' })
    .orderBy('occurred_at')
  return rows.map(({ title }) => title)
}
