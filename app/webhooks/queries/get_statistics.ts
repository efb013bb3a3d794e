import { earlier, later, type Instant } from '#foundation/core/clock'
import { as, select } from '#foundation/core/database/statement'
import { flag, integer, text } from '#foundation/core/database/table'
import { WEEK } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { WebhookStatistics } from '#webhooks/entities'
import { DISABLED_AFTER } from '#webhooks/endpoint_health'
import type { EndpointRow } from '#webhooks/rows'
import { DELIVERY_STATUSES } from '#webhooks/vocabulary'

/** Counts the attempts at an endpoint by the hour in which they began. */
const ATTEMPTS = select(
  {
    hour: as(text(), 'substr(a.started_at, 1, 13)'),
    delivered: as(flag(), 'a.delivered'),
    count: as(integer(), 'cast(count(*) as integer)'),
  },
  `from webhook_deliveries d
    join webhook_attempts a on a.organization_id = d.organization_id and a.delivery_id = d.id
  where d.organization_id = :org and d.endpoint_id = :endpoint and d.created_at >= :since
  group by substr(a.started_at, 1, 13), a.delivered order by 1`
)

/** Returns the statistics of an endpoint over the last seven days. */
export async function getStatistics(
  scope: Scope,
  endpoint: EndpointRow
): Promise<WebhookStatistics> {
  const since = earlier(scope.now, WEEK)
  const byStatus: { status: string; count: number }[] = await scope
    .table('webhook_deliveries')
    .where('endpoint_id', endpoint.id)
    .where('created_at', '>=', since)
    .groupBy('status')
    .select('status')
    .count('* as count')
  const counts = new Map(byStatus.map(({ status, count }) => [status, Number(count)]))
  const rows = await scope.rows(ATTEMPTS, { endpoint: endpoint.id, since })
  const hours = new Map<string, { startsAt: Instant; delivered: number; failed: number }>()
  for (const { hour, delivered, count } of rows) {
    const known = hours.get(hour) ?? { startsAt: `${hour}:00:00.000Z`, delivered: 0, failed: 0 }
    hours.set(hour, { ...known, [delivered ? 'delivered' : 'failed']: count })
  }
  const sum = (of: typeof rows) => of.reduce((all, { count }) => all + count, 0)
  return {
    since,
    deliveries: Object.fromEntries(
      DELIVERY_STATUSES.map((status) => [status, counts.get(status) ?? 0])
    ) as WebhookStatistics['deliveries'],
    attempts: sum(rows),
    deliveredAttempts: sum(rows.filter(({ delivered }) => delivered)),
    hours: [...hours.values()],
    failuresInARow: endpoint.failures,
    failingSince: endpoint.failing_since,
    lastSuccessAt: endpoint.last_success_at,
    disablesAt:
      endpoint.status === 'degraded' && endpoint.failing_since
        ? later(endpoint.failing_since, DISABLED_AFTER)
        : null,
  }
}
