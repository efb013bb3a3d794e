import { test } from '@japa/runner'
import { Problem } from '#foundation/core/problems/problem'
import { exampleReleaseDetail } from '#releases/examples'
import { exampleReader as reader } from '../../tests/example_reader.js'
import { actView } from '../act.view.js'
import { ACTS, actsOf } from '../acts.js'
import type { Release, ShownStep } from '../answers.js'

const BASE = '/dashboard/app/acme-ios/release/acme-ios%3A4.2.0'

test.group('The acts at a step of one store of two', () => {
  const [some] = exampleReleaseDetail().steps
  const stepOf = (type: string, destinationId: string, status: string, code?: string) =>
    ({
      ...{ ...some, id: `${type}-${destinationId}`, type, destinationId, status, hidden: false },
      ...{ data: {}, unmet: code ? [{ code, message: '', who: [] }] : [] },
    }) as unknown as ShownStep
  const offered = (phase: string, steps: readonly ShownStep[]) => {
    const release = { ...exampleReleaseDetail(), status: 'active', phase } as unknown as Release
    const tags = { release: '"a"', runs: {} }
    return steps.map((step) =>
      actsOf(step, { release, steps, address: BASE, tags, reader, refused: null })
        .map(({ word }) => word)
        .join()
    )
  }

  test('depend on what its own store waits for', ({ assert }) => {
    const first = [stepOf('storeReview', 'a', 'complete'), stepOf('takeoff', 'a', 'complete')]
    const second = [
      stepOf('storeReview', 'b', 'complete'),
      stepOf('takeoff', 'b', 'inProgress', 'release_pending'),
    ]
    assert.deepEqual(offered('rollingOut', [...first, ...second]), ['', '', '', 'Release to users'])
    const reviewed = [
      stepOf('submission', 'b', 'complete'),
      stepOf('storeReview', 'b', 'inProgress', 'in_review'),
    ]
    assert.deepEqual(offered('rollingOut', [...first, ...reviewed]), [
      ...['', ''],
      ...['Withdraw from review', 'Withdraw from review'],
    ])
    const rejected = [
      stepOf('submission', 'a', 'complete'),
      stepOf('submission', 'b', 'complete'),
      stepOf('storeReview', 'b', 'blocked', 'review_rejected'),
    ]
    assert.deepEqual(offered('rejected', rejected), ['', 'Submit', ''])
  })
})

test.group('The question before an act', () => {
  test('has a box only if the rule can be overridden', ({ assert }) => {
    const declared = ACTS.find(({ act }) => act === 'submit')!
    const asked = (problem: Problem) => {
      const app = { id: 'acme-ios', name: 'Acme', platform: 'ios' as const, appGroup: null }
      const release = exampleReleaseDetail() as unknown as Release
      const of = { app, release, declared, run: '', tag: '"a"' }
      const params = { appId: 'a', releaseId: 'r', stepId: 's', act: 'submit' }
      return actView({ ...of, outlook: { titles: [], problem } }, { reader, refused: null, params })
        .force
    }
    const given = { currentStatus: 'active', allowedActions: ['complete', 'force'] }
    const label = 'Submit although required steps are not complete'
    assert.equal(asked(new Problem('steps_incomplete', given)), label)
    assert.isNull(asked(new Problem('no_build_selected', { ...given, allowedActions: [] })))
  })
})
