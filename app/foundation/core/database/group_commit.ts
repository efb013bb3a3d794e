import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import type { Pool, Together, Work } from './connections.js'
import { MAX_MS, MAX_TOGETHER } from './grouping.js'
import { sendTogether } from './postgres_statements.js'
import { begin, PostgresWork, rollBack, Spoilt, store, type Held } from './postgres_work.js'
import { SharedReads, type Next } from './shared_reads.js'
import { isOutcomeUnknown, notStored, waitedTooLong } from './unfinished.js'

/** Concurrent transactions: while one waits for the disk, the next already waits for the lock. */
const AT_ONCE = 2

/** The time a write waits in line before it is refused, in milliseconds. */
const TIMEOUT_MS = 10_000

/**
 * The time a write behind the first waits for a lock, in milliseconds. The holder of that lock may
 * itself wait for locks that the transaction holds (the last event number, files, connections).
 */
const LOCK_MS = 20

interface Waiting extends Next {
  work: Work<unknown, ClientBase>
  /** The kind of write: writes of a kind take about equally long. */
  kind: string
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  since: number
}

/** A write whose work is done; it is answered once its transaction has committed or failed. */
interface Member extends Waiting {
  part: PostgresWork
  /** Resolves to the time at which its work could begin, in milliseconds. */
  began: Promise<number>
  outcome: { result: unknown } | { refusal: unknown } | null
}

/** Kinds of writes that last took long, and since when that has been known. */
export type LongKinds = Map<string, number>

/** The time for which a kind counts as long, in milliseconds: its duration may include waiting. */
const LAPSE_MS = 1000

/**
 * Writes that wait for the same lock. Separately, each would hold the lock during the round trips
 * of its BEGIN, its work and its COMMIT. So they share a transaction, each after the first behind
 * its own savepoint, and are answered when it has committed. A write does not wait for the answers
 * to its last statements, so the next one begins while the database executes them.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = []
  #atWork = 0

  /**
   * @param pool connections for shared transactions
   * @param alone runs a write in a transaction of its own
   * @param idle called when nobody waits any more
   */
  constructor(
    private readonly database: Database,
    private readonly pool: Pool<Held>,
    private readonly longKinds: LongKinds,
    private readonly alone: (work: Work<unknown, ClientBase>) => Promise<unknown>,
    private readonly idle: () => void,
    private readonly patienceMs = TIMEOUT_MS
  ) {}

  run<Result>(
    { kind, ahead }: Pick<Together, 'kind' | 'ahead'>,
    work: Work<Result, ClientBase>
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const since = performance.now()
      const waiting = { work, kind, ahead, reject, since }
      this.#waiting.push({ ...waiting, resolve: resolve as Waiting['resolve'] })
      if (this.#atWork < AT_ONCE) void this.#serve()
    })
  }

  /** Refuses whoever waits. */
  refuse(error: unknown) {
    this.#refuse(this.#waiting.length, error)
  }

  async #serve() {
    this.#atWork += 1
    let isServing = true
    while (isServing && this.#waiting.length > 0) isServing = await this.#group()
    if (isServing) this.#atWork -= 1
    if (this.#atWork === 0) this.idle()
  }

  /** @returns false if there was no connection: then this loop ends */
  async #group(): Promise<boolean> {
    const members: Member[] = []
    let failure: { error: unknown } | null = null
    try {
      const connection = await this.pool.acquireConnection()
      try {
        if (await this.#together(connection, members)) await store(connection)
      } catch (error) {
        failure = { error }
        await rollBack(connection)
      } finally {
        await this.pool.releaseConnection(connection)
      }
    } catch (error) {
      // Only a failure to get a connection counts here, not one to give it back.
      if (members.length === 0) {
        this.#atWork -= 1
        // The other loop, if there is one, serves those who wait.
        if (this.#atWork === 0) this.#refuse(this.#waiting.length, error)
        return false
      }
    }
    if (failure) await this.#answerLost(members, failure.error)
    else for (const member of members) void answer(member)
    return true
  }

  /**
   * Runs the waiting writes one after the other; a refused one is rolled back.
   * @returns whether there is anything to commit
   * @throws when the transaction as a whole is lost, with the reason
   */
  async #together(connection: Held, members: Member[]): Promise<boolean> {
    // The first write's wait for its lock is not attributed to the others.
    let began = 0
    const reads = new SharedReads(() =>
      this.#isLong(this.#waiting[0]) ? undefined : this.#waiting[0]
    )
    for (let count = 0; count < MAX_TOGETHER; count++) {
      const next = this.#next(count === 0)
      if (!next) break
      const member = await this.#member(connection, next, count, reads)
      members.push(member)
      try {
        member.outcome = { result: await member.part.carryOut(next.work) }
        this.#recordLength(next.kind, count === 0, performance.now() - (await member.began))
      } catch (error) {
        if (count === 0) await rollBack(connection)
        else await rollBackTo(connection, count)
        reads.changesAnything()
        member.outcome = { refusal: await member.part.firstFailure(error) }
        await member.part.end('rollback')
        if (count === 0) return false
        if (isLocked(member.outcome.refusal)) {
          // It becomes the first write of the next transaction, which holds no lock while it waits.
          members.pop()
          this.#waiting.unshift(next)
          break
        }
      }
      if (count === 0) began = performance.now()
      else if (performance.now() - began > MAX_MS) break
    }
    return members.length > 0
  }

  async #member(
    connection: Held,
    next: Waiting,
    count: number,
    reads: SharedReads
  ): Promise<Member> {
    try {
      reads.begin(next)
      const begun = count === 0 ? begin(connection) : mark(connection, count)
      // A failed savepoint fails the whole transaction, so its answer need not be awaited.
      const open = count === 0 ? begun : Promise.resolve()
      const part = await PostgresWork.on(this.database, connection, begun, open, reads)
      const began = begun.then(() => performance.now())
      began.catch(() => {})
      return { ...next, part, began, outcome: null }
    } catch (error) {
      next.reject(notStored(error))
      throw error
    }
  }

  /** Returns the next write. Slow ones go first, so that finished ones do not wait for them. */
  #next(isFirst: boolean): Waiting | undefined {
    this.#refuseTooLong()
    return this.#isLong(this.#waiting[0]) && !isFirst ? undefined : this.#waiting.shift()
  }

  #isLong(waiting: Waiting | undefined): boolean {
    const since = waiting && this.longKinds.get(waiting.kind)
    return since !== undefined && performance.now() - since < LAPSE_MS
  }

  /**
   * The first write's time includes its wait for the lock, so it only shows that a kind is short.
   */
  #recordLength(kind: string, isFirst: boolean, ms: number) {
    if (ms <= MAX_MS) this.longKinds.delete(kind)
    else if (!isFirst) this.longKinds.set(kind, performance.now())
  }

  #refuseTooLong() {
    const inTime = this.#waiting.findIndex((waiting) => !this.#isTooLong(waiting))
    if (inTime !== 0) this.#refuse(inTime < 0 ? this.#waiting.length : inTime, waitedTooLong())
  }

  #isTooLong({ since }: Pick<Waiting, 'since'>): boolean {
    return performance.now() - since > this.patienceMs
  }

  #refuse(count: number, error: unknown) {
    for (const { reject } of this.#waiting.splice(0, count)) reject(error)
  }

  /**
   * Answers the members of a transaction that did not commit. If the database refused it because
   * of one of them (`Spoilt`), each is run again by itself.
   */
  async #answerLost(members: readonly Member[], error: unknown) {
    const isUnknown = isOutcomeUnknown(error)
    for (const { part, outcome } of members) {
      // Files are deleted only if the change is known to have failed.
      const isOver = outcome && 'refusal' in outcome
      if (!isOver && !isUnknown) await part.end('rollback')
    }
    const [first, ...others] = members
    if (others.length === 0) {
      const reason = error instanceof Spoilt ? first.part.firstFailure(error.reason) : error
      first?.reject(await reason)
      return
    }
    for (const { work, outcome, resolve, reject, since } of members) {
      const isDone = outcome && 'result' in outcome
      // A refusal may rest on an earlier write of this transaction, which was not stored.
      if (!(error instanceof Spoilt)) reject(isUnknown && isDone ? error : notStored(error))
      else if (this.#isTooLong({ since })) reject(waitedTooLong())
      else await this.alone(work).then(resolve, reject)
    }
  }
}

async function answer({ part, outcome, resolve, reject }: Member) {
  if (outcome && 'refusal' in outcome) return reject(outcome.refusal)
  await part.end('commit')
  resolve(outcome?.result)
}

/**
 * Returns the savepoint name of a member. Names are unique: a member whose predecessor's last
 * statements failed finds no savepoint to roll back to, and cannot undo the predecessor and go on.
 */
const nameOf = (member: number) => `member_${member}`

function mark(connection: Held, member: number): Promise<unknown> {
  sendTogether(connection)
  const impatient = member === 1 ? `set local lock_timeout = ${LOCK_MS}; ` : ''
  const marked = connection.query(`${impatient}savepoint ${nameOf(member)}`)
  marked.catch(() => {})
  return marked
}

/** @throws the failure of the whole transaction */
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
const LOCKED = '55P03'

const isLocked = (error: unknown) => (error as { code?: unknown } | null)?.code === LOCKED
