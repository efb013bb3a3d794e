import type { PageRequest } from '#foundation/api/pages'
import { of, select, variants } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { TesterDeviceEntity } from './entities.js'
import { testerDevices } from './tables.js'

const devicesWith = variants(
  select(
    of(testerDevices, 'd'),
    'from tester_devices d where d.organization_id = :org and d.bucket_id = :bucketId'
  ),
  'order by d.registered_at desc, d.id desc limit :limit'
)

type DeviceRow = Awaited<ReturnType<typeof listDevices>>[number]

export const deviceKeys = ({ registeredAt, id }: DeviceRow) => [registeredAt, id]

/** Returns the devices that were registered for a bucket, newest first. */
export function listDevices(scope: Scope, bucketId: string, { limit, after }: PageRequest) {
  if (!after) return scope.rows(devicesWith(''), { bucketId, limit })
  const [lastAt, lastId] = after
  const afterLast = 'and (d.registered_at, d.id) < (:lastAt, :lastId)'
  return scope.rows(devicesWith(afterLast), { bucketId, limit, lastAt, lastId })
}

/** Devices as the API shows them. */
export async function deviceEntities(
  scope: Scope,
  devices: readonly DeviceRow[]
): Promise<TesterDeviceEntity[]> {
  const people = await peopleOf(
    scope,
    devices.flatMap(({ userId }) => userId ?? [])
  )
  return devices.map(({ organizationId: _, bucketId: __, userId, ...device }) => {
    const tester = userId === null ? undefined : people.get(userId)
    return {
      ...device,
      tester: tester ? { id: tester.id, email: tester.email, name: tester.name } : null,
    }
  })
}
