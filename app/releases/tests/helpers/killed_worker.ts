import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import type { Seam } from '#foundation/jobs/tests/support/dying_worker'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SCRIPT = 'app/releases/tests/helpers/code_worker.ts'

/**
 * Runs a separate worker process for version control until it kills itself. Afterwards, its jobs
 * may be claimed again at once.
 */
export async function workUntilKilled(
  organizationId: string,
  dies: `${string} ${Seam}`
): Promise<void> {
  const child = spawn(process.execPath, ['--import=./bin/typescript.js', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, CODE_DIES: dies },
    stdio: 'inherit',
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`It ended without being killed: ${dies}`)
  await db
    .from('jobs')
    .where('organization_id', organizationId)
    .whereNotNull('claim_id')
    .update({ visible_at: '2026-01-01T00:00:00.000Z' })
}

/** Returns the kinds of an organization's unfinished commands. */
export async function openCommands(organizationId: string): Promise<string[]> {
  const rows = await db
    .from('jobs')
    .where({ organization_id: organizationId })
    .whereIn('nature', ['command', 'urgent'])
    .whereNull('finished_at')
  return rows.map(({ kind }) => kind as string)
}
