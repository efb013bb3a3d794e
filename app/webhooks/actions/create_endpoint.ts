import { lastSequence } from '#foundation/core/events/last_sequence'
import { newId } from '#foundation/core/ids'
import type { OutboundGuard } from '#foundation/outbound/guard'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import {
  demandSettings,
  headerColumns,
  settingColumns,
  type EndpointSettings,
} from '#webhooks/endpoint_settings'
import { HEALTHY } from '#webhooks/health'
import { newKey, withAsymmetric } from '#webhooks/keys'
import { healthColumns, sealOwner, type EndpointRow } from '#webhooks/rows'
import { EVERY_EVENT } from '#webhooks/subscription'

/** Most endpoints of one organization. */
const MAX_ENDPOINTS = 50

const DEFAULT_TIMEOUT_SECONDS = 15

/** Makes an endpoint that gets every event from now on. The secret is in the answer only. */
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
    await demandSettings(scope, this.guard, input)
    await this.#checkCount()

    const id = newId('whe')
    const owner = sealOwner({ id, organization_id: scope.organization.id })
    const key = newKey('v1', scope.now)
    const keys = withAsymmetric([key], input.asymmetric ?? false, scope.now)
    await scope.insertStored('webhook_endpoints', [
      {
        id,
        url: input.url,
        events: JSON.stringify([EVERY_EVENT]),
        timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
        ...settingColumns(input),
        ...headerColumns(input.headers ?? {}, (value) => this.secrets.seal(owner, value)),
        asymmetric: input.asymmetric ?? false,
        sealed_keys: this.secrets.seal(owner, keys),
        ...healthColumns(HEALTHY),
        start_sequence: await this.#startRelay(),
        created_at: scope.now,
        updated_at: scope.now,
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

  /** Events of the organization are relayed from its first endpoint on; answers the last one. */
  async #startRelay(): Promise<number> {
    const { client, organization } = this.scope
    const sequence = await lastSequence(this.scope)
    await client
      .table('webhook_relays')
      .insert({ organization_id: organization.id, sequence })
      .onConflict('organization_id')
      .ignore()
    return sequence
  }
}
