import type { InferConnections, RedisConnectionsList } from '@adonisjs/redis/types'
import env from '#start/env'

const url = env.get('REDIS_URL')

/** With an unreachable Redis, requests fail at once instead of waiting. */
const impatient = {
  connectTimeout: 2000,
  commandTimeout: 2000,
  maxRetriesPerRequest: 1,
  retryStrategy: (times: number) => Math.min(times * 200, 5000),
}

/**
 * Redis is optional: it counts the limits if `REDIS_URL` is set. This does not use `defineConfig`,
 * because its package loads the whole client.
 */
const redisConfig = {
  connection: 'main',
  connections: {
    main: url
      ? {
          ...impatient,
          host: new URL(url).hostname,
          port: Number(new URL(url).port || 6379),
          username: decodeURIComponent(new URL(url).username) || undefined,
          password: decodeURIComponent(new URL(url).password) || undefined,
          db: Number(new URL(url).pathname.slice(1) || 0),
          tls: url.startsWith('rediss:') ? {} : undefined,
        }
      : { host: '127.0.0.1', port: 6379 },
  },
} satisfies { connection: string; connections: RedisConnectionsList }

export default redisConfig

declare module '@adonisjs/redis/types' {
  interface RedisConnections extends InferConnections<typeof redisConfig> {}
}
