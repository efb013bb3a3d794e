import type { ContainerResolver } from '@adonisjs/core/container'
import type { ContainerBindings } from '@adonisjs/core/types'
import { isPostgres } from '../../core/database/connections.js'
import type { RequestCounts } from './request_counts.js'

/** Makes the request counts for a store, and loads only the class in use. */
export async function makeCounts(
  store: 'memory' | 'database' | 'redis',
  resolver: ContainerResolver<ContainerBindings>
): Promise<RequestCounts> {
  if (store === 'redis') {
    const { RedisCounts } = await import('./redis_counts.js')
    return new RedisCounts(await resolver.make('redis'))
  }
  const clock = await resolver.make('clock')
  const time = () => clock.milliseconds()
  const database = await resolver.make('lucid.db')
  if (store === 'memory') {
    const { MemoryCounts } = await import('./memory_counts.js')
    return new MemoryCounts(time)
  }
  if (!isPostgres(database)) {
    const { SqliteCounts } = await import('./sqlite_counts.js')
    return new SqliteCounts(database, time)
  }
  const { PostgresPoolRunner } = await import('../../core/database/postgres_pool_runner.js')
  const { PostgresCounts } = await import('./postgres_counts.js')
  return new PostgresCounts(new PostgresPoolRunner(database))
}
