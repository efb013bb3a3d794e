import app from '@adonisjs/core/services/app'
import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { refuseFields } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { tryConnection } from '#integrations/connections/try_connection'
import { connectionEntities } from '#integrations/queries/connections_shown'
import { actInConsole } from '../actions/act_in_console.js'
import { advanceWorld } from '../actions/advance_world.js'
import { playScenario, resetWorld, StartWorld } from '../actions/start_world.js'
import { spanOf } from '../duration.js'
import { requireConnected, lockWorld, timeIn, type WorldRow } from '../queries/find_world.js'
import { reportOwnWorld } from '../queries/report_own_world.js'
import type { Scenario } from '../scenarios/scenario.js'
import type {
  AdvanceWorldInput,
  ConsoleActionInput,
  ResetWorldInput,
  StartWorldInput,
} from '../validators/world_input.js'

/**
 * Serves the actions of the `sim:…` commands for tests of integrators, only for organizations whose
 * simulators are connected.
 */
export class SimulationController {
  async show({ scope }: Call) {
    await requireConnected(scope)
    return reported(scope)
  }

  /** Tries each new connection at once, outside of the transaction. */
  async start({ scope, body }: Call<StartWorldInput>) {
    const secrets = await app.container.make('integrations.secrets')
    const caller = await app.container.make('integrations.caller')
    const { connections } = await unitOfWork.inTransaction(scope, (writing) =>
      new StartWorld(writing, secrets).handle({ alias: body.alias ?? null, seed: null })
    )
    for (const each of connections) {
      await tryConnection({ unitOfWork, secrets, caller }, scope, each)
    }
    const created = new Set(connections.map(({ id }) => id))
    const all = await connectionEntities(unitOfWork.readScope(scope))
    return ok(all.filter(({ id }) => created.has(id)))
  }

  async play({ scope, body }: Call<Scenario>) {
    return changed(scope, (world) => playScenario(scope, world, body, null))
  }

  async advance({ scope, body: { span } }: Call<AdvanceWorldInput>) {
    return changed(scope, (world) => {
      const milliseconds = spanOf(span, timeIn(world, scope))
      if (milliseconds !== null) return advanceWorld(scope, world, milliseconds)
      const message = `${span} is not a duration or a later time in the world, within a year`
      throw refuseFields([{ pointer: '/span', code: 'span', message }])
    })
  }

  async act({ scope, body }: Call<ConsoleActionInput>) {
    return changed(scope, (world) => actInConsole(scope, world, body))
  }

  async reset({ scope, body }: Call<ResetWorldInput>) {
    return changed(scope, (world) => resetWorld(scope, world, body.seed ?? null))
  }
}

async function changed(scope: Scope, change: (world: WorldRow) => Promise<unknown>) {
  await requireConnected(scope)
  await change(await lockWorld(scope))
  return reported(scope)
}

async function reported(scope: Scope) {
  return ok(await reportOwnWorld(scope))
}
