import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { later, type Clock } from '#foundation/core/clock'
import { readClient } from '#foundation/core/database/connections'
import { change } from '#foundation/core/database/statement'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { DAY, MINUTE } from '#foundation/core/durations'
import { unrestricted, type Tenants } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Kind } from '#plugin-kit/kinds'
import type { InboundEvent, InboundRequest } from '#plugin-kit/plugin'
import type { PluginRegistry } from '../plugins/plugin_registry.js'
import { planHint } from './hint_kind.js'
import { openSecrets } from './hook_secrets.js'

/** Retention of delivery ids; older deliveries are refused. */
export const DELIVERIES_KEPT_FOR = 7 * DAY
const OLDEST = 5 * DAY

/** Tolerated lead of a provider's clock. */
const AHEAD = 10 * MINUTE

/** Events of one callback that are looked at. */
const MOST_EVENTS = 100

/** Longer ids and words are no provider's. */
const LONGEST = 500

export interface Callback {
  headers: IncomingHttpHeaders
  rawBody: Buffer
}

export interface TakeCallbackParts {
  database: Database
  unitOfWork: UnitOfWork
  tenants: Tenants
  plugins: Pick<PluginRegistry, 'find'>
  secrets: SecretBox
  clock: Clock
  logger: Pick<Logger, 'warn'>
}

interface HookRow {
  organization_id: string
  ciphertext: string
  plugin_id: string
  app_id: string
  kind: Kind
}

const REMEMBER = change(
  `insert into integration_deliveries (organization_id, integration_id, delivery_key, received_at)
   values (:org, :integrationId, :key, :now)
   on conflict (integration_id, delivery_key) do nothing`
)
const RECEIVED = change(
  `update integration_hooks set received_at = :now
   where organization_id = :org and integration_id = :integrationId`
)

/**
 * Takes what a provider sends by itself. It is verified by the provider's own scheme, and leads to
 * looks that are planned; nothing is asked of anybody meanwhile. Whatever is not taken has the
 * same answer, so that it tells nothing of what there is.
 */
export class TakeCallback {
  constructor(private readonly parts: TakeCallbackParts) {}

  /** @throws not_found for what is unknown, unsigned, stale or broken */
  async handle(integrationId: string, callback: Callback): Promise<void> {
    const hook = await this.#hook(integrationId)
    const events = hook && (await this.#verified(integrationId, hook, callback))
    if (!events) throw refuse('not_found')
    const organization = await this.parts.tenants.find(hook.organization_id)
    if (!organization) throw refuse('not_found')
    const actor = { type: 'system', id: null, name: hook.plugin_id } as const
    const principal = { organization, actor, permissions: unrestricted }
    const { app_id: appId, kind } = hook
    await this.parts.unitOfWork.inTransaction(principal, async (scope) => {
      await scope.change(RECEIVED, { integrationId, now: scope.now })
      for (const { deliveryId, type, subject } of events) {
        if (!(await isNew(scope, integrationId, deliveryId))) continue
        await planHint(scope, { appId, integrationId, kind, type, subject: subject.id })
      }
    })
  }

  /** The row names the organization: a provider has no key. */
  async #hook(integrationId: string): Promise<HookRow | null> {
    const row: HookRow | null = await from(
      readClient(this.parts.database),
      'integration_hooks as h'
    )
      .join('integrations as i', (join) =>
        join.on('i.id', 'h.integration_id').andOn('i.organization_id', 'h.organization_id')
      )
      .join('connections as c', (join) =>
        join.on('c.id', 'i.connection_id').andOn('c.organization_id', 'i.organization_id')
      )
      .where('h.integration_id', integrationId)
      .select('h.organization_id', 'h.ciphertext', 'c.plugin_id', 'i.app_id', 'i.kind')
      .first()
    return row
  }

  /** The events of a callback that is the provider's own and not too old; null for any other. */
  async #verified(
    integrationId: string,
    { organization_id: organizationId, ciphertext, plugin_id: pluginId }: HookRow,
    { headers, rawBody }: Callback
  ): Promise<InboundEvent[] | null> {
    const { plugins, secrets, clock, logger } = this.parts
    const load = plugins.find(pluginId)?.webhooks
    const good = openSecrets(secrets, { organizationId, integrationId, ciphertext }, clock.now())
    if (!load || good.length === 0) return null
    const receivedAt = new Date(clock.milliseconds())
    const request: InboundRequest = { headers: plainHeaders(headers), rawBody, receivedAt }
    try {
      const { default: webhooks } = await load()
      // Only the word itself: a promise is true as well.
      if (webhooks.verify(request, good) !== true) return null
      const events = webhooks.parse(request)
      return events.length <= MOST_EVENTS && events.every((each) => this.#isTimely(each))
        ? events
        : null
    } catch (error) {
      // The message may quote the payload.
      const { name } = error as Error
      logger.warn({ plugin: pluginId, integrationId, error: name }, 'A callback cannot be read')
      return null
    }
  }

  #isTimely({ deliveryId, type, subject, occurredAt }: InboundEvent): boolean {
    const texts = [deliveryId, type, subject.id]
    const isPlain = texts.every((each) => typeof each === 'string' && each.length <= LONGEST)
    const at = Date.parse(occurredAt)
    const now = this.parts.clock.milliseconds()
    return isPlain && deliveryId !== '' && at > now - OLDEST && at < now + AHEAD
  }
}

async function isNew(scope: Scope, integrationId: string, deliveryId: string): Promise<boolean> {
  const key = createHash('sha256').update(deliveryId).digest('base64url')
  const bindings = { integrationId, key, now: scope.now }
  return (await scope.change(REMEMBER, bindings)).count > 0
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    )
  )
}

/** Forgets deliveries that are too old to come again, at most so many. @returns how many */
export async function forgetDeliveries(
  client: TransactionClientContract,
  now: string,
  most: number
): Promise<number> {
  const key = ['integration_id', 'delivery_key']
  const some = from(client, 'integration_deliveries')
    .where('received_at', '<=', later(now, -DELIVERIES_KEPT_FOR))
    .select(key)
    .limit(most)
  return Number(await from(client, 'integration_deliveries').whereIn(key, some).delete())
}
