import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { passMinutes } from '#stores/tests/support'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SCRIPT = 'app/simulation/tests/support/store_worker.ts'

/** So long a process may take to come to the place where it dies, in milliseconds. */
const PATIENCE = 60_000

/** Minutes after which a call that was cut off surely comes to no store any more. */
const OVER = 10

/**
 * Lets a process of its own work for an organization until it kills itself at a place; what it
 * was at may be taken up at once, as often as before.
 */
export async function killAt(organizationId: string, dies: string): Promise<void> {
  await makeDue(organizationId)
  const child = spawn(process.execPath, ['--import=./bin/typescript.js', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, STORE_DIES: dies, STORE_AHEAD: String(passMinutes(OVER)) },
    stdio: 'inherit',
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), PATIENCE)
  const [, signal] = await once(child, 'exit')
  clearTimeout(timer)
  if (signal !== 'SIGKILL') throw new Error(`It ended without being killed: ${dies}`)
  passMinutes(OVER)
  await makeDue(organizationId)
}

const makeDue = (organizationId: string) =>
  db
    .from('jobs')
    .where({ organization_id: organizationId })
    .whereIn('nature', ['command', 'urgent'])
    .whereNull('finished_at')
    .update({ look_at: '2026-01-01T00:00:00.000Z', attempts: 0, doubts: 0 })
