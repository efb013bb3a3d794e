import { into } from '#foundation/core/database/from'
import { lastSequence } from '#foundation/core/events/last_sequence'
import { newId } from '#foundation/core/ids'
import type { OutboundGuard } from '#outbound-client/guard'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import {
  requireSettings,
  headerMembers,
  settingMembers,
  type EndpointSettings,
} from '#webhooks/endpoint_settings'
import { HEALTHY } from '#webhooks/endpoint_health'
import { newKey, withAsymmetric } from '#webhooks/keys'
import { sealOwner, type EndpointRow } from '#webhooks/rows'
import { EVERY_EVENT } from '#webhooks/subscription'
import { webhookEndpoints } from '#webhooks/tables'

/** The maximum number of endpoints of an organization. */
const MAX_ENDPOINTS = 50

const DEFAULT_TIMEOUT_SECONDS = 15

/** Creates an endpoint that receives events from now on. Only this response contains its secret. */
export class CreateEndpoint {
  constructor(
    private readonly scope: Scope,
    private readonly guard: OutboundGuard,
    private readonly secrets: SecretBox
  ) {}

  async handle(
    input: EndpointSettings & { url: string }
  ): Promise<{ row: EndpointRow; secret: string }> {
    const { scope } = this
    await requireSettings(scope, this.guard, input)
    await this.#checkCount()

    const id = newId('whe')
    const owner = sealOwner({ id, organization_id: scope.organization.id })
    const seal = (value: unknown) => this.secrets.seal(owner, value)
    const key = newKey('v1', scope.now)
    const keys = withAsymmetric([key], input.asymmetric ?? false, scope.now)
    await scope.insert(webhookEndpoints, [
      {
        id,
        url: input.url,
        description: null,
        events: [EVERY_EVENT],
        appIds: null,
        platforms: null,
        timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
        maxPerSecond: null,
        ...settingMembers(input),
        ...headerMembers(input.headers ?? {}, seal),
        asymmetric: input.asymmetric ?? false,
        sealedKeys: seal(keys),
        ...HEALTHY,
        lastSuccessAt: null,
        startSequence: await this.#startRelay(),
        wakeAt: null,
        probeAt: null,
        probes: 0,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
    await recordAudit(scope, { action: 'webhookEndpoint.created', subject: id })
    const row: EndpointRow = await scope.table('webhook_endpoints').where('id', id).firstOrFail()
    return { row, secret: key.key }
  }

  async #checkCount(): Promise<void> {
    const row = await this.scope.table('webhook_endpoints').count('* as count').first()
    if (Number(row.count) < MAX_ENDPOINTS) return
    throw refuse('conflict', {
      detail: `An organization has at most ${MAX_ENDPOINTS} webhook endpoints.`,
    })
  }

  /** Starts relaying at the organization's first endpoint. @returns the last event's sequence */
  async #startRelay(): Promise<number> {
    const { client, organization } = this.scope
    const sequence = await lastSequence(this.scope)
    await into(client, 'webhook_relays')
      .insert({ organization_id: organization.id, sequence })
      .onConflict('organization_id')
      .ignore()
    return sequence
  }
}
