import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type {
  LucidModel,
  LucidRow,
  ModelAttributes,
  ModelQueryBuilderContract,
} from '@adonisjs/lucid/types/model'
import type { Instant } from './clock.js'
import type { Bindings, Reader, Select } from './database/reader.js'
import type { TenantModel } from './database/tenant_model.js'
import type { Outbox } from './events/outbox.js'
import { refuse } from './problems/problem.js'

/** Who caused a change. */
export interface Actor {
  type: 'user' | 'apiKey' | 'automation' | 'system'
  id: string | null
  name: string
}

/** What the one who asks may do. */
export interface Permissions {
  admin: boolean
  /** User actions of all its groups together. */
  actions: ReadonlySet<string>
  groupIds: readonly string[]
  /** Apps it is restricted to; null is every app of the organization. */
  appIds: ReadonlySet<string> | null
}

/** Whatever happens happens in one organization. */
export interface Tenant {
  id: string
  name: string
  requireIfMatch: boolean
}

export type TenantRow = InstanceType<typeof TenantModel>
type TenantClass<Row extends TenantRow> = (new () => Row) & { table: string }

/**
 * The only door to a tenant's rows. It carries the organization, who asks, the time of
 * the request and the connection: the transaction of a write, or a plain one for reads.
 */
export class Scope {
  constructor(
    readonly organization: Tenant,
    readonly actor: Actor,
    readonly permissions: Permissions,
    readonly now: Instant,
    readonly client: QueryClientContract,
    private readonly reader: Reader,
    private readonly outbox: Outbox | null = null
  ) {}

  /**
   * Rows of a SELECT written out, for paths that are asked all the time. It must compare
   * with `:org`, which is the organization: a statement that does not is a mistake in the
   * program.
   */
  read<Row>(statement: Select, bindings: Bindings = {}): Promise<Row[]> {
    if (!statement.from.includes('organization_id = :org')) {
      throw new Error('A statement must name its tenant')
    }
    return this.reader.all<Row>(statement, { ...bindings, org: this.organization.id })
  }

  /** Rows of a model that belong to the organization. */
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
    const row = await (model as unknown as LucidModel).create(
      { ...values, organizationId: this.organization.id },
      { client: this.client }
    )
    return row as unknown as Row
  }

  /** Plain rows of a table of the organization, without models: for lists and evaluations. */
  table(name: string) {
    return this.client.from(name).where(`${name}.organization_id`, this.organization.id)
  }

  /** Inserts plain rows of the organization, in as few statements as the databases allow. */
  async insert(name: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    const perStatement = 100
    for (let start = 0; start < rows.length; start += perStatement) {
      const chunk = rows.slice(start, start + perStatement)
      await this.client
        .table(name)
        .multiInsert(chunk.map((row) => ({ ...row, organization_id: this.organization.id })))
    }
  }

  /** The transaction; a write outside of one is a mistake in the program. */
  get transaction(): TransactionClientContract {
    if (!this.client.isTransaction) throw new Error('This needs a transaction')
    return this.client as TransactionClientContract
  }

  /** Where the events of this transaction go. */
  get events(): Outbox {
    if (!this.outbox) throw new Error('Events are written in a transaction only')
    return this.outbox
  }

  /** Whether the asker has a user action (admins have all). */
  can(action: string): boolean {
    return this.permissions.admin || this.permissions.actions.has(action)
  }

  /** Whether the asker stands for some group, and may so own things. */
  get hasGroups(): boolean {
    return this.permissions.groupIds.length > 0
  }

  /** @throws action_missing unless the asker has one of the user actions. */
  demand(...anyOf: string[]): void {
    if (!anyOf.some((action) => this.can(action))) {
      throw refuse('action_missing', {
        detail: `This needs the user action ${anyOf.join(' or ')}.`,
        members: { missingActions: anyOf },
      })
    }
  }

  /** Whether the asker may see an app at all. */
  sees(appId: string): boolean {
    const { admin, appIds } = this.permissions
    return admin || appIds === null || appIds.has(appId)
  }

  /** Locks a row until the transaction ends; SQLite's transactions already exclude each other. */
  async lock(table: string, id: string): Promise<boolean> {
    const query = this.table(table).where('id', id).select('id')
    if (this.client.dialect.name === 'postgres') query.forUpdate()
    return (await query.first()) !== null
  }
}

export type { LucidRow }
