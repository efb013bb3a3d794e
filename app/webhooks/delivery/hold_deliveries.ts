import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { allPending } from '#webhooks/delivery/pending'

/** Keeps what a disabled endpoint cannot take, until it is recovered or expires. */
export async function holdDeliveries(
  client: TransactionClientContract,
  endpointId: string
): Promise<void> {
  await client
    .from('webhook_deliveries')
    .whereRaw(`id in (${allPending('?')})`, [endpointId, endpointId, endpointId])
    .update({ status: 'held', next_attempt_at: null })
}
