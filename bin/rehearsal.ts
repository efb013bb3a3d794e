import 'reflect-metadata'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { RehearsalPlan, RehearsalEntry } from '#simulation/rehearsal/plan'

/*
 * Whatever the environment says, this process uses its own home, which is deleted at its end, and
 * nothing else: no external database, bucket, language model or network.
 */
const home = process.argv[2]
const OWN = {
  TARMAC_HOME: home,
  DATABASE_URL: '',
  REDIS_URL: '',
  LIMIT_STORE: 'memory',
  DRIVE_DISK: 'fs',
  AI_BASE_URL: '',
  AI_MODEL: '',
  AI_API_KEY: '',
  OUTBOUND_ALLOW: '',
  PUBLIC_URL: '',
  // The data need not survive a power cut.
  SQLITE_SYNCHRONOUS: 'OFF',
  APP_KEY: 'a rehearsal has no secrets that anybody could want',
  CREDENTIALS_KEY: '',
}
Object.assign(process.env, OWN)

process.once('exit', () => rmSync(home, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(1))
// The parent process is gone.
process.stdout.once('error', () => process.exit(1))

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const plan = JSON.parse(await text(process.stdin)) as RehearsalPlan
  const { ignite } = await import('./ignite.js')
  const app = ignite().createApp('console')
  const { rehearse } = await import('#simulation/rehearsal/rehearse')
  const rehearsed = await rehearse(app, plan, {
    home,
    reported: (reported: RehearsalEntry) => write({ reported }),
  })
  // The CPU time comes last and apart, since only the lines before it are reproducible by the seed.
  const { user, system } = process.cpuUsage()
  write({ rehearsed })
  write({ cpuMs: Math.round((user + system) / 1000) })
} catch (error) {
  write({ failed: (error as Error).message })
  process.exitCode = 1
}
