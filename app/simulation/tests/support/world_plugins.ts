import application from '@adonisjs/core/services/app'
import { unitOfWork } from '#foundation/core/services'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import { useIntegration } from '#integrations/use_integration'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Kind } from '#plugin-kit/kinds'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { makeWorld, type World } from '#tests/support/world'
import { SimAdvance } from '../../commands/sim_advance.js'
import { SimStart } from '../../commands/sim_start.js'

/** An app's use of a world: the plugin, its integration type, and its `data`. */
export interface Used {
  plugin: string
  type: string
  data: Record<string, string>
}

/** Makes an organization with a world, and an app that uses parts of it, by kind. */
export async function inWorld<Each extends Kind>(
  seed: string,
  used: Record<Each, Used>,
  world: Promise<World> | World = makeWorld(),
  /** Further options of `sim:start`. */
  more: readonly string[] = []
) {
  const of = await world
  const org = `--org=${of.organizationId}`
  const started = await runCommand(SimStart, [org, `--seed=${seed}`, ...more])
  if (started.code !== 0) throw new Error(started.stderr)
  const { connections } = started.document as { connections: { id: string; plugin: string }[] }
  const advance = async (span: string) => {
    const result = await runCommand(SimAdvance, [span, org])
    if (result.code !== 0) throw new Error(result.stderr)
  }
  const app = <Other extends Kind>(wanted: Record<Other, Used>) => appIn(of, connections, wanted)
  return { of, org, ...(await app(used)), app, advance, started }
}

/** Makes an app that uses parts of the organization's world. */
async function appIn<Each extends Kind>(
  of: World,
  connections: readonly { id: string; plugin: string }[],
  used: Record<Each, Used>
) {
  const appId = await makeApp(of)
  const kinds = Object.entries<Used>(used)
  await of.write((scope) =>
    replaceIntegrations(
      scope,
      appId,
      kinds.map(([kind, { plugin, type, data }]) => {
        const provider = connections.find((each) => each.plugin === plugin)!.id
        return { key: kind, type, kind: kind as Kind, provider, data }
      })
    )
  )
  const entities = await integrationEntities(unitOfWork.readScope(of.principal), appId)
  const capability = async <One extends Each>(kind: One): Promise<CapabilityMap[One]> => {
    const services = {
      secrets: await application.container.make('integrations.secrets'),
      caller: await application.container.make('integrations.caller'),
    }
    const { id } = entities[kinds.findIndex(([each]) => each === kind)]
    const { signal } = new AbortController()
    const scope = unitOfWork.readScope(of.principal)
    return useIntegration(scope, services, { integrationId: id, kind, signal })
  }
  return { appId, capability }
}

let keys = 0
export const mutation = () => ({ idempotencyKey: `key-${++keys}` })
