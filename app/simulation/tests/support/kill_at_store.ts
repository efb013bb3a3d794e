import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { passMinutes } from '#stores/tests/support'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SCRIPT = 'app/simulation/tests/support/store_worker.ts'

/** Time limit for a process to reach the place where it dies, in milliseconds. */
const TIMEOUT_MS = 60_000

/** Minutes after which an interrupted call can no longer reach a store. */
const OVER = 10

/**
 * Runs a separate process for the jobs of an organization until it kills itself at a place. Its
 * jobs may be claimed again at once, with their full number of attempts.
 */
export async function killAt(organizationId: string, dies: string): Promise<void> {
  await makeDue(organizationId)
  const child = spawn(process.execPath, ['--import=./bin/typescript.js', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, STORE_DIES: dies, STORE_AHEAD: String(passMinutes(OVER)) },
    stdio: 'inherit',
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS)
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
    .update({ visible_at: '2026-01-01T00:00:00.000Z', attempts: 0, doubts: 0 })
