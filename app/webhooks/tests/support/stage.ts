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

interface LogLine {
  level: 'info' | 'warn' | 'error'
  message: string
}

interface RecordedEvent {
  type?: string
  entity?: string
  appId?: string
  note?: string
}

/** An organization, a dispatcher with a virtual clock, and its log. */
export class Stage {
  readonly clock = new VirtualClock(new SystemClock().now())
  readonly log: LogLine[] = []
  readonly dispatcher: Dispatcher

  private constructor(
    readonly world: World,
    client: OutboundClient
  ) {
    this.dispatcher = this.another(client)
  }

  /** Makes a stage, and removes all other endpoints. */
  static async set(client = new OutboundClient({ allowLoopback: true })): Promise<Stage> {
    await db.from('webhook_endpoints').delete()
    await db.from('webhook_relays').delete()
    return new Stage(await makeWorld(), client)
  }

  /** Makes another dispatcher with the same database and clock, as if of another process. */
  another(client = new OutboundClient({ allowLoopback: true })): Dispatcher {
    const log = (level: LogLine['level']) => (_about: unknown, message?: string) => {
      this.log.push({ level, message: message ?? '' })
    }
    return makeDispatcher({
      database: db as never,
      selects,
      clock: this.clock,
      outbound: client,
      secrets,
      logger: { info: log('info'), warn: log('warn'), error: log('error') } as never,
      random: () => 0,
    })
  }

  endpoint(url: string, settings: EndpointSettings = {}, world = this.world) {
    return world.write((scope) =>
      new CreateEndpoint(scope, outbound.guard, secrets).handle({ url, ...settings })
    )
  }

  /** Makes another organization. */
  beside(): Promise<World> {
    return makeWorld()
  }

  /** Records events of the stage's organization in one transaction. */
  record(...events: RecordedEvent[]) {
    return this.recordIn(this.world, ...events)
  }

  recordIn(world: World, ...events: RecordedEvent[]) {
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

  /** Resets the relay, as if it had crashed before it stored its progress. */
  async forgetRelay(): Promise<void> {
    await db.from('webhook_relays').update({ sequence: 0 })
  }

  /** Turns until nothing is due at this time. */
  async drain(): Promise<void> {
    const now = new SystemClock().now()
    // Actions of the API use the clock of the service.
    if (this.clock.now() < now) this.clock.travelTo(now)
    for (let turn = 0; turn < 200; turn++) {
      if ((await this.dispatcher.turn()) === 0) return
    }
    throw new Error('The dispatcher does not come to rest')
  }

  /** Advances the clock in steps, and has the dispatcher work at each. */
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
