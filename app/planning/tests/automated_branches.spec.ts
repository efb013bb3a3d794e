import { renameSync } from 'node:fs'
import { test } from '@japa/runner'
import type { Work } from '#foundation/jobs/handlers'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { later } from '#foundation/core/clock'
import { planning } from '#planning/module'
import { cutBranch } from '#version_control/branches/cut_branch'
import { evaluateOnTime } from '#releases/lifecycle/evaluate_on_time'
import { DAY, HOUR, makePlannedCode, pass, ran, workAll } from './support.js'

/**
 * Makes a release whose kickoff date comes in an hour, with an automation that waits for it. Its
 * hook runs after a worker has claimed the branch and before version control is called.
 */
async function withDate(cleanup: Parameters<typeof makePlannedCode>[0]) {
  let meanwhile: (() => Promise<unknown>) | undefined
  const { handler } = cutBranch
  if (handler.nature !== 'command') throw new Error('It is a command')
  const watched: Work = {
    ...cutBranch,
    handler: {
      ...handler,
      async call(...call) {
        const happens = meanwhile
        meanwhile = undefined
        await happens?.()
        return handler.call(...call)
      },
    },
  }
  const stage = await Stage.set(...planning.work!, evaluateOnTime, watched)
  const train = await makePlannedCode(cleanup)
  const { admin, at, automate, target } = train
  const made = await admin.post(at('release'), { version: '1.0.0' })
  if (made.status !== 201) throw new Error(made.text)
  await automate('kickoffOnTargetDate')
  const targetKickoffAt = later(stage.clock.now(), HOUR)
  await target('1.0.0', { targetKickoffAt })
  /** Moves time on until the date. */
  const come = async (happens?: () => Promise<unknown>) => {
    meanwhile = happens
    stage.clock.travelTo(targetKickoffAt)
    await workAll(stage)
  }
  return { stage, train, targetKickoffAt, come }
}

const lastRun = async ({ admin, at }: Awaited<ReturnType<typeof withDate>>['train']) => {
  const { body } = await admin.get(at('automations'))
  const { lastRunAt, lastResult } = body[0]
  return [lastRunAt, lastResult]
}

test.group('An automated kickoff with version control', () => {
  test('ends when the branch is cut, and names the automation as its actor', async ({
    assert,
    cleanup,
  }) => {
    const { stage, train, targetKickoffAt, come } = await withDate(cleanup)
    await come(async () => {
      assert.deepEqual(await ran(train, '1.0.0'), [])
      assert.deepEqual(await lastRun(train), [null, null])
    })
    assert.equal((await train.detail('1.0.0')).releaseBranch, 'release/1.0.0')
    assert.containsSubset(await ran(train, '1.0.0'), [
      { type: 'automation.ran', result: 'succeeded', targetAt: targetKickoffAt },
    ])
    assert.deepEqual(await lastRun(train), [targetKickoffAt, 'succeeded'])
    const events = await train.timeline('1.0.0')
    const kickedOff = events.find(({ type }) => type === 'release.kickedOff')
    assert.containsSubset(kickedOff.actor, { type: 'automation', name: 'kickoffOnTargetDate' })
    await pass(stage, 3 * DAY, DAY)
    assert.lengthOf(await ran(train, '1.0.0'), 1)
  })

  test('fails with the reason when the branch cannot be made', async ({ assert, cleanup }) => {
    const { train, come } = await withDate(cleanup)
    renameSync(train.repository.path, `${train.repository.path}.away`)
    await come()
    const [run] = await ran(train, '1.0.0')
    assert.containsSubset(run, { type: 'automation.failed', result: 'failed', reason: 'blocked' })
    assert.equal((await lastRun(train))[1], 'failed')
    const nameless = await withDate(cleanup)
    await nameless.train.setBranches({ allPattern: '{releaseName}/x' })
    await nameless.come()
    const [other] = await ran(nameless.train, '1.0.0')
    assert.containsSubset(other, { result: 'failed', reason: 'blocked' })
  })

  test('is held back by a freeze that begins before the branch is cut', async ({
    assert,
    cleanup,
  }) => {
    const { stage, train, targetKickoffAt, come } = await withDate(cleanup)
    const [startAt, endAt] = [-1, 5].map((hours) => later(targetKickoffAt, hours * HOUR))
    await come(() => train.freeze([{ name: 'Now', startAt, endAt, phases: ['kickoff'] }]))
    assert.lengthOf([...train.repository.refs()], 1)
    assert.containsSubset(await ran(train, '1.0.0'), [{ reason: 'frozen', until: endAt }])
    stage.clock.travelTo(endAt)
    await workAll(stage)
    assert.isNotNull((await train.detail('1.0.0')).kickedOffAt)
    const results = (await ran(train, '1.0.0')).map(({ result }: any) => result)
    assert.deepEqual(results, ['skipped', 'succeeded'])
  })

  test('waits for the new date when it is moved before the branch is cut', async ({
    assert,
    cleanup,
  }) => {
    const { stage, train, targetKickoffAt, come } = await withDate(cleanup)
    const next = later(targetKickoffAt, DAY)
    await come(() => train.target('1.0.0', { targetKickoffAt: next }))
    assert.isNull((await train.detail('1.0.0')).kickedOffAt)
    stage.clock.travelTo(next)
    await workAll(stage)
    assert.equal((await train.detail('1.0.0')).kickedOffAt, next)
    assert.containsSubset(await ran(train, '1.0.0'), [{ result: 'succeeded', targetAt: next }])
  })

  test('cuts nothing if it is switched off, paused or skipped meanwhile', async ({
    assert,
    cleanup,
  }) => {
    for (const change of ['off', 'pause', 'skip'] as const) {
      const { train, come } = await withDate(cleanup)
      await come(() => {
        if (change === 'off') return train.automate('kickoffOnTargetDate', false)
        if (change === 'pause') return train.pause({ paused: true })
        return train.admin.put(`${train.path('1.0.0')}/skip`)
      })
      assert.lengthOf([...train.repository.refs()], 1, change)
      const reasons = (await ran(train, '1.0.0')).map(({ reason }: any) => reason)
      assert.deepEqual(reasons, change === 'pause' ? ['paused'] : [])
    }
  })

  test('leaves a kickoff by a person alone, whatever holds automations back', async ({
    assert,
    cleanup,
  }) => {
    const { stage, train, come } = await withDate(cleanup)
    await train.admin.put(`${train.path('1.0.0')}/kickoff`)
    await train.pause({ paused: true })
    await pass(stage, MINUTE)
    assert.isNotNull((await train.detail('1.0.0')).kickedOffAt)
    await come()
    assert.deepEqual(await ran(train, '1.0.0'), [])
  })
})
