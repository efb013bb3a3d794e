import { newId, randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { ConnectProvider } from '#integrations/actions/connect_provider'
import type Connection from '#integrations/models/connection'
import { manifest } from '../provider/manifest.js'
import { worldOf, type WorldRow } from '../queries/find_world.js'
import { simulatedWorlds } from '../tables.js'
import { hashOf, newToken } from '../token.js'
import { newWorld } from '../world/world.js'

/** Makes the world of an organization, and connects the organization with it. */
export class StartWorld {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /** @throws conflict when there is a world; name_taken */
  async handle(input: {
    alias: string | null
    /** Chance in the world follows from it; a random one where none is given. */
    seed: string | null
  }): Promise<{ connection: Connection; seed: string }> {
    const { scope } = this
    if (await worldOf(scope)) {
      throw refuse('conflict', {
        detail: 'The organization has a simulated world; sim:reset begins it anew.',
      })
    }
    const { id: organizationId } = scope.organization
    const token = newToken(organizationId)
    const seed = input.seed ?? randomText(8)
    await scope.insert(simulatedWorlds, [
      {
        id: newId('world'),
        tokenHash: hashOf(token),
        aheadMs: 0,
        state: newWorld(seed),
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
    const connection = await new ConnectProvider(scope, this.secrets).handle({
      manifest,
      alias: input.alias,
      settings: {},
      credentials: { token },
      check: null,
    })
    return { connection, seed }
  }
}

/** Begins the world of an organization anew: as it was made, at the service's time. */
export async function resetWorld(
  scope: Scope,
  { id, state }: WorldRow,
  seed: string | null
): Promise<{ seed: string }> {
  const world = newWorld(seed ?? state.seed)
  const begun = { state: world, aheadMs: 0, updatedAt: scope.now }
  await scope.update(simulatedWorlds, { id }, begun)
  await scope.agenda.lookNow()
  return { seed: world.seed }
}
