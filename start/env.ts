import { Env } from '@adonisjs/core/env'

/*
 * Every setting of the service. All of them have a default that runs on a bare
 * machine; docs/operating.md explains each.
 */
export default await Env.create(new URL('../', import.meta.url), {
  NODE_ENV: Env.schema.enum.optional(['development', 'production', 'test'] as const),
  HOST: Env.schema.string.optional({ format: 'host' }),
  PORT: Env.schema.number.optional(),
  SHUTDOWN_GRACE: Env.schema.number.optional(),
  WORK_IN_SERVER: Env.schema.boolean.optional(),
  PUBLIC_URL: Env.schema.string.optional({ format: 'url', tld: false }),
  TRUST_PROXY: Env.schema.string.optional(),
  REQUIRE_HTTPS: Env.schema.boolean.optional(),
  MCP_HOSTS: Env.schema.string.optional(),
  TARMAC_HOME: Env.schema.string.optional(),
  APP_KEY: Env.schema.string(),
  CREDENTIALS_KEY: Env.schema.string.optional(),
  LOG_LEVEL: Env.schema.enum.optional([
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  ] as const),
  DATABASE_URL: Env.schema.string.optional(),
  SQLITE_SYNCHRONOUS: Env.schema.enum.optional(['FULL', 'NORMAL', 'OFF'] as const),
  REDIS_URL: Env.schema.string.optional(),
  LIMIT_STORE: Env.schema.enum.optional(['memory', 'database', 'redis'] as const),
  LIMIT_PER_SECOND: Env.schema.number.optional(),
  LIMIT_PER_DAY: Env.schema.number.optional(),
  LIMIT_FAILURES_PER_MINUTE: Env.schema.number.optional(),
  DRIVE_DISK: Env.schema.enum.optional(['fs', 's3'] as const),
  S3_BUCKET: Env.schema.string.optionalWhen(process.env.DRIVE_DISK !== 's3'),
  S3_ENDPOINT: Env.schema.string.optional({ format: 'url', tld: false }),
  S3_PATH_STYLE: Env.schema.boolean.optional(),
  AWS_REGION: Env.schema.string.optional(),
  AWS_ACCESS_KEY_ID: Env.schema.string.optional(),
  AWS_SECRET_ACCESS_KEY: Env.schema.string.optional(),
  DEVICE_AUTHORITIES: Env.schema.string.optional(),
  AI_BASE_URL: Env.schema.string.optional({ format: 'url', tld: false }),
  AI_MODEL: Env.schema.string.optional(),
  AI_API_KEY: Env.schema.string.optional(),
  OUTBOUND_ALLOW: Env.schema.string.optional(),
  PROVIDER_HOSTS: Env.schema.string.optional(),
})
