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

/** Duration of a lease, in milliseconds: a dead process blocks others no longer than this. */
const LEASE_MS = 5000
/**
 * Interval in which the holder renews its lease and looks for waiting requests, in milliseconds.
 */
const BEAT_MS = 500
/** Interval in which a waiting request checks for a free lease, in milliseconds. */
const RETRY_MS = 100
/** Maximum wait for another request of the same upload, in milliseconds. */
const TIMEOUT_MS = 30_000

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
const RENEW = change(
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
  })

/**
 * The lease of a request on its upload, if several processes share a database and a folder; within
 * a process `UploadLocks` does the same in memory. A waiting request asks the holder to end. While
 * the whole file is being processed, nobody waits for it.
 */
export class UploadLease {
  readonly #holder = newId('turn')
  #beat: NodeJS.Timeout | undefined
  /** Start of the last renewal, by the clock of the process; the lease counts from then. */
  #renewedAt = Infinity
  #isElsewhere = false

  constructor(
    private readonly scope: Scope,
    private readonly id: string,
    private readonly patienceMs = TIMEOUT_MS
  ) {}

  /** Wraps locks so that they also take the lease. It is kept after an unlock, until `end`. */
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

  /** @throws request_running while another process processes the whole file */
  requireNotFinishing(): void {
    if (this.#isElsewhere) throw stillFinishing()
  }

  /**
   * Checks the lease: after this process was frozen, another one may have continued the upload.
   * @throws request_running if the lease may be lost
   */
  requireOwn(): void {
    if (performance.now() - this.#renewedAt < LEASE_MS) return
    throw refuse('request_running', {
      detail: 'Another request for this upload is running.',
    })
  }

  /**
   * Notes that the file is complete, so that other requests do not wait.
   * @throws request_running if the lease may be lost
   */
  async recordFinishing(): Promise<void> {
    this.requireOwn()
    await this.#change(FINISH)
  }

  async end(): Promise<void> {
    if (this.#beat === undefined) return
    clearInterval(this.#beat)
    // If the row cannot be written, others wait until the lease ends.
    await this.#change(END).catch((error) => logger.warn({ err: error }, 'a turn has not ended'))
  }

  async #take(requestRelease: () => unknown): Promise<void> {
    for (const until = performance.now() + this.patienceMs; ;) {
      const askedAt = performance.now()
      if ((await this.#change(TAKE)).length > 0) {
        this.#renewedAt = askedAt
        break
      }
      const [other] = await this.#change(AWAIT)
      // There is no row: the upload is just being created, or is gone.
      if (!other) return
      this.#isElsewhere = Boolean(other.isFinishing)
      if (this.#isElsewhere) return
      if (performance.now() > until) throw ERRORS.ERR_LOCK_TIMEOUT
      await pause(RETRY_MS)
    }
    this.#beat = setInterval(async () => {
      const askedAt = performance.now()
      const rows = await this.#change(RENEW).catch(() => null)
      if (rows !== null) this.#renewedAt = rows.length > 0 ? askedAt : -Infinity
      const isLost = performance.now() - this.#renewedAt > LEASE_MS
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
