import type { ApplicationService } from '@adonisjs/core/types'
import type { HomeLock } from '#start/home_lock'

/**
 * Migrates the database before the service answers, and creates the first organization at the first
 * start.
 */
export default class FirstStartProvider {
  #homeLock: HomeLock | null = null

  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('migrations', () => ({
      runDue: async () => {
        const { migrate } = await import('#start/migrate')
        await migrate(this.app)
      },
    }))
  }

  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode?.() === 'warmup') return
    const { migrate } = await import('#start/migrate')
    const { dialect } = await import('#config/database')
    if (dialect === 'sqlite') this.#homeLock = (await import('#start/home_lock')).HomeLock.take()
    await migrate(this.app)
  }

  async shutdown() {
    this.#homeLock?.release()
  }

  /**
   * Runs only once the service listens, so that the key, which is printed once, is not lost in a
   * failed start. A failure here does not end the running service; the next start tries again.
   */
  async ready() {
    if (this.app.getEnvironment() !== 'web') return
    const { withStartupLock } = await import('#start/startup_lock')
    const { createFirstOrganization } = await import('#start/first_start')
    try {
      await withStartupLock(this.app, () => createFirstOrganization(this.app))
    } catch (error) {
      const logger = await this.app.container.make('logger')
      logger.error({ err: error }, 'the first start could not be greeted')
    }
  }
}
