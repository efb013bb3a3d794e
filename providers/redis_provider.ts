import BaseRedisProvider from '@adonisjs/redis/redis_provider'
import type { RedisService } from '@adonisjs/redis/types'

/** The provider of `@adonisjs/redis` for a Redis that only some installations have. */
export default class RedisProvider extends BaseRedisProvider {
  #manager: RedisService | null = null

  override register() {
    super.register()
    this.app.container.resolving('redis', (manager) => void (this.#manager = manager))
  }

  /** Begins to connect before the first request needs it; readiness shows when it is connected. */
  async start() {
    if (this.app.getEnvironment() !== 'web') return
    const { limits } = await import('#config/limits')
    if (limits.store === 'redis') (await this.app.container.make('redis')).connection()
  }

  override async shutdown() {
    // Asking the container for it would load a client that nobody has used.
    if (!this.#manager) return
    const connections = Object.values(this.#manager.activeConnections)
    if (connections.some((connection) => connection?.status !== 'ready')) {
      // A Redis that is away cannot be asked to say goodbye.
      await this.#manager.disconnectAll()
      // The manager forgets a connection once it has reported its end.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await super.shutdown()
  }
}
