import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inTurns } from '#foundation/core/database/in_batches'
import { allPending } from '#webhooks/delivery/pending'

/** Keeps what a disabled endpoint cannot take, until it is recovered or expires. */
export async function holdDeliveries(
  client: TransactionClientContract,
  endpointId: string
): Promise<void> {
  const some = `id in (select p.id from (${allPending('?')}) p limit ?)`
  await inTurns(async (most) =>
    Number(
      await client
        .from('webhook_deliveries')
        .whereRaw(some, [endpointId, endpointId, endpointId, most])
        .update({ status: 'held', next_attempt_at: null })
    )
  )
}
