import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { change, of, select, type Bindings, type Change } from '../database/statement.js'
import { newId } from '../ids.js'
import { giveTurn, lockEntity } from './entity_turns.js'
import { fits } from './fits.js'
import { endJob, stillClaimed, type Claim, type End, type ClaimState } from './ends.js'
import type { Nature, PayloadOf, WorkKind } from './kinds.js'
import { jobs } from './tables.js'

/** Name of the channel that notifies other processes on PostgreSQL of due jobs. */
export const JOBS_CHANNEL = 'tarmac_jobs'

declare module '@adonisjs/core/types' {
  interface EventsList {
    /** A job that is already due was planned; the workers of this process look at once. */
    'jobs:due': undefined
  }
}

/** Kinds with at most one job per subject. */
type Single = WorkKind<'timer' | 'observation'>

/** A job as a module plans it. */
export interface JobDraft<Kind extends WorkKind> {
  /** The subject: an internal id, unique within the kind and organization. */
  subject: string
  /** The due time; immediately by default. */
  at?: Instant
  payload: PayloadOf<Kind>
}

export interface CommandDraft<Kind extends WorkKind> extends JobDraft<Kind> {
  /** Planning again with the same key makes no second command; by default each is a new one. */
  idempotencyKey?: string
  /** Commands of one entity are carried out one after the other, in the order of planning. */
  entityKey?: string
  /** True if it has capacity of its own, so that it does not wait for other commands. */
  isUrgent?: boolean
}

const COLUMNS = `id, organization_id, nature, kind, subject, entity_key, idempotency_key, payload,
  state, due_at, visible_at, attempts, doubts, replanned, created_at`
const KEY = `(coalesce(organization_id, ''), kind, idempotency_key)`
const row = of(jobs, 'jobs', ['id', 'entityKey'])

const PLAN = change(
  `insert into jobs (${COLUMNS})
  values (:id, :org, :nature, :kind, :subject, null, :subject, :payload,
    'planned', :at, :at, 0, 0, false, :now)
  on conflict ${KEY} do update set
    payload = excluded.payload, state = 'planned', due_at = excluded.due_at,
    visible_at = case when jobs.claim_id is null
      then excluded.due_at else jobs.visible_at end,
    attempts = case when jobs.claim_id is null then 0 else jobs.attempts end,
    replanned = (jobs.claim_id is not null), finished_at = null`,
  { id: row.id }
)

const COMMAND = change(
  `insert into jobs (${COLUMNS})
  values (:id, :org, :nature, :kind, :subject, :entityKey, :key, :payload,
    :state, :at, :visibleAt, 0, 0, false, :now)
  on conflict ${KEY} do nothing`,
  { id: row.id }
)
const AHEAD = select(
  { id: row.id },
  `from jobs
  where organization_id = :org and entity_key = :entityKey and finished_at is null limit 1`
)
const BY_KEY = select(
  { id: row.id },
  `from jobs
  where organization_id = :org and coalesce(organization_id, '') = :org and kind = :kind
    and idempotency_key = :key`
)

const SUBJECT = `where organization_id = :org and kind = :kind and subject = :subject
  and finished_at is null`
/** A command that may already have been applied cannot be cancelled. */
const UNBEGUN = `${SUBJECT} and claim_id is null and attempts = 0`

const CANCEL_CLAIMED = change(
  `update jobs set due_at = null, replanned = true ${SUBJECT} and claim_id is not null`
)
const CANCEL = change(`delete from jobs ${SUBJECT} and claim_id is null`)
const CANCEL_COMMANDS = change(`delete from jobs ${UNBEGUN}`, row)
const MOVE = change(`update jobs set due_at = :at,
    visible_at = case when claim_id is null then :at else visible_at end,
    attempts = case when claim_id is null then 0 else attempts end,
    replanned = (claim_id is not null) ${SUBJECT}`)
const MOVE_COMMANDS = change(`update jobs set due_at = :at,
    visible_at = case when state = 'planned' then :at else visible_at end ${UNBEGUN}`)
const AT_ONCE = `update jobs set due_at = :now,
    visible_at = case when claim_id is null then :now else visible_at end,
    replanned = (claim_id is not null)`
const LOOK_NOW = change(`${AT_ONCE}
  where organization_id = :org and nature = 'observation' and finished_at is null`)
const HASTEN = change(`${AT_ONCE}
  where organization_id = :org and kind = :kind and subject in json(:subjects)
    and finished_at is null`)
const NOTIFY = change(`select pg_notify('${JOBS_CHANNEL}', '')`)

/**
 * The job queue of one organization within a transaction: jobs are planned, moved or cancelled
 * together with the cause, or not at all.
 */
export class JobQueue {
  #isDue = false

  constructor(
    private readonly statements: StatementRunner,
    private readonly org: string,
    private readonly now: Instant,
    private readonly isShared: boolean
  ) {}

  /** True if a job is due as soon as the transaction commits. */
  get isDue(): boolean {
    return this.#isDue
  }

  /**
   * Plans a timer or an observation. There is one job per subject: planning it again changes its
   * time and payload, even while a worker carries it out.
   * @returns its id
   */
  async plan<Kind extends Single>(kind: Kind, draft: JobDraft<Kind>): Promise<string> {
    const { rows } = await this.#change(PLAN, await this.#bindings(kind, draft))
    return rows[0].id
  }

  /**
   * Plans a call to a provider.
   * @returns its id, or that of the command that has the key already
   */
  async command<Kind extends WorkKind<'command'>>(
    kind: Kind,
    draft: CommandDraft<Kind>
  ): Promise<string> {
    const { entityKey = null, isUrgent = false } = draft
    const bindings = await this.#bindings(kind, draft)
    const key = draft.idempotencyKey ?? bindings.id
    const isBehind = entityKey !== null && (await this.#hasAhead(entityKey))
    const { rows } = await this.#change(COMMAND, {
      ...bindings,
      ...(isUrgent && { nature: 'urgent' }),
      key,
      entityKey,
      state: isBehind ? 'behind' : 'planned',
      visibleAt: isBehind ? null : bindings.at,
    })
    if (rows.length > 0) return rows[0].id
    const existing = { org: this.org, kind: kind.name, key }
    const [{ id }] = await this.statements.rows(BY_KEY, existing)
    return id
  }

  /**
   * Returns whether the entity has an unfinished command. It is locked, so none can end meanwhile.
   */
  async #hasAhead(entityKey: string): Promise<boolean> {
    const entity = { org: this.org, entityKey }
    await lockEntity(this.statements, entity, this.isShared)
    return (await this.statements.rows(AHEAD, entity)).length > 0
  }

  /**
   * Cancels what is planned for a subject. The current attempt at a timer or an observation has no
   * effect unless it has committed already. A command that was begun is not cancelled.
   * @returns whether there was anything to cancel
   */
  async cancel(kind: WorkKind, subject: string): Promise<boolean> {
    const bindings = { kind: kind.name, subject }
    if (kind.nature === 'command') {
      const { rows } = await this.#change(CANCEL_COMMANDS, bindings)
      const keys = new Set(rows.flatMap(({ entityKey }) => entityKey ?? []))
      for (const entityKey of [...keys].sort()) {
        await giveTurn(this.statements, { org: this.org, entityKey }, this.now, this.isShared)
        await this.#recordDue()
      }
      return rows.length > 0
    }
    const { count } = await this.#change(CANCEL, bindings)
    return count > 0 || (await this.#change(CANCEL_CLAIMED, bindings)).count > 0
  }

  /**
   * Moves what is planned for a subject to another time; commands only if they were not begun.
   * @returns whether there was anything to move
   */
  async move(kind: WorkKind, subject: string, at: Instant): Promise<boolean> {
    const statement = kind.nature === 'command' ? MOVE_COMMANDS : MOVE
    const { count } = await this.#change(statement, { kind: kind.name, subject, at })
    if (count > 0 && at <= this.now) await this.#recordDue()
    return count > 0
  }

  /**
   * Makes the observations of some subjects due now; one that is under way is repeated afterwards.
   * @returns the number of observations
   */
  async hasten(kind: WorkKind<'observation'>, subjects: readonly string[]): Promise<number> {
    if (subjects.length === 0) return 0
    const bindings = { kind: kind.name, subjects: JSON.stringify(subjects), now: this.now }
    const { count } = await this.#change(HASTEN, bindings)
    if (count > 0) await this.#recordDue()
    return count
  }

  /**
   * Makes all observations due now; those that are under way are repeated afterwards.
   * @returns the number of observations
   */
  async pollNow(): Promise<number> {
    const { count } = await this.#change(LOOK_NOW, { now: this.now })
    if (count > 0) await this.#recordDue()
    return count
  }

  /** Returns the current state of a claimed job, for the workers. */
  claimState(claim: Claim): Promise<ClaimState> {
    return stillClaimed(this.statements, claim)
  }

  /** Ends a claimed job, for the workers; returns false if the claim was lost. */
  async end(claim: Claim, how: End): Promise<boolean> {
    const ended = await endJob(this.statements, claim, how, this.now, this.isShared)
    if (ended && claim.entityKey !== null) await this.#recordDue()
    return ended
  }

  async #bindings(kind: WorkKind<Nature>, { subject, payload, at = this.now }: JobDraft<WorkKind>) {
    if (!(await fits(kind.payload, payload))) {
      throw new Error(`${kind.name} was planned with a payload that it does not describe`)
    }
    if (at <= this.now) await this.#recordDue()
    return {
      id: newId('job'),
      nature: kind.nature,
      kind: kind.name,
      subject,
      payload: JSON.stringify(payload),
      at,
      now: this.now,
    }
  }

  async #recordDue(): Promise<void> {
    if (this.#isDue) return
    this.#isDue = true
    if (this.isShared) await this.statements.send(NOTIFY, {})
  }

  #change<Row>(statement: Change<Row>, bindings: Bindings) {
    return this.statements.change(statement, { ...bindings, org: this.org })
  }
}
