import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { inStatements } from '#foundation/core/database/in_batches'
import { allPending } from '#webhooks/delivery/pending'

/** Keeps what a disabled endpoint cannot take, until it is recovered or expires. */
export async function holdDeliveries(
  client: TransactionClientContract,
  endpointId: string
): Promise<void> {
  const some = `id in (select p.id from (${allPending('?')}) p limit ?)`
  await inStatements(async (most) =>
    Number(
      await from(client, 'webhook_deliveries')
        .whereRaw(some, [endpointId, endpointId, endpointId, most])
        .update({ status: 'held', next_attempt_at: null })
    )
  )
}
