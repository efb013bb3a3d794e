import { transact } from '#foundation/core/database/transact'
import { holdings, type Holding } from '#foundation/core/processes/holdings'
import { Statements } from '#webhooks/delivery/statements'

/** The condition of the small partial index of claimed deliveries. */
const CLAIMED = 'lease_until is not null and claimed_by is not null'
const CLAIMED_BY_LIVES = `${CLAIMED} and claimed_by in json(:lives)`

/**
 * The claimed deliveries. An endpoint is locked before its deliveries, in the same order as when
 * they are claimed and settled.
 */
const claimedDeliveries: Holding = {
  holders: (database) =>
    transact(database, async (client, connection) => {
      const statements = new Statements(client, connection)
      const rows = await statements.all<{ claimed_by: string }>(
        `select distinct claimed_by from webhook_deliveries where ${CLAIMED}`,
        {}
      )
      return rows.map(({ claimed_by: life }) => life)
    }),
  handBack: (database, lives, now) =>
    transact(database, async (client, connection) => {
      const statements = new Statements(client, connection)
      const bindings = { lives: JSON.stringify(lives) }
      const locked = await statements.all<{ id: string }>(
        `select id from webhook_endpoints
        where id in (select endpoint_id from webhook_deliveries where ${CLAIMED_BY_LIVES})
        order by id ${statements.locking('skip')}`,
        bindings
      )
      const endpoints = JSON.stringify(locked.map(({ id }) => id))
      await statements.all(
        `update webhook_deliveries set claim_id = null, claimed_by = null, lease_until = null
        where ${CLAIMED_BY_LIVES} and endpoint_id in json(:endpoints)`,
        { ...bindings, endpoints }
      )
      await statements.all(
        `update webhook_endpoints set wake_at = :now
        where id in json(:endpoints) and (wake_at is null or wake_at > :now)`,
        { endpoints, now }
      )
      const remaining = `select 1 as one from webhook_deliveries where ${CLAIMED_BY_LIVES} limit 1`
      return (await statements.first(remaining, bindings)) === null
    }),
}

export const holdsDeliveries = holdings.extend(claimedDeliveries)
