import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import { from, into } from '#foundation/core/database/from'
import { chunked } from '#foundation/core/chunked'
import type { Clock, Instant } from '#foundation/core/clock'
import type { StatementRunner } from '#foundation/core/database/runner'
import { as, select } from '#foundation/core/database/statement'
import { storedRow, text, type RowOf } from '#foundation/core/database/table'
import { transact } from '#foundation/core/database/transact'
import { newId } from '#foundation/core/ids'
import type { CallRecorder } from '#provider-port/records'
import { connectionHealths, integrationCalls } from '../tables.js'

/** One attempt at a call: no query, body, header or secret. */
export type LoggedCall = Omit<RowOf<typeof integrationCalls>, 'id'>

/** The health of one host of a connection. */
export type HostHealth = RowOf<typeof connectionHealths>

/** Rows are written when `BATCH` are pending, or `WAIT_MS` after the first. */
const BATCH = 100
const WAIT_MS = 1000

/** Maximum number of calls that are kept while the database is unavailable. */
const MAX_KEPT = 2000

/** Records calls to providers, in batches and in the background. */
export class CallLog {
  #calls: LoggedCall[] = []
  readonly #healths = new Map<string, HostHealth>()
  readonly #reported = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #isFailing = false

  constructor(
    private readonly database: Database,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Pick<Clock, 'now'>
  ) {}

  /** Returns a recorder for the calls of one connection; one without an id is not stored yet. */
  of(owner: Pick<LoggedCall, 'organizationId' | 'connectionId' | 'pluginId'>): CallRecorder {
    const { organizationId, connectionId } = owner
    return {
      add: (call) => this.#add({ ...owner, ...call }),
      report: (health) => {
        if (connectionId) this.#report({ organizationId, connectionId, ...health })
      },
    }
  }

  #add(call: LoggedCall): void {
    this.#calls.push(call)
    if (this.#calls.length > MAX_KEPT) this.#calls.shift()
    this.#plan()
  }

  /** Stores the health of a host, unless it is unchanged. */
  #report(health: Omit<HostHealth, 'since' | 'updatedAt'>): void {
    const now = this.clock.now()
    const key = `${health.connectionId} ${health.host}`
    const before = this.#reported.get(key)
    const isFailure = health.failedAt !== null
    if (before === health.state && !isFailure) return
    const waiting = this.#healths.get(key)
    // A success does not overwrite the last failure.
    const { failedAt, failure } = isFailure ? health : (waiting ?? health)
    const since = before === health.state ? (waiting?.since ?? now) : now
    this.#reported.set(key, health.state)
    this.#healths.set(key, { ...health, failedAt, failure, since, updatedAt: now })
    this.#plan()
  }

  #plan(): void {
    if (this.#calls.length >= BATCH) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS).unref()
  }

  /** Writes all pending rows; failed ones are retried with the next batch. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const calls = this.#calls
    const healths = [...this.#healths.values()]
    if (calls.length === 0 && healths.length === 0) return
    this.#calls = []
    this.#healths.clear()
    const troubles = [await this.#storeCalls(calls)]
    // One transaction each: none locks two rows, so it cannot deadlock with transactions that do.
    for (const health of healths) troubles.push(await this.#storeHealth(health))
    const trouble = troubles.find((each) => each !== null)
    if (trouble && !this.#isFailing) {
      this.logger.warn({ err: trouble.error }, 'The integration log cannot be stored')
    }
    this.#isFailing = trouble !== undefined
  }

  async #storeCalls(calls: LoggedCall[]): Promise<Trouble> {
    if (calls.length === 0) return null
    const work: Work = async (client, _connection, statements) => {
      const known = await organizationsOf(statements, calls)
      const rows = calls
        .filter(({ organizationId }) => known.has(organizationId))
        .map((call) => storedRow(integrationCalls, { ...call, id: newId('call') }))
      if (statements.insertEach) return statements.insertEach('integration_calls', rows)
      for (const batch of chunked(rows, BATCH)) {
        await into(client, 'integration_calls').multiInsert(batch)
      }
    }
    const trouble = await this.#store(work)
    if (trouble) this.#calls = [...calls, ...this.#calls].slice(-MAX_KEPT)
    return trouble
  }

  async #storeHealth(health: HostHealth): Promise<Trouble> {
    const trouble = await this.#store((client) => writeHealth(client, health))
    const key = `${health.connectionId} ${health.host}`
    if (trouble && !this.#healths.has(key)) this.#healths.set(key, health)
    return trouble
  }

  async #store(work: Work): Promise<Trouble> {
    try {
      await transact(this.database, work)
      return null
    } catch (error) {
      return { error }
    }
  }
}

type Work = Parameters<typeof transact<unknown>>[1]

/** Why something was not written; null if it was. */
type Trouble = { error: unknown } | null

const STILL_THERE = select(
  { id: as(text(), 'o.id') },
  'from organizations o where o.id in json(:ids)'
)

type Client = Parameters<Parameters<typeof transact>[1]>[0]

/**
 * Returns the organizations that still exist: the row of a deleted one would fail the whole batch.
 */
async function organizationsOf(
  statements: StatementRunner,
  calls: readonly LoggedCall[]
): Promise<Set<string>> {
  const ids = [...new Set(calls.map(({ organizationId }) => organizationId))]
  const rows = await statements.rows(STILL_THERE, { ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Writes nothing for a connection that was removed meanwhile. `since` stays while the state does,
 * and the last failure until the next.
 */
async function writeHealth(client: Client, health: HostHealth): Promise<void> {
  const { organizationId, connectionId, host } = health
  const row = () =>
    from(client, 'connection_healths').where({
      organization_id: organizationId,
      connection_id: connectionId,
      host,
    })
  const before: { state: string; since: Instant } | null = await row()
    .select('state', 'since')
    .first()
  const stored = storedRow(connectionHealths, health)
  if (!before) {
    const isThere = await from(client, 'connections')
      .where({ organization_id: organizationId, id: connectionId })
      .select('id')
      .first()
    if (isThere) await into(client, 'connection_healths').insert(stored)
    return
  }
  const { failed_at: failedAt, failure, since, ...rest } = stored
  await row().update({
    ...rest,
    ...(failedAt === null ? {} : { failed_at: failedAt, failure }),
    ...(before.state === health.state ? {} : { since }),
  })
}
