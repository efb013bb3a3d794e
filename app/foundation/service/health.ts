import { BaseCheck, HealthChecks, Result } from '@adonisjs/core/health'
import { DbCheck, type Database } from '@adonisjs/lucid/database'
import { into } from '../core/database/from.js'
import type { Clock } from '../core/clock.js'
import { readClient } from '../core/database/connections.js'
import { failedWithin } from '../core/database/storing.js'
import { transact } from '../core/database/transact.js'
import { StoreFailure, type FileStore } from '../core/files/file_store.js'
import type { Quota } from '../api/limits/quota.js'

class LimitsCheck extends BaseCheck {
  name = 'store of the limits'

  constructor(private readonly quota: Quota) {
    super()
  }

  async run(): Promise<Result> {
    return (await this.quota.answers())
      ? Result.ok('It answers')
      : Result.failed('It does not respond')
  }
}

/**
 * The time for which the result of a storage check is reused, in milliseconds: probes by strangers
 * must not cause constant writes.
 */
const CACHED_MS = 5000

/**
 * The time for which a failed write counts, as small writes may still succeed; longer than the
 * pause of workers.
 */
const FAILED_MS = 35_000

/**
 * Checks that the database can store; with a full disk or read-only it would still answer reads.
 */
export class StorageCheck extends BaseCheck {
  name = 'storage of the database'
  #lookedAt = -Infinity
  #last: Promise<Result> | null = null

  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {
    super()
  }

  async run(): Promise<Result> {
    if (failedWithin(FAILED_MS)) return Result.failed('It has just failed to store something')
    const now = performance.now()
    if (!this.#last || now - this.#lookedAt > CACHED_MS) {
      this.#lookedAt = now
      this.#last = this.#look()
    }
    return this.#last
  }

  /** Writes a dummy row, which is pruned with the expired limits. */
  async #look(): Promise<Result> {
    try {
      await transact(this.database, async (client) => {
        await into(client.knexQuery(), 'rate_limits')
          .insert({ key: 'readiness', points: 0, expire: this.clock.milliseconds() })
          .onConflict('key')
          .merge(['expire'])
      })
      return Result.ok('It stores')
    } catch (error) {
      return Result.failed('It cannot store anything', error as Error)
    }
  }
}

/**
 * Checks the storage of files. Everything but uploads and downloads works without it, so a failure
 * is a warning.
 */
export class FilesCheck extends BaseCheck {
  name = 'storage of files'
  #lookedAt = -Infinity
  #last: Promise<Result> | null = null

  constructor(private readonly store: () => Promise<FileStore>) {
    super()
  }

  async run(): Promise<Result> {
    const now = performance.now()
    if (!this.#last || now - this.#lookedAt > CACHED_MS) {
      this.#lookedAt = now
      this.#last = this.#look()
    }
    return this.#last
  }

  async #look(): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<'silent'>((resolve) => {
      timer = setTimeout(() => resolve('silent'), TIMEOUT_MS)
    })
    try {
      const result = await Promise.race([(await this.store()).check(), silence])
      return result === 'silent' ? Result.warning('It does not respond') : Result.ok('It answers')
    } catch (error) {
      const isRefused = error instanceof StoreFailure && error.kind === 'refused'
      return Result.warning(
        isRefused ? 'It refuses access: check its settings' : 'It does not respond'
      )
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Time limit of a check, in milliseconds, because probes do not wait long. */
const TIMEOUT_MS = 3000

class PatientCheck extends BaseCheck {
  constructor(
    private readonly check: BaseCheck,
    private readonly patienceMs: number
  ) {
    super()
    this.name = check.name
  }

  override name: string

  async run(): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<Result>((resolve) => {
      timer = setTimeout(() => resolve(Result.failed('It does not respond')), this.patienceMs)
    })
    return Promise.race([this.check.run() as Promise<Result>, silence]).finally(() =>
      clearTimeout(timer)
    )
  }
}

/** Adds a time limit to a check. */
export function patiently(check: BaseCheck, patienceMs = TIMEOUT_MS): BaseCheck {
  return new PatientCheck(check, patienceMs)
}

/**
 * Returns the checks of the things that every request needs, bound in the container as
 * `HealthChecks`. Providers append checks of their own, named so that "The <name> does not answer."
 * can be read: readiness reports only that sentence.
 */
export function foundationChecks(
  database: Database,
  clock: Clock,
  quota: Quota,
  store: () => Promise<FileStore>
): HealthChecks {
  return new HealthChecks().register([
    patiently(new DbCheck(readClient(database)).as('database')),
    patiently(new StorageCheck(database, clock)),
    patiently(new LimitsCheck(quota)),
    new FilesCheck(store),
  ])
}

/** Returns the names of the failing checks. */
export async function failingChecks(health: HealthChecks): Promise<string[]> {
  const { checks } = await health.run()
  return checks.flatMap(({ name, status }) => (status === 'error' ? name : []))
}

/** The finding of one check. */
export interface HealthFinding {
  name: string
  status: 'ok' | 'warning' | 'error'
  message: string
}

/** Returns the results of all checks, without the messages of errors, which may name hosts. */
export async function healthReport(
  health: HealthChecks
): Promise<{ status: HealthFinding['status']; checks: HealthFinding[] }> {
  const { status, checks } = await health.run()
  return {
    status,
    checks: checks.map((check) => ({
      name: check.name,
      status: check.status,
      message: check.status === 'error' ? 'It does not respond.' : check.message,
    })),
  }
}
