import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock } from '#foundation/core/services'
import { HOUR } from '#foundation/core/durations'
import { ProviderError } from '#plugin-kit/provider_error'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { withoutLeftWork } from '#tests/support/left_work'
import { followKind } from '../work_kinds.js'
import { refusal } from './memory_ci.js'
import { withCi } from './with_ci.js'

/** Triggers a build whose run succeeds, but whose files cannot be listed. */
async function withUnlistedFiles(error: ProviderError) {
  const given = await withCi()
  const { ci, trigger, work, admin, path, world } = given
  const { body } = await trigger()
  await work()
  ci.become('1', 'succeeded')
  ci.unlisted = error
  await work()
  const jobs = () => db.from('jobs').where({ kind: followKind.name, subject: body.id })
  return {
    ...given,
    jobs,
    title: async () => {
      const { body: timeline } = await admin.get(`${path}/timelineEvents`)
      return timeline.data.find(({ data }: { data?: { to?: string } }) => data?.to === 'success')
        ?.title
    },
    /** Lets time pass for the build that waits. */
    async waits(milliseconds: number) {
      const [{ payload }] = await jobs()
      const before = typeof payload === 'string' ? JSON.parse(payload) : payload
      const since = clock.milliseconds() - milliseconds
      const waiting = { ...before, unlistedSince: new Date(since).toISOString() }
      await world.write((scope) =>
        scope.jobs.plan(followKind, { subject: body.id, payload: waiting })
      )
      await work()
    },
  }
}

test.group('Files of a run that CI does not list', (group) => {
  withoutLeftWork(group)
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('a build whose files are refused ends with its run, and the timeline says what is missing', async ({
    assert,
  }) => {
    const refused = new ProviderError('forbidden', 'The storage refuses. Somebody opens it.', {
      outcome: 'notApplied',
    })
    const { active, title, jobs, step } = await withUnlistedFiles(refused)
    const { buildStatus, artifacts } = await active()
    assert.deepEqual([buildStatus, artifacts], ['success', []])
    assert.equal((await step()).status, 'complete')
    assert.match(
      await title(),
      /: pending → success\. Its files are missing, because CI does not list them: The storage refuses\. Somebody opens it\. Once that is mended, a new run brings them\.$/
    )
    assert.isEmpty(await jobs().whereNull('finished_at'))
  })

  test('files that cannot be listed for the moment are waited for', async ({ assert }) => {
    const { ci, active, title, waits, work } = await withUnlistedFiles(
      refusal('unavailable', 'notApplied')
    )
    assert.equal((await active()).buildStatus, 'pending')
    await waits(5 * HOUR)
    assert.equal((await active()).buildStatus, 'pending')
    ci.unlisted = null
    await work()
    const { buildStatus, artifacts } = await active()
    assert.equal(buildStatus, 'success')
    assert.lengthOf(artifacts, 2)
    assert.notInclude(await title(), 'missing')
  })

  test('they are not waited for forever', async ({ assert }) => {
    const { active, title, waits, jobs } = await withUnlistedFiles(
      refusal('unavailable', 'notApplied')
    )
    await waits(6 * HOUR)
    const { buildStatus, artifacts } = await active()
    assert.deepEqual([buildStatus, artifacts], ['success', []])
    assert.include(await title(), 'because CI does not list them: Away. Once')
    assert.isEmpty(await jobs().whereNull('finished_at'))
  })

  test('the files of a run that has ended before it is identified are listed, too', async ({
    assert,
  }) => {
    const { ci, trigger, active, work } = await withCi()
    ci.hidesRuns = true
    await trigger()
    await work()
    ci.become('1', 'succeeded')
    ci.hidesRuns = false
    await work()
    await work()
    const { buildStatus, artifacts } = await active()
    assert.equal(buildStatus, 'success')
    assert.lengthOf(artifacts, 2)
  })
})
