import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { attachBuild, createVersion, submit } from '#simulated-providers/app_store'
import { versionState } from '#simulated-providers/version_states'
import { declareCompliance, uploadBuild } from '#simulated-providers/app_store_builds'
import { isRefused, USUAL_APP_STORE, type Result } from '#simulated-providers/app_store_state'
import { betaState, giveToGroups } from '#simulated-providers/test_flight'
import { readScenario } from '../scenarios/read_scenario.js'
import { planOf, rehearsed } from './support/rehearsed.js'

const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')
const NOW = BEGIN + HOUR

function ok(result: Result) {
  if (isRefused(result)) throw new Error(result.refused)
  return result.store
}

/** Returns a store with a version and a processed build whose use of encryption is not declared. */
function undeclared() {
  const uploaded = ok(uploadBuild(USUAL_APP_STORE, BEGIN, { number: '1', version: '1.0.0' }))
  const builds = uploaded.builds.map((each) => ({ ...each, isUndeclared: true }))
  const input = { version: '1.0.0', release: { type: 'MANUAL' as const }, phased: false }
  return ok(createVersion({ ...uploaded, builds }, BEGIN, input))
}

test.group('Export compliance', () => {
  test('has to be declared before a build is submitted or tested', ({ assert }) => {
    const attached = ok(attachBuild(undeclared(), NOW, '1.0.0', '1.0.0 1'))
    const refused = { refused: 'complianceMissing' }
    assert.deepEqual(submit(attached, 's', NOW, '1.0.0'), refused)
    for (const groupId of ['employees', 'everybody']) {
      const given = { buildId: '1.0.0 1', groupIds: [groupId] }
      assert.deepEqual(giveToGroups(attached, 's', NOW, given), refused)
      assert.equal(betaState(attached, NOW, given), 'MISSING_EXPORT_COMPLIANCE')
    }
    const declared = ok(submit(declareCompliance(attached), 's', NOW, '1.0.0'))
    assert.equal(versionState(declared, declared.versions[0], NOW), 'WAITING_FOR_REVIEW')
  })

  test('a build that is still processed is refused for that first', ({ assert }) => {
    const given = { buildId: '1.0.0 1', groupIds: ['employees'] }
    const soon = BEGIN + 1000
    assert.deepEqual(giveToGroups(undeclared(), 's', soon, given), { refused: 'buildNotReady' })
    assert.equal(betaState(undeclared(), soon, given), 'PROCESSING')
  })

  test('a scenario sets how many builds lack it, and when it is declared', async ({ assert }) => {
    const read = (text: string) => readScenario(Buffer.from(text))
    const { appStore, deeds: actions } = await read(
      'name: A\nappStore: { undeclared: 40 }\nmoments:\n  - { what: console, store: appStore, deed: declaresCompliance, at: 3h }'
    )
    assert.equal(appStore.undeclared, 0.4)
    assert.containsSubset(actions, [{ deed: 'declaresCompliance', at: 3 * HOUR }])
    await assert.rejects(() => read('name: A\nappStore: { undeclared: 101 }'))
  })

  test('the service is refused once, reports why, and continues after the declaration', async ({
    assert,
  }) => {
    const scenario = 'name: A\nseed: a\nci: { failing: 0 }\nappStore: { undeclared: 100 }'
    const { text, came } = await rehearsed(await planOf('happy-train', { scenario, days: 3 }))
    assert.match(
      text,
      /could not be submitted: .*complianceMissing[^]*declares the export compliance[^]*1\.0\.0 was submitted for review/
    )
    assert.deepEqual(came.audit.refusedTwice, [])
    const [apple] = came.asked.filter(({ provider }) => provider === 'apple')
    assert.equal(apple.refused, 1)
  })
})
