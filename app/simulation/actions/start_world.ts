import { newId, randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type Connection from '#integrations/models/connection'
import { findOwnWorld, lockWorld, storeWorld, type WorldRow } from '../queries/find_world.js'
import { simulatedWorlds } from '../tables.js'
import { hashOf, newToken } from '../token.js'
import { worldOf, type Scenario } from '../scenarios/scenario.js'
import { beginsAfter, newWorld, type World } from '../world/world.js'
import { Simulators } from './simulators.js'

/** Creates the simulated world of an organization, and connects all of its providers. */
export class StartWorld {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /**
   * Completes an existing world: connects what is missing or disconnected.
   * @throws conflict if nothing is missing, or the world differs from the request; name_taken
   */
  async handle(input: {
    alias: string | null
    /** The random seed of the world; null to choose one. */
    seed: string | null
    /** Folder with git repositories that the world hosts; null for none. */
    repositories?: string | null
  }): Promise<{ connections: Connection[]; seed: string; isNew: boolean }> {
    const { scope, secrets } = this
    const { alias, repositories = null } = input
    const simulators = new Simulators(scope, secrets)
    const found = await findOwnWorld(scope)
    if (found) {
      const { id, state, tokenHash } = await lockWorld(scope)
      requireSeed(input.seed, state.seed)
      const token = await simulators.token(id, tokenHash)
      const connections = await simulators.complete(token, { alias, repositories })
      return { connections, seed: state.seed, isNew: false }
    }
    const token = newToken(scope.organization.id)
    const seed = input.seed ?? randomText(8)
    await scope.insert(simulatedWorlds, [
      {
        id: newId('world'),
        tokenHash: hashOf(token),
        aheadMs: 0,
        state: newWorld(seed),
        stamp: newId('stamp'),
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
    const connections = await simulators.complete(token, { alias, repositories })
    return { connections, seed, isNew: true }
  }
}

/** @throws conflict if the world has another seed */
function requireSeed(requested: string | null, seed: string): void {
  if (requested === null || requested === seed) return
  throw refuse('conflict', {
    detail: `The world of the organization has the seed ${seed}; sim:reset restarts it with another.`,
  })
}

/** Resets the world of an organization to its initial state, at the service's time. */
export function resetWorld(
  scope: Scope,
  row: WorldRow,
  seed: string | null
): Promise<{ seed: string }> {
  return beginWith(scope, row, newWorld(seed ?? row.state.seed))
}

/** Resets the world of an organization to the beginning of a scenario. */
export async function playScenario(
  scope: Scope,
  row: WorldRow,
  scenario: Scenario,
  seed: string | null
): Promise<{ seed: string; scenario: string }> {
  const chosen = { ...scenario, seed: seed ?? scenario.seed }
  const world = worldOf(chosen, row.state.seed, Date.parse(scope.now))
  return { ...(await beginWith(scope, row, world)), scenario: scenario.name }
}

async function beginWith(
  scope: Scope,
  { id, state }: WorldRow,
  world: World
): Promise<{ seed: string }> {
  await storeWorld(scope, id, { state: beginsAfter(state, world), aheadMs: 0 })
  await scope.jobs.pollNow()
  return { seed: world.seed }
}
