import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type Work } from './connections.js'
import { LONGEST_MS, MOST_TOGETHER } from './grouping.js'
import { sendTogether } from './postgres_runner.js'
import { begin, commit, PostgresWork, rollBack, type Held } from './postgres_work.js'
import { isOutcomeUnknown, isRule, notStored } from './unfinished.js'

/** Transactions at work: while one waits for the disk, the next waits for its lock already. */
const AT_ONCE = 2

/** How long others may have been waited for when a transaction is lost, not to go on waiting. */
const PATIENCE_MS = 10_000

interface Waiting {
  work: Work<unknown, ClientBase>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  since: number
}

/** A write whose work is over; it is answered once its transaction is stored, or is not. */
interface Member extends Waiting {
  part: PostgresWork
  outcome: { result: unknown } | { refusal: unknown }
}

/** A transaction that the database would not store, for one of its members and a reason. */
class Spoilt extends Error {
  constructor(readonly reason: unknown) {
    super('not stored for one of its members', { cause: reason })
  }
}

/**
 * Writes that wait for the same lock. Each of them alone would wait for its BEGIN, its lock and
 * its COMMIT, while nobody else can have the lock: so they share a transaction, those after the
 * first behind a savepoint of their own, and are answered when it is stored. A write leaves its
 * last statements unanswered, so the next one begins while those are carried out.
 */
export class PostgresLine {
  readonly #waiting: Waiting[] = []
  #atWork = 0

  /**
   * @param alone runs a write in a transaction of its own
   * @param idle called when nobody waits any more
   */
  constructor(
    private readonly database: Database,
    private readonly alone: (work: Work<unknown, ClientBase>) => Promise<unknown>,
    private readonly idle: () => void
  ) {}

  run<Result>(work: Work<Result, ClientBase>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const since = performance.now()
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject, since })
      if (this.#atWork < AT_ONCE) void this.#serve()
    })
  }

  async #serve() {
    this.#atWork += 1
    while (this.#waiting.length > 0) await this.#group()
    this.#atWork -= 1
    if (this.#atWork === 0) this.idle()
  }

  async #group() {
    const pool = poolOf<Held>(this.database)
    const members: Member[] = []
    let failure: { error: unknown } | null = null
    try {
      const connection = await pool.acquireConnection()
      try {
        if (await this.#together(connection, members)) await store(connection)
      } catch (error) {
        failure = { error }
        await rollBack(connection)
      } finally {
        await pool.releaseConnection(connection)
      }
    } catch (error) {
      // Without a connection nobody can be served; one that is not taken back is no reason.
      if (members.length === 0) this.#refuse(this.#waiting.length, error)
    }
    if (failure) await this.#answerLost(members, failure.error)
    else for (const member of members) void answer(member)
  }

  /**
   * Runs who waits, one after the other; who is refused leaves no trace.
   * @returns whether there is anything to store
   * @throws when the transaction as a whole is lost, with the reason
   */
  async #together(connection: Held, members: Member[]): Promise<boolean> {
    // What the first waits for its lock counts for nobody else.
    let began = 0
    for (let count = 0; count < MOST_TOGETHER; count++) {
      const next = this.#waiting.shift()
      if (!next) break
      const part = await PostgresWork.on(
        this.database,
        connection,
        count === 0 ? begin(connection) : mark(connection, count)
      )
      const member: Member = { ...next, part, outcome: { result: undefined } }
      members.push(member)
      try {
        member.outcome = { result: await part.carryOut(next.work) }
      } catch (error) {
        member.outcome = { refusal: error }
        if (count === 0) await rollBack(connection)
        else await rollBackTo(connection, count)
        member.outcome = { refusal: await firstFailure(part, error) }
        await part.end('rollback')
        if (count === 0) return false
      }
      if (count === 0) began = performance.now()
      else if (performance.now() - began > LONGEST_MS) break
    }
    return members.length > 0
  }

  #refuse(count: number, error: unknown) {
    for (const { reject } of this.#waiting.splice(0, count)) reject(error)
  }

  /**
   * Answers the members of a transaction that was not stored. Where it was one of them that the
   * database would not have, the others are run again, each by itself.
   */
  async #answerLost(members: readonly Member[], error: unknown) {
    const isUnknown = isOutcomeUnknown(error)
    if (!(error instanceof Spoilt)) {
      const tooLong = performance.now() - PATIENCE_MS
      const waited = this.#waiting.findIndex(({ since }) => since >= tooLong)
      this.#refuse(waited < 0 ? this.#waiting.length : waited, notStored(error))
    }
    const [first, ...others] = members
    for (const { part, outcome } of members) {
      // What was stored outside of the database goes only when the change surely did.
      if ('result' in outcome && !isUnknown) await part.end('rollback')
    }
    if (others.length === 0) {
      const reason = error instanceof Spoilt ? firstFailure(first.part, error.reason) : error
      first?.reject(await reason)
      return
    }
    for (const { work, outcome, resolve, reject } of members) {
      if (error instanceof Spoilt) await this.alone(work).then(resolve, reject)
      // What it was refused for may be what was not stored.
      else reject(isUnknown && 'result' in outcome ? error : notStored(error))
    }
  }
}

/** @throws Spoilt; outcome_unknown, not_stored */
async function store(connection: Held) {
  try {
    if (await commit(connection)) return
  } catch (error) {
    const { code } = error as { code?: string }
    throw code !== undefined && isRule(code) ? new Spoilt(error) : error
  }
  throw new Spoilt(notStored(new Error('COMMIT was answered with a ROLLBACK')))
}

async function answer({ part, outcome, resolve, reject }: Member) {
  if ('refusal' in outcome) return reject(outcome.refusal)
  await part.end('commit')
  resolve(outcome.result)
}

/**
 * Where a member begins. Each has a name of its own: a member behind one whose last statements
 * failed finds no place to go back to, and so cannot take its predecessor back and go on.
 */
const nameOf = (member: number) => `member_${member}`

function mark(connection: Held, member: number): Promise<unknown> {
  sendTogether(connection)
  const marked = connection.query(`savepoint ${nameOf(member)}`)
  marked.catch(() => {})
  return marked
}

/** @throws what lost the whole transaction */
async function rollBackTo(connection: Held, member: number) {
  try {
    await connection.query(`rollback to savepoint ${nameOf(member)}`)
  } catch (error) {
    const { code } = error as { code?: string }
    throw code === NO_SAVEPOINT || code === ABORTED ? new Spoilt(error) : error
  }
}

const NO_SAVEPOINT = '3B001'
const ABORTED = '25P02'

/** What failed first of a part: what was sent before is answered before. */
const firstFailure = (part: PostgresWork, error: unknown): Promise<unknown> =>
  part.arrived().then(
    () => error,
    (sent: unknown) => sent
  )
