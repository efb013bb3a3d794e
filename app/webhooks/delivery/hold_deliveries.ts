import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { inStatements } from '#foundation/core/database/in_batches'
import { allPending } from '#webhooks/delivery/pending'

/** Holds the pending deliveries of a disabled endpoint, until they are recovered or expire. */
export async function holdDeliveries(
  client: TransactionClientContract,
  endpointId: string
): Promise<void> {
  const isPending = `id in (select p.id from (${allPending('?')}) p limit ?)`
  await inStatements(async (limit) =>
    Number(
      await from(client, 'webhook_deliveries')
        .whereRaw(isPending, [endpointId, endpointId, endpointId, limit])
        .update({ status: 'held', next_attempt_at: null })
    )
  )
}
