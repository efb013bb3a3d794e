import { BaseCheck, Result } from '@adonisjs/core/health'
import { from } from '#foundation/core/database/from'
import type { Clock } from '#foundation/core/clock'
import { readClient } from '#foundation/core/database/connections'
import type { Database } from '@adonisjs/lucid/database'

/**
 * Reports failing providers, as a warning, because the service works without them. The report is
 * public, so it contains plugins and numbers, but no connections or hosts of organizations.
 */
export class HostsCheck extends BaseCheck {
  override name = 'integration providers'

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>
  ) {
    super()
  }

  async run(): Promise<Result> {
    const rows: { plugin_id: string; count: number | string; since: string }[] = await from(
      readClient(this.database),
      'connection_healths as h'
    )
      .join('connections as c', (join) =>
        join.on('c.id', 'h.connection_id').andOn('c.organization_id', 'h.organization_id')
      )
      .where('h.state', 'open')
      // A breaker that a stopped process left open no longer counts.
      .where('h.open_until', '>', this.clock.now())
      .groupBy('c.plugin_id')
      .orderBy('c.plugin_id')
      .select('c.plugin_id')
      .countDistinct('c.id as count')
      .min('h.since as since')
    if (rows.length === 0) return Result.ok('No breaker is open')
    const reported = rows.map(({ plugin_id: plugin, count, since }) => {
      const connections = Number(count) === 1 ? '1 connection' : `${count} connections`
      return `${plugin}: ${connections} since ${since}`
    })
    return Result.warning(`Calls are suspended after failures: ${reported.join('; ')}.`)
  }
}
