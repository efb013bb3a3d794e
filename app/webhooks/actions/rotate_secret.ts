import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import { readKeys } from '#webhooks/actions/update_endpoint'
import { DEFAULT_GRACE_HOURS, liveKeys, publicKeys, rotate } from '#webhooks/keys'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import { sealOwner } from '#webhooks/rows'

/** Gives an endpoint new keys; the previous ones keep signing for a grace period. */
export class RotateSecret {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  async handle(id: string, graceHours = DEFAULT_GRACE_HOURS) {
    const { scope } = this
    await scope.lock('webhook_endpoints', id)
    const row = await getEndpoint(scope, id)
    let keys = rotate(readKeys(this.secrets, row), 'v1', graceHours, scope.now)
    if (row.asymmetric) keys = rotate(keys, 'v1a', graceHours, scope.now)
    const live = liveKeys(keys, scope.now)
    await scope
      .table('webhook_endpoints')
      .where('id', id)
      .update({
        sealed_keys: this.secrets.seal(sealOwner(row), live),
        updated_at: scope.now,
      })
    await recordAudit(scope, {
      action: 'webhookEndpoint.secretRotated',
      subject: id,
      data: { graceHours },
    })
    const newest = live.find(({ kind, expiresAt }) => kind === 'v1' && expiresAt === null)!
    return {
      id,
      secret: newest.key,
      publicKeys: publicKeys(live, scope.now),
      keys: live.map(({ kind, createdAt, expiresAt }) => ({ kind, createdAt, expiresAt })),
    }
  }
}
