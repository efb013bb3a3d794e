import { selects } from '#foundation/core/services'
import db from '@adonisjs/lucid/services/db'
import { SystemClock, VirtualClock } from '#foundation/core/clock'
import { OutboundClient } from '#outbound-client/client'
import { outbound, secrets } from '#webhooks/services'
import { CreateEndpoint } from '#webhooks/actions/create_endpoint'
import type { EndpointSettings } from '#webhooks/endpoint_settings'
import type { Dispatcher } from '#webhooks/delivery/dispatcher'
import { makeDispatcher } from '#webhooks/delivery/make_dispatcher'
import type { AttemptRow, DeliveryRow, EndpointRow } from '#webhooks/rows'
import { makeWorld, type World } from '#tests/support/world'

interface Spoken {
  level: 'info' | 'warn' | 'error'
  message: string
}

interface Happened {
  type?: string
  entity?: string
  appId?: string
  note?: string
}

/** An organization, a dispatcher with a clock of its own, and what they leave behind. */
export class Stage {
  readonly clock = new VirtualClock(new SystemClock().now())
  readonly log: Spoken[] = []
  readonly dispatcher: Dispatcher

  private constructor(
    readonly world: World,
    client: OutboundClient
  ) {
    this.dispatcher = this.another(client)
  }

  /** A stage on which only its own endpoints stand. */
  static async set(client = new OutboundClient({ allowLoopback: true })): Promise<Stage> {
    await db.from('webhook_endpoints').delete()
    await db.from('webhook_relays').delete()
    return new Stage(await makeWorld(), client)
  }

  /** One more dispatcher on the same database and clock, as another process would be. */
  another(client = new OutboundClient({ allowLoopback: true })): Dispatcher {
    const speak = (level: Spoken['level']) => (_about: unknown, message?: string) => {
      this.log.push({ level, message: message ?? '' })
    }
    return makeDispatcher({
      database: db as never,
      selects,
      clock: this.clock,
      outbound: client,
      secrets,
      logger: { info: speak('info'), warn: speak('warn'), error: speak('error') } as never,
      random: () => 0,
    })
  }

  endpoint(url: string, settings: EndpointSettings = {}, world = this.world) {
    return world.write((scope) =>
      new CreateEndpoint(scope, outbound.guard, secrets).handle({ url, ...settings })
    )
  }

  /** Another organization beside that of the stage. */
  beside(): Promise<World> {
    return makeWorld()
  }

  /** Records events in one transaction; each is the entity it speaks of. */
  record(...events: Happened[]) {
    return this.recordIn(this.world, ...events)
  }

  recordIn(world: World, ...events: Happened[]) {
    return world.write(async (scope) => {
      for (const { type = 'release.created', entity = 'one', appId, note } of events) {
        scope.events.record({
          type,
          entityKey: `release:${entity}`,
          title: 'Something happened',
          appId,
          webhook: { members: () => ({ note: note ?? null }), resource: () => `/${entity}` },
        })
      }
    })
  }

  /** As if the relay had crashed before it wrote down how far it came. */
  async forgetRelay(): Promise<void> {
    await db.from('webhook_relays').update({ sequence: 0 })
  }

  /** Turns until nothing is due at this time. */
  async drain(): Promise<void> {
    const now = new SystemClock().now()
    // Actions of the API happened by the clock of the service.
    if (this.clock.now() < now) this.clock.travelTo(now)
    for (let turn = 0; turn < 200; turn++) {
      if ((await this.dispatcher.turn()) === 0) return
    }
    throw new Error('The dispatcher does not come to rest')
  }

  /** Moves time on, in steps, and lets the dispatcher work at each. */
  async pass(milliseconds: number, steps = 1): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.clock.advance(milliseconds / steps)
      await this.drain()
    }
  }

  deliveries(endpointId: string): Promise<DeliveryRow[]> {
    return db.from('webhook_deliveries').where('endpoint_id', endpointId).orderBy('sequence')
  }

  attempts(deliveryId: string): Promise<AttemptRow[]> {
    return db.from('webhook_attempts').where('delivery_id', deliveryId).orderBy('number')
  }

  endpointRow(id: string): Promise<EndpointRow> {
    return db.from('webhook_endpoints').where('id', id).firstOrFail()
  }
}
