import { configProvider } from '@adonisjs/core'
import { defineConfig, stores } from '@adonisjs/limiter'
import { limits } from '#config/limits'

/** Each is made only where it is in use: the driver of Redis is large. */
const makers = {
  memory: () => configProvider.create(async () => stores.memory({})),
  database: () => stores.database({ tableName: 'rate_limits', clearExpiredByTimeout: false }),
  redis: () => stores.redis({ connectionName: 'main', rejectIfRedisNotReady: true }),
}

const used = makers[limits.store]()

/** Under its own name: limits that a process keeps in memory are cleared by that. */
const limiterConfig = defineConfig({
  default: limits.store,
  stores: { [limits.store]: used } as Record<typeof limits.store, typeof used>,
})

export default limiterConfig

declare module '@adonisjs/limiter/types' {
  interface LimitersList extends InferLimiters<typeof limiterConfig> {}
}
