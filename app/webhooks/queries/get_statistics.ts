import { later } from '#foundation/core/clock'
import { WEEK } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { WebhookStatistics } from '#webhooks/entities'
import { DISABLED_AFTER } from '#webhooks/health'
import type { EndpointRow } from '#webhooks/rows'
import { DELIVERY_STATUSES } from '#webhooks/vocabulary'

/** Returns the statistics of an endpoint over the last seven days. */
export async function getStatistics(
  scope: Scope,
  endpoint: EndpointRow
): Promise<WebhookStatistics> {
  const since = later(scope.now, -WEEK)
  const byStatus: { status: string; count: number }[] = await scope
    .table('webhook_deliveries')
    .where('endpoint_id', endpoint.id)
    .where('created_at', '>=', since)
    .groupBy('status')
    .select('status')
    .count('* as count')
  const counts = new Map(byStatus.map(({ status, count }) => [status, Number(count)]))
  const attempts = () =>
    scope
      .table('webhook_attempts')
      .join('webhook_deliveries', 'webhook_deliveries.id', 'webhook_attempts.delivery_id')
      .where('webhook_deliveries.endpoint_id', endpoint.id)
      .where('webhook_deliveries.created_at', '>=', since)
      .count('* as count')
  const all = await attempts().first()
  const delivered = await attempts().where('webhook_attempts.delivered', true).first()
  return {
    since,
    deliveries: Object.fromEntries(
      DELIVERY_STATUSES.map((status) => [status, counts.get(status) ?? 0])
    ) as WebhookStatistics['deliveries'],
    attempts: Number(all.count),
    deliveredAttempts: Number(delivered.count),
    failuresInARow: endpoint.failures,
    failingSince: endpoint.failing_since,
    lastSuccessAt: endpoint.last_success_at,
    disablesAt:
      endpoint.status === 'degraded' && endpoint.failing_since
        ? later(endpoint.failing_since, DISABLED_AFTER)
        : null,
  }
}
