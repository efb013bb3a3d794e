import env from '#start/env'

export type LimitStore = 'memory' | 'database' | 'redis'

/**
 * The quota of an organization. By default it is counted in Redis if `REDIS_URL` is set, else in
 * the database on PostgreSQL, which several processes may share, else in memory.
 */
export const limits = {
  perSecond: env.get('LIMIT_PER_SECOND') ?? 5,
  perDay: env.get('LIMIT_PER_DAY') ?? 8000,
  failuresPerMinute: env.get('LIMIT_FAILURES_PER_MINUTE') ?? 30,
  store: (env.get('LIMIT_STORE') ??
    (env.get('REDIS_URL')
      ? 'redis'
      : env.get('DATABASE_URL')
        ? 'database'
        : 'memory')) as LimitStore,
}
