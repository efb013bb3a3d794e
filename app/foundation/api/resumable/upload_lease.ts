import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { ERRORS, type Lock, type Locker } from '@tus/utils'
import { later } from '../../core/clock.js'
import { change, of, type Change } from '../../core/database/statement.js'
import { newId } from '../../core/ids.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { unitOfWork } from '../../core/services.js'
import { resumableUploads } from './tables.js'

/** Lease of a silent holder in milliseconds: a dead process blocks others no longer than this. */
const LEASE_MS = 5000
/**
 * Interval in which the holder renews its lease and looks for waiting requests, in milliseconds.
 */
const BEAT_MS = 500
/** Interval in which a waiting request looks, in milliseconds. */
const LOOK_MS = 100
/** The time a request waits for another one of the same upload, in milliseconds. */
const PATIENCE_MS = 30_000

const TAKE = change(
  `update resumable_uploads set holder = :holder, held_until = :until, is_awaited = false,
    is_finishing = false
  where organization_id = :org and id = :id and (holder is null or held_until <= :now)`,
  of(resumableUploads, 'resumable_uploads', ['id'])
)
const AWAIT = change(
  'update resumable_uploads set is_awaited = true where organization_id = :org and id = :id',
  of(resumableUploads, 'resumable_uploads', ['isFinishing'])
)
const GO_ON = change(
  `update resumable_uploads set held_until = :until
  where organization_id = :org and id = :id and holder = :holder`,
  of(resumableUploads, 'resumable_uploads', ['isAwaited'])
)
const FINISH = change(
  `update resumable_uploads set is_finishing = true
  where organization_id = :org and id = :id and holder = :holder`
)
const END = change(
  `update resumable_uploads set holder = null, held_until = null, is_awaited = false,
    is_finishing = false
  where organization_id = :org and id = :id and holder = :holder`
)

/** Returns the refusal while the whole file is being processed. */
export const stillFinishing = () =>
  refuse('request_running', {
    detail: 'The whole file is being stored.',
    headers: { 'retry-after': '5' },
  })

/**
 * The lease of a request on its upload, if several processes share a database and a folder; within
 * a process `UploadLocks` does the same in memory. A waiting request asks the holder to end. While
 * the whole file is being processed, nobody waits for it.
 */
export class UploadLease {
  readonly #holder = newId('turn')
  #beat: NodeJS.Timeout | undefined
  /** The last time at which nobody else could have held the lease, by the clock of the process. */
  #heardAt = Infinity
  #isElsewhere = false

  constructor(
    private readonly scope: Scope,
    private readonly id: string,
    private readonly patienceMs = PATIENCE_MS
  ) {}

  /** Locks that have the turn besides; it is kept when they are given up, until `end`. */
  within(locker: Locker): Locker {
    return {
      newLock: (id) => {
        const lock = locker.newLock(id)
        return {
          lock: async (signal, requestRelease) => {
            await lock.lock(signal, requestRelease)
            try {
              await this.#take(requestRelease)
            } catch (error) {
              await lock.unlock()
              throw error
            }
          },
          unlock: () => lock.unlock(),
        } satisfies Lock
      },
    }
  }

  /** @throws request_running while another process makes something of the whole file */
  demandNotFinishing(): void {
    if (this.#isElsewhere) throw stillFinishing()
  }

  /**
   * A process that stood still for long may find that another one went on with its upload.
   * @throws request_running where that may be so
   */
  demandOwn(): void {
    if (performance.now() - this.#heardAt < LEASE_MS) return
    throw refuse('request_running', {
      detail: 'Another request of the same upload goes on.',
      headers: { 'retry-after': '5' },
    })
  }

  /**
   * Says that nothing of the upload arrives any more: nobody need wait.
   * @throws request_running where another process may have the turn
   */
  async noteFinishing(): Promise<void> {
    this.demandOwn()
    await this.#change(FINISH)
  }

  async end(): Promise<void> {
    if (this.#beat === undefined) return
    clearInterval(this.#beat)
    // A row that cannot be written holds up others for as long as a lease.
    await this.#change(END).catch((error) => logger.warn({ err: error }, 'a turn has not ended'))
  }

  async #take(requestRelease: () => unknown): Promise<void> {
    for (const until = performance.now() + this.patienceMs; ;) {
      const askedAt = performance.now()
      if ((await this.#change(TAKE)).length > 0) {
        this.#heardAt = askedAt
        break
      }
      const [other] = await this.#change(AWAIT)
      // One that is only being begun, or is gone by now, is nobody's.
      if (!other) return
      this.#isElsewhere = Boolean(other.isFinishing)
      if (this.#isElsewhere) return
      if (performance.now() > until) throw ERRORS.ERR_LOCK_TIMEOUT
      await pause(LOOK_MS)
    }
    this.#beat = setInterval(async () => {
      const askedAt = performance.now()
      const rows = await this.#change(GO_ON).catch(() => null)
      if (rows !== null) this.#heardAt = rows.length > 0 ? askedAt : -Infinity
      const isLost = performance.now() - this.#heardAt > LEASE_MS
      if (isLost || rows?.[0]?.isAwaited) void requestRelease()
    }, BEAT_MS)
  }

  async #change<Row>(statement: Change<Row>): Promise<Row[]> {
    const { id } = this
    const { rows } = await unitOfWork.inTransaction(this.scope, (scope) => {
      const { now } = scope
      const until = later(now, LEASE_MS)
      return scope.change(statement, { id, holder: this.#holder, now, until })
    })
    return rows
  }
}
