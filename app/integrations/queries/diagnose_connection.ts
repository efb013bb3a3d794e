import type { Scope } from '#foundation/core/scope'
import { later, type Instant } from '#foundation/core/clock'
import type { RatePolicy } from '#plugin-kit/manifest'
import { plugins } from '../plugins/plugin_registry.js'
import { connectionHealth, type HostHealth } from './connection_health.js'
import { listCalls, type ListedCall } from './list_calls.js'
import type { ListedConnection } from './list_connections.js'

/** Number of failures reported per connection. */
const FAILURES = 3

/** The facts about a connection that are known without a call to its provider. */
export interface Diagnosis {
  hosts: HostHealth[]
  /** The plugin's own limit after the last call; null while the plugin does not run. */
  budget: { left: number; of: number; perSeconds: number } | null
  /** Newest first. */
  failures: ListedCall[]
}

export async function diagnoseConnection(
  scope: Scope,
  { id, plugin }: Pick<ListedConnection, 'id' | 'plugin'>,
  now: Instant
): Promise<Diagnosis> {
  const hosts = await connectionHealth(scope, id)
  const failures = await listCalls(scope, { connectionId: id, onlyFailures: true, limit: FAILURES })
  const [last] = await listCalls(scope, { connectionId: id, limit: 1 })
  const rate = plugins.find(plugin)?.manifest.rate
  return { hosts, budget: rate ? budgetOf(rate, last, now) : null, failures }
}

/** After a whole window without a call the budget is full again. */
function budgetOf(
  { requests, perSeconds }: RatePolicy,
  last: ListedCall | undefined,
  now: Instant
): Diagnosis['budget'] {
  const isRecent = last !== undefined && later(last.calledAt, perSeconds * 1000) > now
  const left = isRecent ? (last.remaining ?? requests) : requests
  return { left, of: requests, perSeconds }
}
