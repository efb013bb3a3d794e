import { test } from '@japa/runner'
import { storeWorld, tidy } from '#stores/tests/support'
import { rollingOut } from './support.js'

test.group('A freeze', (group) => {
  group.each.teardown(tidy)

  test('warns on submissions, increases and completions, but not on stops', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, work, step } = given
    const warningsOf = async (call: Promise<{ status: number; text: string; body: any }>) => {
      const { status, text, body } = await call
      if (status !== 200) throw new Error(text)
      await work()
      return (body.warnings ?? []).map(({ code }: { code: string }) => code)
    }
    const freeze = (...phases: string[]) => {
      const [startAt, endAt] = ['2020-01-01T00:00:00.000Z', '2199-01-01T00:00:00.000Z']
      const freezes = [{ name: 'Holidays', startAt, endAt, phases }]
      return admin.put(`/app/${appId}/lifecycleFreezes`, { freezes })
    }
    await freeze('release')
    const { stepRunId } = await step('rollout')
    const steer = (body: object) => warningsOf(admin.put(`${path}/rollout`, body))
    const steerRun = (body: object) =>
      warningsOf(admin.put(`${path}/stepRun/${stepRunId}/rollout`, body))
    assert.deepEqual(await steer({ action: 'set', percentage: 25 }), ['frozen'])
    assert.deepEqual(await steer({ action: 'halt' }), [])
    assert.deepEqual(await steerRun({ action: 'resume' }), ['frozen'])
    assert.deepEqual(await steerRun({ action: 'pause' }), [])
    const completed = admin.put(`${path}/complete`, { force: true })
    assert.deepEqual(await warningsOf(completed), ['frozen', 'left_in_store'])

    const next = await storeWorld('apple', ['kickoff', 'submission', 'storeReview', 'takeoff'])
    next.store.upload('4711')
    await next.work()
    const [startAt, endAt] = ['2020-01-01T00:00:00.000Z', '2199-01-01T00:00:00.000Z']
    const freezes = [{ name: 'Holidays', startAt, endAt, phases: ['submit'] }]
    await next.admin.put(`/app/${next.appId}/lifecycleFreezes`, { freezes })
    const submission = await next.step('submission')
    const run = await next.admin.put(`${next.path}/step/${submission.stepRunId}/submit`, {})
    assert.deepEqual([run.status, run.body.warnings[0].code], [200, 'frozen'])
    await next.work()
    assert.deepEqual(next.store.changes, ['prepare 1.4.0 with 4711', 'submit'])
  })
})
