import { test } from '@japa/runner'
import { makeItem, makeTrain, setItem, reported, typesOf } from './helpers/release_world.js'

/** Creates a kicked-off release with two regression items. */
async function underTest() {
  const train = await makeTrain(['1.0.0'])
  const { admin, path } = train
  const kind = 'regression' as const
  const one = await makeItem(train, { kind, stepType: 'regressionTesting', title: 'One' })
  const two = await makeItem(train, { kind, stepType: 'regressionTesting', title: 'Two' })
  await admin.put(`${path('1.0.0')}/kickoff`)
  return {
    train,
    one,
    two,
    set: (body: object) => admin.put(`${path('1.0.0')}/regressionStatus`, body),
    /** Returns the timeline entries after the first `count`, oldest first. */
    since: async (count: number) =>
      (await train.timeline('1.0.0', '?limit=200')).reverse().slice(count),
    count: async () => (await train.timeline('1.0.0', '?limit=200')).length,
    data: async () => (await train.step('1.0.0', 'regressionTesting')).data,
    warnings: async () => {
      const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
      const { warnings } = body.steps.find(({ type }: any) => type === 'regressionTesting')
      return warnings
    },
  }
}

test.group('A regression status set by hand', () => {
  test('is recorded in the timeline with its comment, before its consequences', async ({
    assert,
  }) => {
    const { train, set, since, count, data } = await underTest()
    const before = await count()
    const words = { comment: 'Checkout crashes', url: 'https://tests.acme.example/run/7' }
    await set({ status: 'failed', ...words })
    const entries = await since(before)
    assert.deepEqual(typesOf(entries), [
      'step.regressionStatusSet',
      'release.regressionStatusUpdated',
      'releaseStep.statusChanged',
    ])
    const { stepConfigId, stepRunId } = await train.step('1.0.0', 'regressionTesting')
    assert.containsSubset(entries[0], {
      actor: { type: 'apiKey', name: 'admin' },
      stepConfigId,
      data: { stepRunId, from: null, to: 'failed', ...words },
    })
    assert.containsSubset(await data(), {
      verdict: { status: 'failed', setBy: { name: 'admin' }, failedItems: 0, explanation: null },
    })
  })

  test('is recorded once, even if nothing follows from it', async ({ assert }) => {
    const { train, one, two, set, since, count } = await underTest()
    await setItem(train, '1.0.0', one, 'passed')
    await setItem(train, '1.0.0', two, 'passed')
    const [before, webhooks] = [await count(), (await reported(train.world)).length]
    await set({ status: 'passed' })
    await set({ status: 'passed' })
    assert.deepEqual(typesOf(await since(before)), ['step.regressionStatusSet'])
    assert.lengthOf(await reported(train.world), webhooks)
  })

  test('keeps its author when another person changes the comment', async ({ assert }) => {
    const { train, set, since, count, data } = await underTest()
    await set({ status: 'passed', comment: 'Well.' })
    const before = await count()
    const qa = await train.world.keyed({ groups: ['QA'] })
    const path = `${train.path('1.0.0')}/regressionStatus`
    await qa.put(path, { status: 'passed', comment: 'Very well.' })
    const [entry, ...more] = await since(before)
    assert.isEmpty(more)
    assert.containsSubset(entry, {
      type: 'step.commented',
      actor: { name: 'key' },
      data: { comment: 'Very well.', url: null },
    })
    assert.containsSubset(await data(), {
      verdict: { comment: 'Very well.', setBy: { name: 'admin' } },
    })
  })
})

test.group('A failed item and a verdict of passed', () => {
  test('a failure after the verdict changes no status, but is reported everywhere', async ({
    assert,
  }) => {
    const { train, one, two, set, since, count, data, warnings } = await underTest()
    await set({ status: 'passed' })
    assert.deepEqual(await warnings(), [])
    const before = await count()
    await setItem(train, '1.0.0', one, 'failed')
    const entries = await since(before)
    assert.deepEqual(typesOf(entries), ['checklistItem.statusChanged', 'step.verdictStands'])
    assert.containsSubset(entries[1].data, { failedItems: 1, setBy: { name: 'admin' } })
    const items = [{ id: two, status: 'failed' }]
    const batch = { releaseId: `${train.app}:1.0.0`, items }
    await train.admin.put(`/app/${train.app}/regressionItems/batch`, batch)
    assert.containsSubset((await since(before)).at(-1).data, { failedItems: 2 })
    assert.containsSubset(await data(), { verdict: { status: 'passed', failedItems: 2 } })
    assert.include((await data()).verdict.explanation, '2 failed or blocked items')
    assert.containsSubset(await warnings(), [{ code: 'verdict_over_failed_items' }])
    assert.equal((await train.step('1.0.0', 'regressionTesting')).status, 'complete')

    await setItem(train, '1.0.0', two, 'passed')
    const between = await count()
    await setItem(train, '1.0.0', one, 'blocked')
    assert.containsSubset((await since(between)).at(-1).data, { failedItems: 1 })
    assert.containsSubset(await warnings(), [{ code: 'verdict_over_failed_items' }])
    await setItem(train, '1.0.0', one, 'passed')
    assert.deepEqual(await warnings(), [])
    assert.isNull((await data()).verdict.explanation)
  })

  test('a verdict after a failure is recorded as overriding it', async ({ assert }) => {
    const { train, one, set, since, count } = await underTest()
    await setItem(train, '1.0.0', one, 'failed')
    const before = await count()
    await set({ status: 'passed' })
    const types = typesOf(await since(before))
    assert.deepEqual(types.slice(0, 2), ['step.regressionStatusSet', 'step.verdictStands'])
  })

  test('other statuses set by hand override no failures', async ({ assert }) => {
    const { train, one, set, since, count, warnings } = await underTest()
    await set({ status: 'failed' })
    const before = await count()
    await setItem(train, '1.0.0', one, 'failed')
    assert.deepEqual(typesOf(await since(before)), ['checklistItem.statusChanged'])
    assert.deepEqual(await warnings(), [])
  })
})

test.group('A changed comment on an approval of a step', () => {
  test('is recorded, and does not change the person who decided', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { stepRunId } = await train.step('1.0.0', 'screenshots')
    const path = `${train.path('1.0.0')}/stepRun/${stepRunId}/approval`
    await train.admin.put(path, { approved: true, comment: 'Fine.' })
    const design = await train.world.keyed({ groups: ['Design'] })
    const { status, body } = await design.put(path, { approved: true, comment: 'Very fine.' })
    assert.equal(status, 200)
    assert.containsSubset(body.data, { comment: 'Very fine.', decidedBy: { name: 'admin' } })
    const entries = (await train.timeline('1.0.0')).reverse().slice(-2)
    assert.deepEqual(typesOf(entries), ['releaseStep.statusChanged', 'step.commented'])
    assert.containsSubset(entries[1], { actor: { name: 'key' }, data: { comment: 'Very fine.' } })
  })
})
