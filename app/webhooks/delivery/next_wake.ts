import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { later, type Instant } from '#foundation/core/clock'
import type { EndpointRow } from '#webhooks/rows'
import { ORDER_PATIENCE } from '#webhooks/schedule'

/**
 * The earliest time after `now` at which an endpoint may have something to start, given
 * that everything it could start now has been; null when only an event can change that.
 */
export async function nextWake(
  client: TransactionClientContract,
  endpoint: EndpointRow,
  now: Instant
): Promise<Instant | null> {
  const rows = () => client.from('webhook_deliveries').where('endpoint_id', endpoint.id)
  const earliest = async (query: ReturnType<typeof rows>, column: string) => {
    const row = await query.where(column, '>', now).min(`${column} as at`).first()
    return row.at as Instant | null
  }
  // A ping has no place in the schedule.
  const pending = () => rows().where('status', 'pending').whereNotNull('next_attempt_at')

  const leaseEnd = await earliest(rows(), 'lease_until')
  if (endpoint.status === 'disabled') return leaseEnd
  if (endpoint.status === 'degraded') {
    const waiting = await pending().select('id').first()
    const probe = waiting && endpoint.probe_at !== null ? endpoint.probe_at : null
    return leaseEnd ?? probe
  }

  // An event that fails lets later ones of its entity pass when patience ends.
  const patience = later(now, -ORDER_PATIENCE)
  const failed = await pending()
    .where('first_failed_at', '>', patience)
    .min('first_failed_at as at')
    .first()
  const candidates = [
    leaseEnd,
    await earliest(pending(), 'next_attempt_at'),
    failed.at === null ? null : later(failed.at, ORDER_PATIENCE),
  ]
  const known = candidates.filter((each): each is Instant => each !== null)
  return known.length === 0 ? null : known.sort()[0]
}
