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

/** Rows are written when so many are there, or so many milliseconds after the first. */
const BATCH = 100
const WAIT_MS = 1000

/** While the database takes none, so many are kept. */
const MOST_KEPT = 2000

/** Writes down what was called, in batches, beside whatever goes on. */
export class CallLog {
  #calls: LoggedCall[] = []
  readonly #healths = new Map<string, HostHealth>()
  readonly #reported = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #isInTrouble = false

  constructor(
    private readonly database: Database,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Pick<Clock, 'now'>
  ) {}

  /** Returns what records the calls of one connection; one without an id is not stored yet. */
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
    if (this.#calls.length > MOST_KEPT) this.#calls.shift()
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
    // A success says nothing of when the last failure was.
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

  /** Writes what there is; what could not be written is tried again with the next batch. */
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
    // One by one: each holds its connection, and others who hold several wait for no second one.
    for (const health of healths) troubles.push(await this.#storeHealth(health))
    const trouble = troubles.find((each) => each !== null)
    if (trouble && !this.#isInTrouble) {
      this.logger.warn({ err: trouble.error }, 'The integration log is not written')
    }
    this.#isInTrouble = trouble !== undefined
  }

  async #storeCalls(calls: LoggedCall[]): Promise<Trouble> {
    if (calls.length === 0) return null
    const work: Work = async (client, _connection, statements) => {
      const known = await organizationsOf(statements, calls)
      const rows = calls
        .filter(({ organizationId }) => known.has(organizationId))
        .map((call) => storedRow(integrationCalls, { ...call, id: newId('call') }))
      if (statements.insertEach) return statements.insertEach('integration_calls', rows)
      for (const some of chunked(rows, BATCH)) {
        await into(client, 'integration_calls').multiInsert(some)
      }
    }
    const trouble = await this.#store(work)
    if (trouble) this.#calls = [...calls, ...this.#calls].slice(-MOST_KEPT)
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

/** Those that are still there: a row of one that went would keep all others from being written. */
async function organizationsOf(
  statements: StatementRunner,
  calls: readonly LoggedCall[]
): Promise<Set<string>> {
  const ids = [...new Set(calls.map(({ organizationId }) => organizationId))]
  const rows = await statements.rows(STILL_THERE, { ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}

/** A connection that went meanwhile has none. `since` and the last failure stay while nothing is new. */
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
