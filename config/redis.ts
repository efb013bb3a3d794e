import type { InferConnections, RedisConnectionsList } from '@adonisjs/redis/types'
import env from '#start/env'

const url = env.get('REDIS_URL')

/** A Redis that is away is an answer at once, not a request that waits. */
const impatient = {
  connectTimeout: 2000,
  commandTimeout: 2000,
  maxRetriesPerRequest: 1,
  retryStrategy: (times: number) => Math.min(times * 200, 5000),
}

/**
 * Redis is optional: it holds the limits when `REDIS_URL` is given. Written without
 * `defineConfig`, because its package loads the whole client.
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
