import BaseRedisProvider from '@adonisjs/redis/redis_provider'
import type { RedisService } from '@adonisjs/redis/types'

/** Extends the provider of `@adonisjs/redis`, because only some installations have a Redis. */
export default class RedisProvider extends BaseRedisProvider {
  #manager: RedisService | null = null

  override register() {
    super.register()
    this.app.container.resolving('redis', (manager) => void (this.#manager = manager))
  }

  /**
   * Starts connecting before the first request needs Redis. The readiness check reports when it is
   * connected.
   */
  async start() {
    if (this.app.getEnvironment() !== 'web') return
    const { limits } = await import('#config/limits')
    if (limits.store === 'redis') (await this.app.container.make('redis')).connection()
  }

  override async shutdown() {
    // Resolving it from the container would load an unused client.
    if (!this.#manager) return
    const connections = Object.values(this.#manager.activeConnections)
    if (connections.some((connection) => connection?.status !== 'ready')) {
      // A graceful quit needs a reachable Redis.
      await this.#manager.disconnectAll()
      // The manager removes a connection when it emits its end event.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await super.shutdown()
  }
}
