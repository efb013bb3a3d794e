import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { packageAt, workAway } from '#releases/tests/helpers/code_world'
import { makePlannedCode, ran } from './support.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SCRIPT = 'app/releases/tests/helpers/code_worker.ts'

/** Lets a process of its own work until it kills itself. */
async function workUntilKilled(dies: string): Promise<void> {
  const child = spawn(process.execPath, ['--import=./bin/typescript.js', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, CODE_DIES: dies },
    stdio: 'inherit',
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`It ended without being killed: ${dies}`)
}

/** Has the leases of whoever died end now. */
const endLeases = (organizationId: string) =>
  db
    .from('agenda_entries')
    .where('organization_id', organizationId)
    .whereNotNull('claim_id')
    .update({ look_at: '2026-01-01T00:00:00.000Z' })

test.group('A worker that is killed', () => {
  test('at the branch, the tag or the merge: each is made once, and nothing is lost', async ({
    assert,
    cleanup,
  }) => {
    await db.from('agenda_entries').delete()
    const code = await makePlannedCode(cleanup)
    const { repository, admin, at, path, world, automate, setVersionFiles } = code
    await setVersionFiles('package.json')
    repository.commit({ files: { 'package.json': packageAt('1.1.0') } })
    for (const type of ['tagOnRelease', 'backMergeAfterRelease']) await automate(type)
    await admin.post(at('release'), { version: '1.2.0', bumpVersion: true })

    await admin.put(`${path('1.2.0')}/kickoff`)
    await workUntilKilled('release.branch afterCall')
    await endLeases(world.organizationId)
    await workAway()
    assert.isNotNull((await code.detail('1.2.0')).kickedOffAt)
    assert.equal(repository.git('rev-list', '--count', 'release/1.2.0'), '3')
    const shipped = repository.commit({ branch: 'release/1.2.0' })

    await admin.put(`${path('1.2.0')}/complete`)
    await workUntilKilled('release.tag afterCall')
    await endLeases(world.organizationId)
    await workUntilKilled('release.backMerge inAnswer')
    await endLeases(world.organizationId)
    await workAway()
    assert.equal(repository.git('rev-parse', '1.2.0^{commit}'), shipped)
    assert.equal(repository.git('rev-list', '--count', '--merges', 'main'), '1')
    const runs = await ran(code, '1.2.0')
    assert.deepEqual(
      runs.map(({ actor, result }: any) => [actor, result]),
      [
        ['tagOnRelease', 'succeeded'],
        ['backMergeAfterRelease', 'succeeded'],
      ]
    )
    const open = db.from('agenda_entries').where({ organization_id: world.organizationId })
    assert.lengthOf(await open.whereNull('finished_at').where('nature', 'wish'), 0)
    assert.equal((await code.detail('1.2.0')).tag.name, '1.2.0')
    assert.isTrue(repository.isSound())
  }).timeout(120_000)
})
