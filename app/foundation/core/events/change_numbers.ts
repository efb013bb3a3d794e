import type { SelectRunner } from '../database/runner.js'
import { as, of, select } from '../database/statement.js'
import { text } from '../database/table.js'
import { InRounds } from '../in_rounds.js'
import { eventCounters } from './tables.js'

/**
 * Returns the change number of an organization as text, from its row in `event_counters`. On
 * PostgreSQL it includes the start time of the server, because a server after a failover may have
 * lost some of the counting.
 */
export function changesOf(alias: string, isPostgres: boolean) {
  // As a subquery it is evaluated once, not for every row.
  const server = isPostgres ? `(select cast(pg_postmaster_start_time() as text)) || ' ' || ` : ''
  return as(text(), `${server}${alias}.changes || ''`)
}

/**
 * The change numbers of organizations, which grow with every write that could change an answer.
 * They are read from the database each time, since another process may have written.
 */
export class ChangeNumbers {
  readonly #rounds = new InRounds<string, string>((ids) => this.#read(ids))
  readonly #statement

  constructor(
    private readonly selects: SelectRunner,
    isPostgres: boolean
  ) {
    this.#statement = select(
      { ...of(eventCounters, 'c', ['organizationId']), number: changesOf('c', isPostgres) },
      'from event_counters c where c.organization_id in json(:ids)'
    )
  }

  /** Returns the number of an organization at some time after this call. */
  of(organizationId: string): Promise<string> {
    return this.#rounds.ask(organizationId)
  }

  async #read(ids: readonly string[]): Promise<string[]> {
    const rows = await this.selects.rows(this.#statement, {
      ids: JSON.stringify([...new Set(ids)]),
    })
    const numbers = new Map(rows.map(({ organizationId, number }) => [organizationId, number]))
    return ids.map((id) => numbers.get(id) ?? '')
  }
}
