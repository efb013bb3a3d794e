import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { earlier, type Clock } from '#foundation/core/clock'
import { readClient } from '#foundation/core/database/connections'
import { change } from '#foundation/core/database/statement'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { DAY, MINUTE, WEEK } from '#foundation/core/durations'
import { unrestricted, type Tenants } from '#foundation/core/principal'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type {
  InboundAnswer,
  InboundEvent,
  InboundRequest,
  InboundWebhooks,
  Interaction,
} from '#plugin-kit/plugin'
import { openCredentials, type Credentials } from '../connections/credentials.js'
import type Connection from '../models/connection.js'
import type { PluginRegistry } from '../plugins/plugin_registry.js'
import { integrationsOfConnection } from '../queries/app_integrations.js'
import { contextApp } from '../queries/context_app.js'
import { findConnection } from '../queries/find_connection.js'
import { readIntegration, type CalledIntegration } from '../queries/find_installation.js'
import type { CallbackAddress } from './callback_url.js'
import { requestInteraction } from '../interactions/interaction_command.js'
import { planHint } from './hint_kind.js'
import { openSecrets, recordReceipt } from './hook_secrets.js'

/** Retention of delivery ids, in milliseconds; longer than the maximum age of a delivery. */
export const DELIVERIES_KEPT_FOR = WEEK

/** Maximum age of a delivery, in milliseconds. */
const MAX_AGE = 5 * DAY

/** Tolerated lead of a provider's clock, in milliseconds. */
const AHEAD = 10 * MINUTE

/** Maximum number of events in one callback. */
const MAX_EVENTS = 100

/** Maximum length of an id or name, in characters. */
const MAX_NAME_LENGTH = 500

export interface Callback {
  headers: IncomingHttpHeaders
  rawBody: Buffer
}

export interface TakeCallbackDependencies {
  database: Database
  unitOfWork: UnitOfWork
  tenants: Tenants
  plugins: Pick<PluginRegistry, 'find'>
  secrets: SecretBox
  clock: Clock
  logger: Pick<Logger, 'warn'>
}

const REMEMBER = change(
  `insert into callback_deliveries (organization_id, address_id, delivery_key, received_at)
   values (:org, :id, :key, :now)
   on conflict (address_id, delivery_key) do nothing`
)

/**
 * Maximum size of an immediate answer, and of the stored part of a press, in characters of JSON.
 */
const MAX_ANSWER = 10_000

/** A delivery with a valid signature that is not too old. */
interface Verified {
  webhooks: InboundWebhooks
  events: InboundEvent[]
  /** A press of a button, which is no event. */
  press: Interaction | null
  answer: Record<string, unknown> | null
}

/** The row of an address's owner, as far as it is needed. */
interface Owner {
  organization_id: string
  connection_id: string
}

/** The address that something came to, with the connection behind it. */
interface Receiver {
  address: CallbackAddress
  connection: Connection
}

/**
 * Receives a callback of a provider. It is verified by the provider's own scheme, and only brings
 * planned polls forward; no provider is called meanwhile. Every rejected callback gets the same
 * answer, which reveals nothing.
 */
export class TakeCallback {
  constructor(private readonly dependencies: TakeCallbackDependencies) {}

  /**
   * @returns the answer that the provider wants at once; null for none
   * @throws not_found for an unknown address, and for a callback that is unsigned, stale or
   * malformed
   */
  async handle(
    address: CallbackAddress,
    callback: Callback
  ): Promise<Record<string, unknown> | null> {
    const { tenants, unitOfWork } = this.dependencies
    const owner = await this.#ownerOf(address)
    const organization = owner && (await tenants.find(owner.organization_id))
    if (!organization) throw refuse('not_found')
    const actor = { type: 'system', id: null, name: 'integrations' } as const
    const reading = unitOfWork.readScope({ organization, actor, permissions: unrestricted })
    const receiver = { address, connection: await findConnection(reading, owner.connection_id) }
    const verified = await this.#verified(reading, receiver, callback)
    const looks = verified && (await this.#looksOf(reading, receiver, verified))
    if (!looks) throw refuse('not_found')
    const principal = {
      organization,
      actor: { ...actor, name: receiver.connection.pluginId },
      permissions: unrestricted,
    }
    await unitOfWork.inTransaction(principal, async (scope) => {
      await recordReceipt(scope, address)
      const { press } = verified
      if (press && (await isNew(scope, address.id, press.deliveryId))) {
        await requestInteraction(scope, address.id, press)
      }
      for (const { event, targets } of looks) {
        if (!(await isNew(scope, address.id, event.deliveryId))) continue
        const { type, subject } = event
        for (const { id: integrationId, appId, kind } of targets) {
          await planHint(scope, { appId, integrationId, kind, type, subject: subject.id })
        }
      }
    })
    return verified.answer
  }

  /** Finds the organization by the row of the address, because a provider has no API key. */
  async #ownerOf({ of: owned, id }: CallbackAddress): Promise<Owner | null> {
    const client = readClient(this.dependencies.database)
    const connectionId = owned === 'connection' ? 'id as connection_id' : 'connection_id'
    return from(client, `${owned}s`).where('id', id).select('organization_id', connectionId).first()
  }

  /**
   * Returns the content of a callback with a valid signature that is not too old; null for any
   * other.
   */
  async #verified(
    scope: Scope,
    receiver: Receiver,
    { headers, rawBody }: Callback
  ): Promise<Verified | null> {
    const { plugins, secrets, clock } = this.dependencies
    const plugin = plugins.find(receiver.connection.pluginId)
    const load = plugin?.webhooks
    if (!load) return null
    // Buttons belong to the App of a connection, not to a webhook of one integration.
    const loadInteractions = receiver.address.of === 'connection' ? plugin.interactions : undefined
    const validSecrets = await openSecrets(scope, secrets, receiver.address)
    const credentials = await credentialsOf(scope, secrets, receiver.connection)
    const receivedAt = new Date(clock.milliseconds())
    const request: InboundRequest = { headers: plainHeaders(headers), rawBody, receivedAt }
    return this.#readBy(receiver, async () => {
      const { default: webhooks } = await load()
      const verified: unknown = webhooks.verify(request, validSecrets, credentials)
      const result = answerIn(verified)
      // Exactly `true`, because a promise would be truthy, too.
      if (verified !== true && result === null) return null
      const press = (await loadInteractions?.())?.default.read(request) ?? null
      if (press)
        return this.#isValidPress(press) ? { webhooks, events: [], press, answer: result } : null
      const events = webhooks.parse(request)
      const areValid = events.length <= MAX_EVENTS && events.every((each) => this.#isTimely(each))
      return areValid ? { webhooks, events, press, answer: result } : null
    })
  }

  /** Returns each event with the integrations it concerns; null if the plugin fails. */
  async #looksOf(scope: Scope, receiver: Receiver, { webhooks, events }: Verified) {
    const targets = events.length === 0 ? [] : await targetsOf(scope, receiver.address)
    return this.#readBy(receiver, async () =>
      events.map((event) => ({
        event,
        targets: targets.filter(
          (each) => webhooks.concerns?.(event, { data: each.data, app: contextApp(each) }) ?? true
        ),
      }))
    )
  }

  /** Lets the plugin read a callback; null if it fails. */
  async #readBy<Read>(
    { address, connection: { pluginId } }: Receiver,
    read: () => Promise<Read | null>
  ): Promise<Read | null> {
    try {
      return await read()
    } catch (error) {
      // The message may quote the payload.
      const { name } = error as Error
      const fields = { plugin: pluginId, address: address.id, error: name }
      this.dependencies.logger.warn(fields, 'A callback cannot be read')
      return null
    }
  }

  #isTimely({ deliveryId, type, subject, occurredAt }: InboundEvent): boolean {
    return arePlain(deliveryId, type, subject.id) && deliveryId !== '' && this.#isRecent(occurredAt)
  }

  #isValidPress({
    deliveryId,
    memberId,
    action,
    value,
    replyTo,
    occurredAt,
  }: Interaction): boolean {
    const isWhole = arePlain(deliveryId, memberId, action) && deliveryId !== '' && memberId !== ''
    const isSmall = JSON.stringify([value, replyTo]).length <= MAX_ANSWER
    return isWhole && typeof value === 'string' && isSmall && this.#isRecent(occurredAt)
  }

  #isRecent(occurredAt: string): boolean {
    const at = Date.parse(occurredAt)
    const now = this.dependencies.clock.milliseconds()
    return at > now - MAX_AGE && at < now + AHEAD
  }
}

const arePlain = (...texts: unknown[]) =>
  texts.every((each) => typeof each === 'string' && each.length <= MAX_NAME_LENGTH)

async function targetsOf(
  scope: Scope,
  { of: owned, id }: CallbackAddress
): Promise<CalledIntegration[]> {
  if (owned === 'connection') return integrationsOfConnection(scope, id)
  const integration = await readIntegration(scope, id)
  return integration ? [integration] : []
}

/** Returns the credentials of a connection; empty if they are missing or unreadable. */
async function credentialsOf(
  scope: Scope,
  secrets: SecretBox,
  { id }: Connection
): Promise<Credentials> {
  try {
    return (await openCredentials(scope, secrets, id)).credentials
  } catch (error) {
    if (error instanceof Problem) return {}
    throw error
  }
}

/** Returns the immediate response of a plugin; null for anything else. */
function answerIn(verified: unknown): Record<string, unknown> | null {
  if (typeof verified !== 'object' || verified === null) return null
  const { answer: result } = verified as { answer?: Partial<InboundAnswer> }
  const body = result?.body
  const isPlain = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isPlain && JSON.stringify(body).length <= MAX_ANSWER ? body : null
}

async function isNew(scope: Scope, id: string, deliveryId: string): Promise<boolean> {
  const key = createHash('sha256').update(deliveryId).digest('base64url')
  const bindings = { id, key, now: scope.now }
  return (await scope.change(REMEMBER, bindings)).count > 0
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    )
  )
}

/**
 * Deletes at most `most` ids of deliveries that are too old to be accepted again.
 * @returns their number
 */
export async function forgetDeliveries(
  client: TransactionClientContract,
  now: string,
  most: number
): Promise<number> {
  const key = ['address_id', 'delivery_key']
  const expired = from(client, 'callback_deliveries')
    .where('received_at', '<=', earlier(now, DELIVERIES_KEPT_FOR))
    .select(key)
    .limit(most)
  return Number(await from(client, 'callback_deliveries').whereIn(key, expired).delete())
}
