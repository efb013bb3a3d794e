import { test } from '@japa/runner'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { rehearsal } from './support/simulated_release.js'
import { withoutLeftWork } from '#tests/support/left_work'

const CALM = 'name: Calm\nseed: calm\nci: { failing: 0 }\n'
const TESTERS = `${CALM}moments:
  - { what: console, store: appStore, deed: givesToTesters, at: 2h }
`

/** Returns a built release with one more step, and functions to read that step. */
async function living(scenario: string, type: ReleaseStepType) {
  const rehearsed = await rehearsal(scenario, 'apple', [type])
  await rehearsed.build()
  const { admin, path, step, advance } = rehearsed
  const unmet = async (): Promise<{ code: string; message: string }[]> => {
    const { body } = await admin.get(`${path}/whyNotMoving`)
    return body.steps.find((each: { type: string }) => each.type === type)?.unmet ?? []
  }
  const codes = async () => [...new Set((await unmet()).map(({ code }) => code))]
  const status = async () => (await step(type)).status
  return { ...rehearsed, advance, unmet, codes, status, data: async () => (await step(type)).data }
}

test.group('Steps that depend on a simulated world', (group) => {
  withoutLeftWork(group)

  test('translations are complete once every locale is, and not while one is untranslated', async ({
    assert,
  }) => {
    const { advance, status, unmet } = await living(CALM, 'translations')
    await advance('1h')
    assert.equal(await status(), 'inProgress')
    const [first] = await unmet()
    assert.equal(first.code, 'locale_incomplete')
    assert.match(first.message, /^\S+ is translated to \d\d %\.$/)
    await advance('3d')
    assert.equal(await status(), 'complete')

    const left = await living(`${CALM}translations: { untranslated: [ja] }\n`, 'translations')
    await left.advance('30d')
    assert.equal(await left.status(), 'inProgress')
    assert.deepEqual(
      (await left.unmet()).map(({ message }) => message),
      ['ja is translated to 90 %.']
    )
  })

  test('a build given to testers in the console is reviewed, and then tested', async ({
    assert,
  }) => {
    const { advance, status, codes } = await living(TESTERS, 'betaTesting')
    await advance('90m')
    assert.equal(await status(), 'notStarted')
    assert.deepEqual(await codes(), ['no_beta_build'])
    await advance('1h')
    assert.equal(await status(), 'inProgress')
    assert.deepEqual(await codes(), ['beta_in_review'])
    await advance('1d')
    assert.equal(await status(), 'complete')
  })

  test('a build given to testers by the service is reviewed, and then tested', async ({
    assert,
  }) => {
    const { advance, status, codes, step, admin, path } = await living(CALM, 'betaTesting')
    await advance('90m')
    assert.deepEqual(await codes(), ['no_beta_build'])
    const { stepRunId } = await step('betaTesting')
    const body = {
      groups: ['Everybody'],
      notes: [{ locale: 'en-US', text: 'Log in ✓' }],
    }
    assert.equal((await admin.put(`${path}/stepRun/${stepRunId}/testers`, body)).status, 200)
    await advance('1h')
    const { body: run } = await admin.get(`${path}/stepRun/${stepRunId}`)
    assert.containsSubset(run.data.distributions, [{ ...body, state: 'sent', reason: null }])
    assert.deepEqual(await codes(), ['beta_in_review'])
    await advance('1d')
    assert.equal(await status(), 'complete')
  })

  test('a build that the beta review rejects blocks the step, and the next one may pass', async ({
    assert,
  }) => {
    const scenario = TESTERS.replace('moments', 'appStore: { betaRejected: 100 }\nmoments')
    const { advance, status, codes } = await living(scenario, 'betaTesting')
    await advance('3h')
    await advance('1d')
    assert.equal(await status(), 'blocked')
    assert.deepEqual(await codes(), ['beta_rejected'])
  })

  test('regression testing is complete once its test runs are', async ({ assert }) => {
    const scenario = `${CALM}tests: { failed: 0, blocked: 0, cases: 10 }\n`
    const { advance, status, codes, data } = await living(scenario, 'regressionTesting')
    await advance('3h')
    assert.equal(await status(), 'inProgress')
    assert.deepEqual(await codes(), ['tests_open'])
    const [{ name, provider, total, statuses }] = (await data()).testRuns
    assert.deepEqual([name, provider, total], ['Regression 4.2.0 iOS', 'sim-tests', 10])
    assert.includeMembers(
      statuses.map(({ type }: { type: string }) => type),
      ['untested', 'passed']
    )
    await advance('1d')
    assert.equal(await status(), 'complete')
    const { regressionStatus, testRuns } = await data()
    assert.equal(regressionStatus, 'passed')
    assert.deepEqual(
      testRuns.map(({ failures }: { failures: object[] }) => failures),
      [[]]
    )
    assert.deepEqual(
      testRuns.map(({ passed }: { passed: number }) => passed),
      [100]
    )
  })

  test('failing tests block regression testing until a person decides', async ({ assert }) => {
    const scenario = `${CALM}tests: { failed: 100, retest: 300d, cases: 4 }\n`
    const { advance, status, codes, data, admin, path } = await living(
      scenario,
      'regressionTesting'
    )
    await advance('1d')
    assert.equal(await status(), 'blocked')
    assert.deepEqual(await codes(), ['tests_failed'])
    const { regressionStatus, testRuns } = await data()
    assert.equal(regressionStatus, 'failed')
    const [{ failures }] = testRuns
    assert.lengthOf(failures, 4)
    assert.containsSubset(failures[0], { title: 'Case 1', status: 'failed', assignee: 'Ada' })
    const set = await admin.put(`${path}/regressionStatus`, { status: 'passed' })
    assert.equal(set.status, 200, set.text)
    assert.equal(await status(), 'complete')
  })
})
