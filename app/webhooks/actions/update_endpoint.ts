import { isDeepStrictEqual } from 'node:util'
import { storedMembers, type RowOf } from '#foundation/core/database/table'
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
import { holdDeliveries } from '#webhooks/delivery/hold_deliveries'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { HEALTHY } from '#webhooks/endpoint_health'
import { withAsymmetric, type EndpointKey } from '#webhooks/keys'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import { sealOwner, type EndpointRow } from '#webhooks/rows'
import { webhookEndpoints } from '#webhooks/tables'

type Changed = Partial<RowOf<typeof webhookEndpoints>>

export interface EndpointChanges extends EndpointSettings {
  enabled?: boolean
}

/**
 * Changes an endpoint. Disabling holds its pending deliveries. Enabling resets its health, but held
 * deliveries need a recovery. Another URL is another receiver, so it resets the health, too. Equal
 * values write nothing.
 */
export class UpdateEndpoint {
  constructor(
    private readonly scope: Scope,
    private readonly guard: OutboundGuard,
    private readonly secrets: SecretBox
  ) {}

  async handle(id: string, changes: EndpointChanges): Promise<EndpointRow> {
    const { scope } = this
    await scope.lock('webhook_endpoints', id)
    const before = await getEndpoint(scope, id)
    await requireSettings(scope, this.guard, changes)
    const { url = before.url } = changes
    const columns = storedMembers(webhookEndpoints, {
      url,
      ...settingMembers(changes),
      ...this.#headers(before, changes),
      ...this.#keys(before, changes),
      ...(await this.#health(before, changes.enabled, url !== before.url)),
    })
    const differing = Object.fromEntries(
      Object.entries(columns).filter(([name, value]) => value !== before[name as keyof EndpointRow])
    )
    if (Object.keys(differing).length === 0) return before
    await scope
      .table('webhook_endpoints')
      .where('id', id)
      .update({ ...differing, wake_at: scope.now, updated_at: scope.now })
    await recordAudit(scope, {
      action: 'webhookEndpoint.updated',
      subject: id,
      data: { changed: Object.keys(changes) },
    })
    await wakeAfterCommit(scope.transaction)
    return getEndpoint(scope, id)
  }

  #headers(before: EndpointRow, { headers }: EndpointChanges): Changed {
    if (headers === undefined) return {}
    const owner = sealOwner(before)
    const members = headerMembers(headers ?? {}, (value) => this.secrets.seal(owner, value))
    // Sealing the same value twice gives different texts, so the values are compared.
    const [stored, given] = [before.sealed_headers, members.sealedHeaders].map((sealed) =>
      this.secrets.open(owner, sealed)
    )
    return isDeepStrictEqual(stored, given) ? {} : members
  }

  #keys(before: EndpointRow, { asymmetric }: EndpointChanges): Changed {
    if (asymmetric === undefined || asymmetric === Boolean(before.asymmetric)) return {}
    const owner = sealOwner(before)
    const keys = withAsymmetric(readKeys(this.secrets, before), asymmetric, this.scope.now)
    return { asymmetric, sealedKeys: this.secrets.seal(owner, keys) }
  }

  async #health(
    before: EndpointRow,
    enabled: boolean | undefined,
    isOtherUrl: boolean
  ): Promise<Changed> {
    const isDisabled = before.status === 'disabled'
    if (enabled === false && !isDisabled) {
      await holdDeliveries(this.scope.transaction, before.id)
      return { status: 'disabled', disabledReason: 'byUser', probeAt: null, probes: 0 }
    }
    const isRestored = enabled === true && before.status !== 'active'
    if (isRestored || (isOtherUrl && !isDisabled)) {
      if (isDisabled) readKeys(this.secrets, before)
      return { ...HEALTHY, probeAt: null, probes: 0 }
    }
    return {}
  }
}

/** @throws conflict if the secrets cannot be decrypted */
export function readKeys(secrets: SecretBox, row: EndpointRow): EndpointKey[] {
  const keys = secrets.open<EndpointKey[]>(sealOwner(row), row.sealed_keys)
  if (keys) return keys
  throw refuse('conflict', {
    detail: 'The secrets of this endpoint can no longer be read; create a new endpoint.',
    currentStatus: row.status,
    allowedActions: ['delete'],
  })
}
