import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '#foundation/core/clock'
import type { SelectRunner } from '#foundation/core/database/runner'
import { alone, type Presence } from '#foundation/core/processes/presence'
import type { OutboundClient } from '#outbound-client/client'
import type { SecretBox } from '#foundation/core/secret_box'
import { ClaimDeliveries } from '#webhooks/delivery/claim_deliveries'
import { Dispatcher } from '#webhooks/delivery/dispatcher'
import { FutureInstants } from '#webhooks/delivery/future_instants'
import { FindDueWork } from '#webhooks/delivery/find_due_work'
import { MakeAttempt } from '#webhooks/delivery/make_attempt'
import { RecoverDeliveries } from '#webhooks/delivery/recover_deliveries'
import { Relay } from '#webhooks/delivery/relay'
import { SettleAttempts } from '#webhooks/delivery/settle_attempts'
import type { Random } from '#webhooks/retry_schedule'

/** Creates a dispatcher with its collaborators. */
export function makeDispatcher(dependencies: {
  database: Database
  selects: SelectRunner
  clock: Clock
  outbound: OutboundClient
  secrets: SecretBox
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  random: Random
  presence?: Presence
}): Dispatcher {
  const {
    database,
    selects,
    clock,
    outbound,
    secrets,
    logger,
    random,
    presence = alone,
  } = dependencies
  return new Dispatcher({
    work: new FindDueWork(selects, clock),
    relay: new Relay(database, clock),
    claims: new ClaimDeliveries(database, clock),
    attempts: new MakeAttempt(database, clock, outbound, secrets),
    settling: new SettleAttempts(database, clock, random),
    recoveries: new RecoverDeliveries(database, clock),
    future: new FutureInstants(database, clock),
    presence,
    clock,
    logger,
  })
}
