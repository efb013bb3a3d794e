import { test } from '@japa/runner'
import { exampleRelease } from '#releases/examples'
import { exampleRetrospective } from '#releases/retrospective/example'
import { exampleReader } from '../../tests/example_reader.js'
import type { Release } from '../../release/answers.js'
import { hasRetrospective, retrospectiveView } from '../view.js'

const params = { appId: 'acme-ios', releaseId: 'acme-ios:4.2.0' }
const call = { reader: exampleReader, params }
const release = { ...exampleRelease('released'), imported: false } as unknown as Release

const [regression, submission] = exampleRetrospective.steps
const retrospective = {
  ...exampleRetrospective,
  medianHours: 191.5,
  comparedWith: [{ releaseId: 'acme-ios:4.1.0', version: '4.1.0', hours: 191.5 }],
  steps: [
    { ...regression, medianHours: 98.5 },
    { ...submission, medianHours: 93 },
  ],
}

test.group('The view of a retrospective', () => {
  test('says how long the release took, what is usual, and what the longest wait was', ({
    assert,
  }) => {
    const { found, missing } = retrospectiveView({ release, retrospective }, call)
    assert.isNull(missing)
    assert.deepEqual(
      [found!.head, found!.rest, found!.detail],
      [
        'It took 7 d 0 h from kickoff to completion.',
        'The one before it took 8 d 0 h.',
        'The longest wait: Regression testing, 5 d 0 h, mostly for Release Pilots.',
      ]
    )
    assert.deepEqual(
      found!.chart!.table.rows.map((row) => row.join(' | ')),
      [
        'Regression testing | 5 d 0 h | 4 d 3 h | Release Pilots 5 d 0 h',
        'Submission | 1 d 24 h | 3 d 21 h | Tarmac 1 d 24 h',
      ].map((row) => row.replaceAll('1 d 24 h', '2 d 0 h'))
    )
    assert.deepEqual(
      found!.chart!.keys.map(({ label }) => label),
      ['people', 'Tarmac', 'usual']
    )
    assert.include(found!.before[0].href, 'acme-ios%3A4.1.0/retrospective')
  })

  test('says why a release has no retrospective', ({ assert }) => {
    for (const [members, words] of [
      [{ status: 'active' }, 'once the release is completed'],
      [{ status: 'skipped' }, 'was skipped'],
      [{ status: 'completed', kickedOffAt: null }, 'never kicked off'],
      [{ status: 'completed', imported: true }, 'before Tarmac knew'],
    ] as const) {
      const other = { ...release, ...members } as Release
      assert.isFalse(hasRetrospective(other))
      const { missing, found } = retrospectiveView({ release: other, retrospective: null }, call)
      assert.isNull(found)
      assert.include(missing!, words)
    }
  })
})
