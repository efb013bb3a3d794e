import 'reflect-metadata'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { RehearsalPlan, RehearsalEntry } from '#simulation/rehearsal/plan'

/*
 * Whatever the environment says, this process has a home of its own, which goes with it, and no
 * way to anything else: no database, no bucket, no model, no network.
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
  // Nothing of it has to outlive the machine.
  SQLITE_SYNCHRONOUS: 'OFF',
  APP_KEY: 'a rehearsal has no secrets that anybody could want',
  CREDENTIALS_KEY: '',
}
Object.assign(process.env, OWN)

process.once('exit', () => rmSync(home, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(1))
// Nobody listens any more.
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
  // Behind what follows from the seed: what it cost.
  const { user, system } = process.cpuUsage()
  write({ rehearsed })
  write({ cpuMs: Math.round((user + system) / 1000) })
} catch (error) {
  write({ failed: (error as Error).message })
  process.exitCode = 1
}
