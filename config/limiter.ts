import { configProvider } from '@adonisjs/core'
import { defineConfig, stores } from '@adonisjs/limiter'
import { limits } from '#config/limits'

/** Makes only the store in use: the Redis driver is large. */
const makers = {
  memory: () => configProvider.create(async () => stores.memory({})),
  database: () => stores.database({ tableName: 'rate_limits', clearExpiredByTimeout: false }),
  redis: () => stores.redis({ connectionName: 'main', rejectIfRedisNotReady: true }),
}

const used = makers[limits.store]()

/** The store has its own name, by which in-memory limits are cleared. */
const limiterConfig = defineConfig({
  default: limits.store,
  stores: { [limits.store]: used } as Record<typeof limits.store, typeof used>,
})

export default limiterConfig

declare module '@adonisjs/limiter/types' {
  interface LimitersList extends InferLimiters<typeof limiterConfig> {}
}
