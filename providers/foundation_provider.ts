import { HealthChecks } from '@adonisjs/core/health'
import type { ApplicationService } from '@adonisjs/core/types'
import { SystemClock } from '#foundation/core/clock'

/** Binds the services every module stands on. */
export default class FoundationProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('clock', () => new SystemClock())
    this.app.container.singleton('reader', async (resolver) => {
      const { ClientReader, SqliteReader } = await import('#foundation/core/database/reader')
      const { dialect, sqliteFile } = await import('#config/database')
      const database = await resolver.make('lucid.db')
      if (dialect === 'postgres') return new ClientReader(() => database.connection())
      const reader = new SqliteReader(sqliteFile)
      this.app.terminating(() => reader.close())
      return reader
    })
    this.app.container.singleton('unitOfWork', async (resolver) => {
      const { UnitOfWork } = await import('#foundation/core/database/unit_of_work')
      return new UnitOfWork(
        await resolver.make('lucid.db'),
        await resolver.make('clock'),
        await resolver.make('reader')
      )
    })
    this.app.container.singleton('cursors', async () => {
      const { Cursors } = await import('#foundation/api/pages')
      return new Cursors(this.app.config.get<string>('app.appKey'))
    })
    this.app.container.singleton('quota', async (resolver) => {
      const { Quota } = await import('#foundation/api/limits/quota')
      const windows = await import('#foundation/api/limits/burst_window')
      const { limits } = await import('#config/limits')
      const burst =
        limits.store === 'redis'
          ? new windows.RedisBurstWindow(await resolver.make('redis'))
          : limits.store === 'database'
            ? new windows.DatabaseBurstWindow(await resolver.make('lucid.db'))
            : new windows.MemoryBurstWindow()
      const limiter = await resolver.make('limiter.manager')
      return new Quota(limits, limiter, burst, await resolver.make('clock'))
    })
    this.app.container.singleton(HealthChecks, async (resolver) => {
      const { foundationChecks } = await import('#foundation/api/service/health')
      const database = await resolver.make('lucid.db')
      return foundationChecks(database.connection(), await resolver.make('quota'))
    })
  }
}
