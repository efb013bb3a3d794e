import { defineConfig, stores } from '@adonisjs/limiter'
import { limits } from '#config/limits'

const limiterConfig = defineConfig({
  default: limits.store,
  stores: {
    memory: stores.memory({}),
    database: stores.database({ tableName: 'rate_limits', clearExpiredByTimeout: false }),
    redis: stores.redis({ connectionName: 'main', rejectIfRedisNotReady: true }),
  },
})

export default limiterConfig

declare module '@adonisjs/limiter/types' {
  interface LimitersList extends InferLimiters<typeof limiterConfig> {}
}
