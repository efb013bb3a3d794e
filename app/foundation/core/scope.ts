import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type {
  LucidModel,
  LucidRow,
  ModelAttributes,
  ModelQueryBuilderContract,
} from '@adonisjs/lucid/types/model'
import { JobQueue } from './jobs/job_queue.js'
import { chunked } from './chunked.js'
import type { Instant } from './clock.js'
import type { SelectRunner, StatementRunner } from './database/runner.js'
import { change, type Bindings, type Change, type Select } from './database/statement.js'
import { requireTenant, rowToLock, tableOf, updateOf } from './database/tenant_statements.js'
import { TouchedRows } from './database/touched_rows.js'
import {
  columnName,
  stored,
  storedRow,
  type RowOf,
  type Stored,
  type Table,
  type TableName,
} from './database/table.js'
import type { TenantModel } from './database/tenant_model.js'
import type { EventDraft, Outbox } from './events/outbox.js'
import type { Actor, Permissions, Principal, Tenant } from './principal.js'
import { refuse } from './problems/problem.js'
import { RowsToDerive, type Derivable } from './rows_to_derive.js'
import { yieldToOthers } from './yielding.js'

type TenantRow = InstanceType<typeof TenantModel>
type TenantClass<Row extends TenantRow> = (new () => Row) & { table: string }

/** A row to insert: the scope adds the organization. */
export type NewRow<Each extends Table> = Omit<RowOf<Each>, 'organizationId'>

/** Members that select the rows to update; a list matches any of its values. */
type UpdateKey<Each extends Table> = {
  readonly [Name in keyof NewRow<Each>]?: NewRow<Each>[Name] | readonly string[]
}

/** Rows per INSERT: even for wide tables well under the bindings that either database allows. */
const ROWS_PER_INSERT = 100

/** Maximum number of results kept of one statement: one page's worth. */
const MAX_KEPT = 200

const BEGIN_REHEARSAL = change('savepoint rehearsal')
const TAKE_BACK = change('rollback to savepoint rehearsal')
const END_REHEARSAL = change('release savepoint rehearsal')

/** The additional state of a scope in a transaction. */
interface InTransaction {
  client: TransactionClientContract
  statements: StatementRunner
  outbox: Outbox
  jobs: JobQueue
  /** Derives a touched row. */
  derive: (scope: Scope, row: Derivable) => Promise<void>
}

/** Accepts reads that are needed soon, so that they are under way before they are awaited. */
export type Prefetcher = Pick<Scope, 'prefetch'>

/**
 * The only way to a tenant's rows. It carries the organization, the requester, the time of the
 * request and the connection: the transaction of a write, or a plain one for reads.
 */
export class Scope {
  readonly organization: Tenant
  readonly actor: Actor
  readonly permissions: Permissions
  readonly #now: Instant
  #hasReadTime = false
  readonly #loaded = new Map<string, Promise<unknown>>()
  /** Reads that `prefetch` has sent, with their bindings. */
  readonly #ahead = new Map<Select, { given: string; rows: Promise<unknown[]> }>()
  /** Results of `rowsOnce`, by statement and bindings. */
  readonly #kept = new Map<Select, Map<string, Promise<unknown[]>>>()
  readonly #toDerive = new RowsToDerive()

  constructor(
    principal: Principal,
    now: Instant,
    readonly client: QueryClientContract,
    private readonly selects: SelectRunner,
    private readonly open: InTransaction | null = null
  ) {
    this.organization = principal.organization
    this.actor = principal.actor
    this.permissions = principal.permissions
    this.#now = now
  }

  /** The time of the request. */
  get now(): Instant {
    this.#hasReadTime = true
    return this.#now
  }

  /** True if the time was read, so that a later answer may differ. */
  get isOfItsTime(): boolean {
    return this.#hasReadTime
  }

  /**
   * Returns rows of a written-out SELECT, for hot paths.
   * @throws Error for a SELECT without a condition on `:org`, the organization
   */
  rows<Row>(statement: Select<Row>, bindings: Bindings = {}): Promise<Row[]> {
    requireTenant(statement.rest)
    const requested = this.#ahead.get(statement)
    if (requested) {
      this.#ahead.delete(statement)
      if (requested.given === JSON.stringify(bindings)) return requested.rows as Promise<Row[]>
    }
    return this.selects.rows(statement, { ...bindings, org: this.organization.id })
  }

  /**
   * Sends a SELECT that `rows` will need next, so that it runs while something else is awaited.
   * Its result is used once, and dropped if this scope changes the table. A change by a model is
   * not noticed, so only ask ahead for what is read before such changes. On SQLite this does
   * nothing, because reads there take no round trip.
   */
  prefetch(statement: Select, bindings: Bindings): void {
    if (!this.isShared || !this.open) return
    const given = JSON.stringify(bindings)
    if (this.#ahead.get(statement)?.given === given) return
    if (this.#kept.get(statement)?.has(given)) return
    requireTenant(statement.rest)
    const rows = this.selects.rows(statement, { ...bindings, org: this.organization.id })
    rows.catch(() => {})
    this.#ahead.set(statement, { given, rows })
  }

  /**
   * Like `rows`, but reads only once per scope, until the scope changes one of the tables. A change
   * by a model or a query builder is not noticed: its author must call `forget`.
   */
  rowsOnce<Row>(statement: Select<Row>, bindings: Bindings = {}): Promise<Row[]> {
    const given = JSON.stringify(bindings)
    const kept = this.#kept.get(statement) ?? new Map<string, Promise<unknown[]>>()
    this.#kept.set(statement, kept)
    const found = kept.get(given)
    if (found) return found as Promise<Row[]>
    // A caller that iterates over many rows asks for none of them again.
    if (kept.size >= MAX_KEPT) kept.clear()
    const rows = this.rows(statement, bindings)
    kept.set(given, rows)
    return rows
  }

  /** Drops the kept and pre-read rows of a table. */
  forget(table: TableName): void {
    this.#forget(table)
  }

  #forget(table: string): void {
    for (const rows of [this.#ahead, this.#kept]) {
      for (const statement of rows.keys()) {
        if (new RegExp(`\\b${table}\\b`).test(statement.rest)) rows.delete(statement)
      }
    }
  }

  /** Runs a written-out change. @throws Error for one without `:org`, the organization */
  change<Row>(statement: Change<Row>, bindings: Bindings = {}) {
    requireTenant(statement.sql)
    this.#forget(tableOf(statement))
    return this.#inTransaction.statements.change(statement, {
      ...bindings,
      org: this.organization.id,
    })
  }

  /** Returns a query for the rows of a model that belong to the organization. */
  query<Row extends TenantRow>(model: TenantClass<Row>) {
    return (model as unknown as LucidModel)
      .query({ client: this.client })
      .where('organizationId', this.organization.id) as unknown as ModelQueryBuilderContract<
      LucidModel & (new () => Row),
      Row
    >
  }

  /** Stores a new row of the organization. */
  async create<Row extends TenantRow>(
    model: TenantClass<Row>,
    values: Partial<ModelAttributes<Row & LucidRow>>
  ): Promise<Row> {
    this.#forget(model.table)
    const row = await (model as unknown as LucidModel).create(
      { ...values, organizationId: this.organization.id },
      { client: this.client }
    )
    return row as unknown as Row
  }

  /**
   * Returns a query for plain rows of a table of the organization, without models: for lists and
   * evaluations.
   */
  table(name: TableName) {
    return this.client.from(name).where(`${name}.organization_id`, this.organization.id)
  }

  /** Inserts rows of the organization, in as few statements as the databases allow. */
  async insert<Each extends Table>(table: Each, rows: readonly NewRow<Each>[]): Promise<void> {
    await this.insertStored(
      table.name,
      rows.map((row) => storedRow(table, row))
    )
  }

  /** Inserts rows of the organization by their columns, as they are stored. */
  async insertStored(name: TableName, rows: readonly Record<string, Stored>[]): Promise<void> {
    this.#forget(name)
    for (const chunk of chunked(rows, ROWS_PER_INSERT)) {
      const whole = chunk.map((row) => ({ ...row, organization_id: this.organization.id }))
      const { statements } = this.#inTransaction
      if (statements.insertEach) await statements.insertEach(name, whole)
      else await this.client.table(name).multiInsert(whole)
      if (chunk.length === ROWS_PER_INSERT) await yieldToOthers()
    }
  }

  /**
   * Updates the rows that a key selects. Undefined values stay unchanged.
   * @throws Error for an empty or undefined key, and for no values
   */
  async update<Each extends Table>(
    table: Each,
    key: UpdateKey<Each>,
    values: Partial<NewRow<Each>>
  ): Promise<void> {
    const members = Object.entries<unknown>(key)
    if (members.length === 0 || members.some(([, value]) => value === undefined)) {
      throw new Error('An update must say by which key')
    }
    const bindings = storedRow(table, values)
    const columns = Object.keys(bindings)
    const keyed = members.map(([member, value]) => {
      const column = columnName(member)
      const isList = Array.isArray(value)
      bindings[`key_${column}`] = isList
        ? JSON.stringify(value)
        : stored(table.columns[member], value)
      return isList ? `${column} in json(:key_${column})` : `${column} = :key_${column}`
    })
    const statement = updateOf(table, keyed, columns)
    requireTenant(statement.sql)
    this.#forget(table.name)
    await this.#inTransaction.statements.send(statement, {
      ...bindings,
      org: this.organization.id,
    })
  }

  /** Marks a row whose facts have changed: its stored state is derived before the answer. */
  touch(row: Derivable): void {
    if (this.#inTransaction) this.#toDerive.add(row)
  }

  /** True if there are touched rows that are not derived yet. */
  get isTouched(): boolean {
    return !this.#toDerive.isEmpty
  }

  /** Derives touched rows until none is left; called by the unit of work. */
  derive(): Promise<void> {
    return this.#toDerive.derive((row) => this.#inTransaction.derive(this, row))
  }

  /** Loads a value once per scope, so that all callers work on the same one. */
  once<Loaded>(name: string, load: () => Promise<Loaded>): Promise<Loaded> {
    let loaded = this.#loaded.get(name)
    if (!loaded) this.#loaded.set(name, (loaded = load()))
    return loaded as Promise<Loaded>
  }

  /** The transaction. @throws Error outside of one */
  get transaction(): TransactionClientContract {
    return this.#inTransaction.client
  }

  /**
   * Runs work and rolls it back: its result and events become known, but nothing is stored,
   * announced or sent. The work must register no hooks of the transaction.
   * @param act returns a function that reads the result after derivation
   */
  async rehearse<Result>(
    act: (rehearsal: Scope) => Promise<() => Promise<Result>>
  ): Promise<{ result: Result; recorded: readonly EventDraft[] }> {
    const { client, statements, outbox, derive } = this.#inTransaction
    const { organization, actor, permissions, now } = this
    const apart = outbox.apart()
    const jobs = new JobQueue(statements, this.organization.id, this.now, this.isShared)
    const open = { client, statements, outbox: apart, jobs, derive }
    const rehearsal = new Scope({ organization, actor, permissions }, now, client, statements, open)
    await statements.change(BEGIN_REHEARSAL, {})
    try {
      const read = await act(rehearsal)
      await rehearsal.derive()
      const result = await read()
      return { result, recorded: apart.recorded }
    } finally {
      await statements.change(TAKE_BACK, {})
      await statements.change(END_REHEARSAL, {})
    }
  }

  /** Records each row that this transaction changes from now on. */
  noteRows(): Promise<TouchedRows> {
    return TouchedRows.noted(this.#inTransaction.statements, this.isShared)
  }

  /** The outbox of this transaction. */
  get events(): Outbox {
    return this.#inTransaction.outbox
  }

  /** The job queue of this transaction, for deferred work and for calls to providers. */
  get jobs(): JobQueue {
    return this.#inTransaction.jobs
  }

  get #inTransaction(): InTransaction {
    if (!this.open) throw new Error('This needs a transaction')
    return this.open
  }

  /** True if other processes may write at the same time: on PostgreSQL. */
  get isShared(): boolean {
    return this.client.dialect.name === 'postgres'
  }

  /** Returns whether the requester has a user action (admins have all). */
  can(action: string): boolean {
    return this.permissions.admin || this.permissions.actions.has(action)
  }

  /** True if the requester is in a group, and may therefore own things. */
  get hasGroups(): boolean {
    return this.permissions.groupIds.length > 0
  }

  /** @throws action_missing unless the requester has one of the user actions. */
  demand(...anyOf: string[]): void {
    if (!anyOf.some((action) => this.can(action))) {
      throw refuse('action_missing', {
        detail: `This needs the user action ${anyOf.join(' or ')}.`,
        members: { missingActions: anyOf },
      })
    }
  }

  /** Returns whether the requester may see an app. */
  sees(appId: string): boolean {
    const { admin, appIds } = this.permissions
    return admin || appIds === null || appIds.has(appId)
  }

  /** Locks a row until the transaction ends; returns false if there is no such row. */
  async lock(table: TableName, id: string): Promise<boolean> {
    return (await this.rows(rowToLock(table, this.isShared), { id })).length > 0
  }

  /** Locks a row; returns false if another transaction has locked it or there is no such row. */
  async lockIfFree(table: TableName, id: string): Promise<boolean> {
    return (await this.rows(rowToLock(table, this.isShared, 'skip'), { id })).length > 0
  }
}

export type { LucidRow }
