import { Env } from '@adonisjs/core/env'

/*
 * Every setting of the service: its validation rule, its default, and its description in
 * docs/reference/settings.md, which `npm run docs:reference` writes.
 */

const setting = <Rule>(rule: Rule, usual: string, about: string) => ({ rule, usual, about })

const { string, number, boolean } = Env.schema
const choice = Env.schema.enum
const text = string.optional()
const url = string.optional({ format: 'url', tld: false })
const count = number.optional()
const flag = boolean.optional()

const NONE = 'none'

export const settings = {
  HOST: setting(string.optional({ format: 'host' }), '`127.0.0.1`', 'The address it listens on.'),
  PORT: setting(count, '`3333`', 'The port it listens on.'),
  TARMAC_HOME: setting(
    text,
    '`./storage`',
    'The folder of everything it keeps: SQLite database, files, application key.'
  ),
  APP_KEY: setting(
    string(),
    'generated into `TARMAC_HOME/app.key`',
    'Signs cursors and encrypts webhook secrets. Keep it: secrets stored under another key cannot be read.'
  ),
  CREDENTIALS_KEY: setting(
    text,
    'derived from `APP_KEY`',
    'Encrypts the credentials of providers: one key of 32 characters or more, or several with commas. The first encrypts, all decrypt.'
  ),
  DATABASE_URL: setting(
    text,
    'SQLite',
    '`postgres://user:password@host/database` switches to PostgreSQL.'
  ),
  SQLITE_SYNCHRONOUS: setting(
    choice.optional(['FULL', 'NORMAL', 'OFF'] as const),
    '`FULL`',
    'With `FULL`, what was answered as done survives a power cut. `NORMAL` is faster and may lose the last moments before one, never the file. `OFF` may lose the file, and is for homes that are thrown away.'
  ),
  REDIS_URL: setting(text, NONE, 'Counts the limits in Redis.'),
  LIMIT_STORE: setting(
    choice.optional(['memory', 'database', 'redis'] as const),
    '`redis` with a Redis, else `database` on PostgreSQL, `memory` on SQLite',
    'Where requests are counted: `memory` (one process), `database` or `redis`.'
  ),
  LIMIT_PER_SECOND: setting(count, '`5`', 'Requests of an organization in a second.'),
  LIMIT_PER_DAY: setting(count, '`8000`', 'Requests of an organization in a UTC day.'),
  LIMIT_FAILURES_PER_MINUTE: setting(
    count,
    '`30`',
    'Requests without a usable key that one address may send before it gets 429.'
  ),
  PUBLIC_URL: setting(
    url,
    'what the request used; in webhooks where the service listens',
    'The address people reach the service at. Set it where webhooks go to other machines. Messages in chats and calendars lead to pages only where it is set, and buttons in chats are pressed there.'
  ),
  MCP_HOSTS: setting(
    text,
    NONE,
    'Further names that assistants reach `/mcp` under, separated by commas. Beside that of `PUBLIC_URL`, addresses and names without a dot, nothing is taken as `Host`.'
  ),
  CORS_ORIGINS: setting(
    text,
    NONE,
    'Origins whose scripts a browser lets use the API, separated by commas: `https://board.example.com,http://localhost:5173`. Each is exact; plain HTTP is for this machine. Cookies are never allowed, and pages answer no other origin.'
  ),
  TRUST_PROXY: setting(
    text,
    NONE,
    'Whose `X-Forwarded-*` is believed: a number of proxies in front (`1`; `true` is the same), or a list of their addresses and CIDR blocks (`10.0.0.0/8,fd00::/8`). See [Behind a proxy](docs/how-to/run-the-service.md#behind-a-proxy).'
  ),
  REQUIRE_HTTPS: setting(
    flag,
    '`false`',
    'Refuses plain HTTP. Set it behind a proxy that ends TLS.'
  ),
  DRIVE_DISK: setting(
    choice.optional(['fs', 's3'] as const),
    '`fs`',
    'Where uploaded files are kept: `fs` in `TARMAC_HOME/files`, `s3` in a bucket. See [Files](docs/how-to/run-the-service.md#files).'
  ),
  S3_BUCKET: setting(
    string.optionalWhen(process.env.DRIVE_DISK !== 's3'),
    NONE,
    'The bucket; needed with `s3`.'
  ),
  S3_ENDPOINT: setting(url, 'AWS', 'Another service that speaks S3.'),
  S3_PATH_STYLE: setting(
    flag,
    '`false`',
    'Whether the bucket stands in the path (`true` for MinIO and its like).'
  ),
  AWS_REGION: setting(text, '`us-east-1`', 'The region of the bucket.'),
  AWS_ACCESS_KEY_ID: setting(
    text,
    'where the AWS SDK looks',
    'The key of the bucket. Without it, that of a profile, a container or the role of the machine is taken.'
  ),
  AWS_SECRET_ACCESS_KEY: setting(text, 'the same', 'The secret of that key.'),
  DEVICE_AUTHORITIES: setting(
    text,
    NONE,
    "A file of certificates in PEM, such as Apple's *iPhone Device CA*. A device that a tester registers is `isVerified` where its certificate was given out by one of them."
  ),
  AI_BASE_URL: setting(
    url,
    NONE,
    "A language model that writes release notes: any endpoint compatible with OpenAI's (`https://…/v1`, without `/chat/completions`). It receives titles of work items, the app's name and the version; it has 20 seconds. One in a private network has to be in `OUTBOUND_ALLOW`."
  ),
  AI_MODEL: setting(text, NONE, 'The name of the model.'),
  AI_API_KEY: setting(text, NONE, 'Its key, where it asks for one.'),
  OIDC_ISSUER: setting(
    url,
    NONE,
    'A provider of OpenID Connect that people sign in with. It has to know `PUBLIC_URL/sign-in/oidc/callback`, take the secret in the form (`client_secret_post`), and say of an address that it is verified (`email_verified`). One in a private network has to be in `OUTBOUND_ALLOW`. See [Signing in](docs/how-to/run-the-service.md#signing-in).'
  ),
  OIDC_CLIENT_ID: setting(
    string.optionalWhen(process.env.OIDC_ISSUER === undefined),
    NONE,
    'The client that the provider knows the service as.'
  ),
  OIDC_CLIENT_SECRET: setting(
    string.optionalWhen(process.env.OIDC_ISSUER === undefined),
    NONE,
    'Its secret.'
  ),
  OIDC_NAME: setting(text, 'host of the issuer', 'How people know it: *Sign in with …*'),
  OIDC_NEW_USERS: setting(
    flag,
    '`false`',
    'Whether people join whom nobody has named. It works while there is one organization.'
  ),
  OUTBOUND_ALLOW: setting(
    text,
    NONE,
    'Private networks that webhooks, providers and `git` may reach, as a list of CIDR ranges. Loopback is among them by itself while only this machine reaches the service: `HOST` is loopback, `PUBLIC_URL` unset or loopback, `TRUST_PROXY` off.'
  ),
  GIT_FOLDERS: setting(
    text,
    NONE,
    'Folders of this machine, separated by commas, whose repositories pages may connect by their path: `/srv/git,/srv/mirrors`. Every organization may then read and change what lies below them. A symbolic link that leads out of them is refused. Without one, paths are given at the console alone.'
  ),
  PROVIDER_HOSTS: setting(
    text,
    NONE,
    'Fakes on this machine that answer for providers, for rehearsals: `api.github.com=http://127.0.0.1:4001,*.blob.core.windows.net=http://127.0.0.1:4001`. It works only while nobody but this machine reaches the service, and the start says so in the log.'
  ),
  SHUTDOWN_GRACE: setting(
    count,
    '`10`',
    'Seconds that running requests, webhook attempts and calls of the workers get to finish when the service is stopped.'
  ),
  WORK_IN_SERVER: setting(
    flag,
    '`true`',
    'Whether the server also delivers webhooks and works through the job queue; `false` leaves that to `node ace work`.'
  ),
  LOG_LEVEL: setting(
    choice.optional(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const),
    '`warn`',
    'Logs go to standard error as JSON lines.'
  ),
}

type Rules = { [Name in keyof typeof settings]: (typeof settings)[Name]['rule'] }

/** The rules of all settings. */
export const rules = Object.fromEntries(
  Object.entries(settings).map(([name, { rule }]) => [name, rule])
) as Rules
