import { newId, randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { ConnectProvider } from '#integrations/actions/connect_provider'
import type Connection from '#integrations/models/connection'
import appStore from '../provider/app_store/plugin.js'
import gitHost from '../provider/git_host/plugin.js'
import googlePlay from '../provider/google_play/plugin.js'
import whole from '../provider/plugin.js'
import { findOwnWorld, type WorldRow } from '../queries/find_world.js'
import { simulatedWorlds } from '../tables.js'
import { hashOf, newToken } from '../token.js'
import { worldOf, type Scenario } from '../scenarios/scenario.js'
import { newWorld, type World } from '../world/world.js'

/** The plugins of a world, and what is added to an alias for their connections. */
const PLUGINS = [
  { manifest: whole.manifest, suffix: '' },
  { manifest: appStore.manifest, suffix: ' App Store' },
  { manifest: googlePlay.manifest, suffix: ' Google Play' },
]

const pluginsWith = (repositories: { baseUrl: string } | null) => [
  ...PLUGINS.map((each) => ({ ...each, settings: {} })),
  ...(repositories
    ? [{ manifest: gitHost.manifest, suffix: ' git host', settings: repositories }]
    : []),
]

/** Makes the world of an organization, and connects the organization with all of it. */
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
    /** Folder of repositories of git that the world is the host of; null for none. */
    repositories?: string | null
  }): Promise<{ connections: Connection[]; seed: string }> {
    const { scope } = this
    if (await findOwnWorld(scope)) {
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
    const connections: Connection[] = []
    const { repositories = null } = input
    const folder = repositories === null ? null : { baseUrl: repositories }
    for (const { manifest, suffix, settings } of pluginsWith(folder)) {
      const connection = await new ConnectProvider(scope, this.secrets).handle({
        manifest,
        alias: input.alias === null ? null : `${input.alias}${suffix}`,
        settings,
        credentials: { token },
        check: null,
      })
      connections.push(connection)
    }
    return { connections, seed }
  }
}

/** Begins the world of an organization anew: as it was made, at the service's time. */
export function resetWorld(
  scope: Scope,
  row: WorldRow,
  seed: string | null
): Promise<{ seed: string }> {
  return beginWith(scope, row, newWorld(seed ?? row.state.seed))
}

/** Begins the world of an organization anew, as a scenario has it. */
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

async function beginWith(scope: Scope, { id }: WorldRow, world: World): Promise<{ seed: string }> {
  const begun = { state: world, aheadMs: 0, updatedAt: scope.now }
  await scope.update(simulatedWorlds, { id }, begun)
  await scope.agenda.lookNow()
  return { seed: world.seed }
}
