import type { Instant } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text, type RowOf } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { simulatedWorlds } from '../tables.js'
import { SIMULATORS } from '../vocabulary.js'
import { completedWorld, type World } from '../world/world.js'

const SELECT_BY_ORGANIZATION = select(
  {
    ...of(simulatedWorlds, 'w'),
    // A state is large, so it is not read again if the cache has it.
    state: as(
      optional(text()),
      'case when w.stamp = :stamp and w.updated_at = :updatedAt then null else w.state end'
    ),
  },
  'from simulated_worlds w where w.organization_id = :org'
)

interface CachedWorld {
  stamp: string
  /** Older versions of the service change this without a new stamp. */
  updatedAt: Instant
  world: World
}

/** The latest worlds by organization: a world is read many times before it changes. */
const cache = new Map<string, CachedWorld>()
const MAX_CACHED = 8

/** Caches a world. Worlds are never mutated, so readers share them. */
function cacheWorld(organizationId: string, { stamp, updatedAt, world }: CachedWorld): World {
  cache.delete(organizationId)
  if (stamp !== '') cache.set(organizationId, { stamp, updatedAt, world })
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED) cache.delete(oldest)
  return world
}

/** Identifies a world without loading its content. */
const SELECT_ID = select(
  of(simulatedWorlds, 'w', ['id', 'tokenHash']),
  'from simulated_worlds w where w.organization_id = :org'
)

/** Returns the id and the token hash of the organization's world; null while it has none. */
export async function whichWorld(scope: Scope): Promise<{ id: string; tokenHash: string } | null> {
  const [row] = await scope.rows(SELECT_ID, {})
  return row ?? null
}

export type WorldRow = RowOf<typeof simulatedWorlds>

/** Returns the world of the organization; null while it has none. */
export async function findOwnWorld(scope: Scope): Promise<WorldRow | null> {
  const { id } = scope.organization
  const cached = cache.get(id)
  const bindings = { stamp: cached?.stamp ?? '', updatedAt: cached?.updatedAt ?? '' }
  const [row] = await scope.rows(SELECT_BY_ORGANIZATION, bindings)
  if (!row) return null
  const { stamp, updatedAt, state } = row
  if (state === null) return { ...row, state: cached!.world }
  const world = completedWorld(JSON.parse(state) as World)
  return { ...row, state: cacheWorld(id, { stamp, updatedAt, world }) }
}

/** @throws not_found */
export async function findWorld(scope: Scope): Promise<WorldRow> {
  const row = await findOwnWorld(scope)
  if (row) return row
  throw refuse('not_found', {
    detail: 'The organization has no simulated world; sim:start creates one.',
  })
}

/** Locks the world of the organization until the transaction ends. @throws not_found */
export async function lockWorld(scope: Scope): Promise<WorldRow> {
  const found = await whichWorld(scope)
  if (found) await scope.lock('simulated_worlds', found.id)
  return findWorld(scope)
}

/** @throws not_found if no simulator is connected */
export async function requireConnected(scope: Scope): Promise<void> {
  const connected = await scope
    .table('connections')
    .whereIn('plugin_id', [...SIMULATORS])
    .whereNot('status', 'disconnected')
    .first()
  if (!connected) throw refuse('not_found', { detail: 'No simulators are connected.' })
}

/** Stores a new state of a world, with a new stamp. */
export function storeWorld(
  scope: Scope,
  id: string,
  changes: { state: World; aheadMs?: number }
): Promise<void> {
  const stamp = newId('stamp')
  return scope.update(simulatedWorlds, { id }, { ...changes, stamp, updatedAt: scope.now })
}

/** Returns the world's own time, in milliseconds since the epoch. */
export const timeIn = ({ aheadMs }: Pick<WorldRow, 'aheadMs'>, scope: Scope): number =>
  Date.parse(scope.now) + aheadMs
