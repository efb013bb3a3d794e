import { HealthChecks } from '@adonisjs/core/health'
import type { ApplicationService } from '@adonisjs/core/types'
import { SystemClock } from '#foundation/core/clock'
import { Endings } from '#foundation/service/endings'

/** Maximum number of writes that wait for the same lock. */
const MAX_WAITING_WRITES = 100

/**
 * Maximum number of writes under one lock that run together on PostgreSQL, where they share a
 * transaction.
 */
const WRITES_AT_ONCE = 32

/** Binds the services that every module uses. */
export default class FoundationProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('endings', async (resolver) => {
      const { endTransactions } = await import('#foundation/core/database/transact')
      const database = await resolver.make('lucid.db')
      const endings = new Endings()
      endings.addCut(() => endTransactions(database))
      return endings
    })
    this.app.container.singleton('clock', () => new SystemClock())
    this.app.container.singleton('fileStore', async (resolver) => {
      const drive = await resolver.make('drive.manager')
      const { storeOf } = await import('#foundation/core/files/store_of')
      return storeOf(drive.use())
    })
    this.app.container.singleton('spool', async () => {
      const { Spool } = await import('#foundation/core/files/spool')
      const { uploads } = await import('#config/uploads')
      return new Spool(uploads.spool)
    })
    this.app.container.singleton('partFiles', async () => {
      const { PartFiles } = await import('#foundation/core/files/part_files')
      const { uploads } = await import('#config/uploads')
      return new PartFiles(uploads.parts)
    })
    this.app.container.singleton('selects', async (resolver) => {
      const { dialect, sqliteFile } = await import('#config/database')
      if (dialect === 'postgres') {
        const { PostgresPoolRunner } =
          await import('#foundation/core/database/postgres_pool_runner')
        return new PostgresPoolRunner(await resolver.make('lucid.db'))
      }
      const { SqliteSnapshotRunner } = await import('#foundation/core/database/sqlite_runner')
      const runner = new SqliteSnapshotRunner(sqliteFile)
      this.app.terminating(() => runner.close())
      return runner
    })
    this.app.container.singleton('changes', async (resolver) => {
      const { dialect } = await import('#config/database')
      const { ChangeNumbers } = await import('#foundation/core/events/change_numbers')
      return new ChangeNumbers(await resolver.make('selects'), dialect === 'postgres')
    })
    this.app.container.singleton('unitOfWork', async (resolver) => {
      const { UnitOfWork } = await import('#foundation/core/database/unit_of_work')
      return new UnitOfWork(
        await resolver.make('lucid.db'),
        await resolver.make('clock'),
        await resolver.make('selects'),
        await resolver.make('emitter'),
        this.app.config.get<string>('app.serviceUrl')
      )
    })
    this.app.container.singleton('executor', async (resolver) => {
      const { dialect } = await import('#config/database')
      const { Executor } = await import('#foundation/api/execution/execute')
      const { operations } = await import('#foundation/api/operation/registry')
      const { BoundedQueue, KeyedQueue } = await import('#foundation/api/execution/write_queue')
      const writeQueue =
        dialect === 'postgres'
          ? new KeyedQueue(MAX_WAITING_WRITES, WRITES_AT_ONCE)
          : new BoundedQueue(MAX_WAITING_WRITES)
      return new Executor({
        unitOfWork: await resolver.make('unitOfWork'),
        changes: await resolver.make('changes'),
        operations,
        writeQueue,
      })
    })
    this.app.container.singleton('cursors', async () => {
      const { Cursors } = await import('#foundation/api/pages')
      return new Cursors(this.app.config.get<string>('app.appKey'))
    })
    this.app.container.singleton('quota', async (resolver) => {
      const { Quota } = await import('#foundation/api/limits/quota')
      const { makeCounts } = await import('#foundation/api/limits/make_counts')
      const { limits } = await import('#config/limits')
      const limiter = await resolver.make('limiter.manager')
      return new Quota(limits, limiter, await makeCounts(limits.store, resolver))
    })
    this.app.container.singleton(HealthChecks, async (resolver) => {
      const { foundationChecks } = await import('#foundation/service/health')
      return foundationChecks(
        await resolver.make('lucid.db'),
        await resolver.make('clock'),
        await resolver.make('quota'),
        () => resolver.make('fileStore')
      )
    })
  }

  /** Removes incomplete uploads that an ended process left behind. */
  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode?.() === 'warmup') return
    const clock = await this.app.container.make('clock')
    const spool = await this.app.container.make('spool')
    await spool.removeLeftovers(clock.milliseconds())
    const { LIFE_MS } = await import('#foundation/api/resumable/upload_rows')
    const parts = await this.app.container.make('partFiles')
    await parts.removeLeftovers(clock.milliseconds() - LIFE_MS)
  }

  /** Logs the errors of listeners: the data is already stored, so they fail no operation. */
  async boot() {
    const emitter = await this.app.container.make('emitter')
    const logger = await this.app.container.make('logger')
    emitter.onError((event, error) => logger.error({ err: error, event }, 'a listener failed'))
  }
}
