import { as, change, of, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import type { ReportedDevice } from './profile_service.js'
import { testerDevices } from './tables.js'

const REGISTER = change(
  `insert into tester_devices (id, organization_id, bucket_id, user_id, udid, product,
    system_build, is_verified, certificate_issuer, registered_at, updated_at)
  values (:id, :org, :bucketId, :userId, :udid, :product, :systemBuild, :isVerified,
    :certificateIssuer, :now, :now)
  on conflict (bucket_id, udid) do update set user_id = excluded.user_id,
    product = excluded.product, system_build = excluded.system_build,
    is_verified = excluded.is_verified, certificate_issuer = excluded.certificate_issuer,
    updated_at = excluded.updated_at
  where tester_devices.user_id is distinct from excluded.user_id
    or tester_devices.product <> excluded.product
    or tester_devices.system_build is distinct from excluded.system_build
    or tester_devices.is_verified <> excluded.is_verified
    or tester_devices.certificate_issuer is distinct from excluded.certificate_issuer`,
  of(testerDevices, 'tester_devices', ['id'])
)

const OTHERS = select(
  { total: as(integer(), 'cast(count(*) as integer)') },
  `from tester_devices d
  where d.organization_id = :org and d.bucket_id = :bucketId and d.udid <> :udid`
)

/** More than Apple allows per account; keeps people with a link from filling the table. */
const MAX_DEVICES = 1000

/**
 * Registers a device for a bucket. A device that is registered again is updated, and belongs to the
 * latest tester.
 * @throws conflict if the bucket has too many devices
 */
export async function registerDevice(
  scope: Scope,
  { bucketId, userId }: { bucketId: string; userId: string | null },
  { challenge: _, ...reported }: ReportedDevice
): Promise<void> {
  const [{ total }] = await scope.rows(OTHERS, { bucketId, udid: reported.udid })
  if (total >= MAX_DEVICES) {
    throw refuse('conflict', { detail: `A bucket has at most ${MAX_DEVICES} devices.` })
  }
  const values = { ...reported, id: newId('device'), bucketId, userId, now: scope.now }
  const [changed] = (await scope.change(REGISTER, values)).rows
  if (!changed) return
  await recordAudit(scope, {
    action: 'device.registered',
    subject: changed.id,
    data: { bucketId, userId, udid: reported.udid, product: reported.product },
  })
}
