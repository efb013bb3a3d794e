import { test } from '@japa/runner'
import fc from 'fast-check'
import { refuse } from '#foundation/core/problems/problem'
import { gapsIn, refusedTwice } from '../rehearsal/audit_rules.js'
import type { RehearsedItem } from '../rehearsal/plan.js'
import { refusalOf } from '../rehearsal/refusal_of.js'
import { planOf, rehearsed } from './support/rehearsed.js'
import { randomScenario } from './support/random_scenarios.js'
import { isLong } from '#tests/support/effort'

/** Number of scenarios; each is a process that plays a week. */
const RUNS = Number(process.env.REHEARSALS ?? (isLong ? 15 : 1))

const ITEM: RehearsedItem = {
  ...{
    kind: 'regression',
    title: 'Sign in',
    required: true,
    stepType: null,
    step: null,
    owners: [],
  },
  releaseTypes: ['major', 'minor', 'point', 'hotfix'],
  ...{ requiredApprovals: null, fourEyes: null },
}

test.group('Rehearsals of random scenarios', (group) => {
  group.each.timeout(400_000)

  test('end with nothing stuck, missing or refused twice', async ({ assert }) => {
    const ios = await planOf('happy-train', { days: 7, items: [ITEM] })
    const android = ios.configuration
      .replace('platform: ios', 'platform: android')
      .replaceAll('sim-apple', 'sim-google')
    await fc.assert(
      fc.asyncProperty(randomScenario, async ({ isGoogle, scenario }) => {
        // Any failure that is no problem of the service, such as a 500, ends a rehearsal.
        const { came } = await rehearsed({
          ...ios,
          configuration: isGoogle ? android : ios.configuration,
          scenario: JSON.stringify(scenario),
        })
        // Calls may be given up, because a provider may be unavailable for longer than all retries.
        const found = { ...came.audit, givenUp: [] }
        assert.deepEqual(found, {
          ...{ stuck: [], brokenTimelines: [], missingEvents: [], withoutCause: [] },
          ...{ givenUp: [], refusedTwice: [] },
        })
        assert.isAbove(came.happened, 5)
      }),
      { numRuns: RUNS, endOnFailure: true }
    )
  })

  test('a failure of the service itself ends it, and a refusal does not', ({ assert }) => {
    for (const code of ['conflict', 'not_found', 'provider_error'] as const) {
      assert.equal(refusalOf(refuse(code)).code, code)
    }
    for (const error of [refuse('internal_error'), new TypeError('x is undefined')]) {
      assert.throws(() => refusalOf(error))
    }
  })

  test('the audit finds calls that are refused twice, and missing events', ({ assert }) => {
    const call = (path: string, status: number | null, pluginId = 'sim-apple') => ({
      ...{ method: 'POST', path, status, pluginId },
    })
    assert.deepEqual(refusedTwice([call('/a', 409), call('/a', 409)]), ['POST /a 409'])
    // Calls to the other store, and calls without an answer, do not matter.
    const beside = [call('/b', 200, 'sim-google'), call('/b', null), call('/b', 503)]
    assert.lengthOf(refusedTwice([call('/a', 409), ...beside, call('/a', 409)]), 1)
    assert.isEmpty(refusedTwice([call('/a', 409), call('/b', 200), call('/a', 409)]))
    assert.isEmpty(refusedTwice([call('/a', 409), call('/b', 409)]))
    assert.isEmpty(refusedTwice([call('/a', 401), call('/a', 401)]))
    assert.deepEqual(gapsIn([1, 2, 4, 5, 5]), [4, 5])
    assert.deepEqual(gapsIn([2]), [2])
    assert.isEmpty(gapsIn([1, 2, 3]))
  })
})
