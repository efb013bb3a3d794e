import { configProvider } from '@adonisjs/core'
import type { ApplicationService } from '@adonisjs/core/types'
import { VirtualClock } from '#foundation/core/clock'
import { drawIdsFrom, type Draw } from '#foundation/core/ids'
import type { IntegrationsConfig } from '#integrations/define_config'
import { dice, digits } from '#simulated-providers/chance'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'

/*
 * Services take their dependencies from the application when it boots, so none of them is imported
 * before that.
 */

/**
 * Plays a plan with an application that nobody else uses: its clock is virtual, its chance follows
 * from the seed, and no network is reached.
 */
export async function rehearse(
  app: ApplicationService,
  plan: RehearsalPlan,
  given: { home: string; reported: (each: RehearsalEntry) => void }
): Promise<Rehearsed> {
  const clock = new VirtualClock(plan.begin)
  const seed = plan.seed ?? 'usual'
  drawIdsFrom(drawsOf(seed))
  const { default: usual } = await import('../../../adonisrc.js')
  // Registered last, because the last binding counts.
  class RehearsalProvider {
    register() {
      app.container.singleton('clock', () => clock as never)
      app.container.singleton('outbound', noWayOut)
      app.container.singleton('integrations.port', () => portOf(app, clock, seed))
    }
  }
  app.rcContents({
    ...usual,
    providers: [...(usual.providers ?? []), async () => ({ default: RehearsalProvider })],
  } as never)
  await app.init()
  await app.boot()
  try {
    let rehearsed: Rehearsed | null = null
    await app.start(async () => {
      const { play } = await import('./play.js')
      rehearsed = await play(app, plan, given)
    })
    return rehearsed!
  } finally {
    await app.terminate()
  }
}

/** Returns random draws that are independent for each purpose. */
function drawsOf(seed: string): Draw {
  const drawn = new Map<string, Iterator<number>>()
  return (below, what) => {
    const bytes = drawn.get(what) ?? bytesOf(seed, what)
    drawn.set(what, bytes)
    return bytes.next().value % below
  }
}

/** Yields random bytes endlessly. */
function* bytesOf(seed: string, what: string): Generator<number, never> {
  for (let count = 0; ; count++) {
    yield* Buffer.from(digits(seed, 64, 'draw', what, count), 'hex')
  }
}

/** Makes an outbound client that resolves no host name. */
async function noWayOut() {
  const { OutboundClient } = await import('#outbound-client/client')
  return new OutboundClient({
    resolve: () => Promise.reject(new Error('A rehearsal reaches no network')),
  })
}

/** Makes the usual port for providers, with waits in the time of the rehearsal. */
async function portOf(app: ApplicationService, clock: VirtualClock, seed: string) {
  const { container, config } = app
  const { makePort } = await import('#provider-port/make_port')
  const { httpOptionsOf } = await import('#provider-port/http_options')
  const { MemoryBudgets } = await import('#provider-port/budgets')
  const { withInProcessHosts } = await import('#integrations/port/in_process')
  const given = config.get<object>('integrations')
  const options = await configProvider.resolve<IntegrationsConfig>(app, given)
  return makePort({
    transport: withInProcessHosts(await container.make('outbound')),
    clock,
    logger: await container.make('logger'),
    budgets: new MemoryBudgets(),
    options: httpOptionsOf(options ?? {}),
    pause: async (milliseconds) => clock.advance(milliseconds),
    random: dice(`${seed} port`),
  })
}
