import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { subscriptionOf, type EndpointRow } from '../rows.js'
import { wants } from '../subscription.js'

/** Returns the addresses that receive an event once it is recorded. */
export async function endpointsFor(
  scope: Scope,
  { type, appId }: Pick<EventDraft, 'type' | 'appId'>
): Promise<string[]> {
  const platformOf = async (): Promise<string | null> =>
    (await scope.table('apps').where('id', appId!).select('platform').first())?.platform ?? null
  const rows = await scope.once('endpoints of the organization', async () => {
    const found: EndpointRow[] = await scope
      .table('webhook_endpoints')
      .whereNot('status', 'disabled')
      .orderBy('created_at')
    return found
  })
  const platform = appId === undefined ? null : await scope.once(`platform of ${appId}`, platformOf)
  const addressed = { type, appId: appId ?? null, platform }
  return rows.flatMap((row) => (wants(subscriptionOf(row), addressed) ? [row.url] : []))
}
