import { sizeDifference, sizeText } from '../../words/numbers.js'
import { test } from '@japa/runner'
import { comparisonView, type Comparison, type ComparisonAnswers } from '../view.js'

type Side = NonNullable<Comparison['build']>

const side = (buildNumber: string, code: number, more: Partial<Side> = {}): Side => ({
  ...{ name: `build ${buildNumber}`, releaseId: null, buildId: `b${buildNumber}` },
  ...{ bucketId: 'k', version: '1.1.0', buildNumber, whyUnread: null, format: 'apk' },
  ...{ minimumOsVersion: '26', targetOsVersion: '36', permissions: [] },
  contents: {
    ...{ components: [], exported: [], omitted: 0, omittedExported: 0 },
    sizes: { code, libraries: 2_000_000, extensions: 0, resources: 0, assets: 0, other: 0 },
    abiSizes: [{ abi: 'arm64-v8a', bytes: 2_000_000 }],
  },
  ...more,
})

const change = (kind: string, subject: string | null, from: string | null, to: string | null) =>
  ({ kind, subject, from, to, message: `${kind} in words` }) as Comparison['changes'][number]

const answers = (
  comparison: Partial<Comparison>,
  others: ComparisonAnswers['others'] = [],
  destinations: ComparisonAnswers['app']['destinations'] = []
): ComparisonAnswers => ({
  app: { id: 'acme', name: 'Acme', platform: 'android', destinations },
  comparison: {
    ...{ base: side('10', 1_000_000), build: side('11', 1_500_000) },
    ...{ changes: [], notCompared: [], explanation: null },
    ...comparison,
  },
  others,
})

const OF_RELEASE = { params: { appId: 'acme', releaseId: 'acme:1.1.0' }, query: {} }
const OF_BUILD = {
  params: { appId: 'acme', bucketId: 'k', buildDistroBuildId: 'b11' },
  query: { base: 'b9' },
}

test.group('The page of two builds', () => {
  test('groups changes into sections, with one line each', ({ assert }) => {
    const view = comparisonView(
      answers({
        changes: [
          change('permissionAdded', 'android.permission.CAMERA', null, null),
          change('frameworkUpdated', 'library a:b', '1.0', '1.1'),
          change('frameworkRemoved', 'native x.so', null, null),
          change('minimumOsRaised', null, '24', '26'),
          change('exportedComponentChanged', 'activity .Main', null, 'acme.OPEN'),
          change('sizeGrown', 'code', '1000000', '1500000'),
        ],
      }),
      OF_RELEASE
    )
    assert.equal(view.brief, '5 changes')
    const rows = view.sections.map(({ title, rows: all }) => [
      title,
      ...all.map(({ word, name, value }) => [word, name, value].filter(Boolean).join(' ')),
    ])
    assert.deepEqual(rows, [
      ['Permissions', 'New android.permission.CAMERA'],
      ['What other apps can start', 'Changed activity .Main no permission → acme.OPEN'],
      ['Frameworks and libraries', 'Changed library a:b 1.0 → 1.1', 'Gone native x.so'],
      ['Systems', 'Changed minimumOsRaised in words'],
    ])
  })

  test('shows the sizes of both builds, with their difference', ({ assert }) => {
    assert.deepEqual(comparisonView(answers({}), OF_RELEASE).sizes, [
      { name: 'Total', both: '3.0 MB → 3.5 MB', difference: '+500 kB' },
      { name: 'Code', both: '1.0 MB → 1.5 MB', difference: '+500 kB' },
      { name: 'Frameworks and native libraries', both: '2.0 MB → 2.0 MB', difference: 'same' },
      { name: 'Native code for arm64-v8a', both: '2.0 MB → 2.0 MB', difference: 'same' },
    ])
    const { sizes, notCompared } = comparisonView(
      answers({ notCompared: ['frameworks', 'sizes'] }),
      OF_RELEASE
    )
    assert.isEmpty(sizes)
    assert.match(notCompared ?? '', /^Not compared: frameworks and libraries, sizes\./)
  })

  test('says why nothing is compared, and polls while a file is being read', ({ assert }) => {
    const explanation = 'The file of build 11 was not read: its file is still being read.'
    const build = side('11', 0, {
      ...{ whyUnread: 'its file is still being read', format: null, contents: null },
    })
    const view = comparisonView(answers({ build, explanation }), OF_RELEASE)
    assert.deepEqual([view.explanation, view.brief, view.pollSeconds], [explanation, null, 15])
    assert.deepInclude(view.facts, { name: 'Size', before: '3.0 MB', after: '–' })
    const first = comparisonView(answers({ base: null, explanation: 'None.' }), OF_RELEASE)
    assert.equal(first.heading, 'What changed')
  })

  test('claims no number of permissions of a build whose bucket the reader may not see', ({
    assert,
  }) => {
    const hidden = { buildId: null, bucketId: null, permissions: [], contents: null }
    const asksFor = (build: Side) =>
      comparisonView(answers({ build }), OF_RELEASE).facts.find(({ name }) => name === 'Asks for')
    const seen = asksFor(side('11', 0, { permissions: ['android.permission.CAMERA'] }))
    assert.deepInclude(seen, { before: '0 permissions', after: '1 permission' })
    assert.deepInclude(asksFor(side('11', 0, hidden)), { before: '0 permissions', after: '–' })
  })

  test('compares a build of a bucket with another one there, which stays chosen', ({ assert }) => {
    const others = [
      { id: 'b9', version: '1.0.0', buildNumber: '9', artifactFileName: 'a.apk' },
      { id: 'b8', version: null, buildNumber: null, artifactFileName: 'old.apk' },
    ]
    const { choose } = comparisonView(answers({}, others), OF_BUILD)
    assert.deepEqual(
      choose?.options.map(({ label, isOn }) => [label, isOn]),
      [
        ['The version that users have', false],
        ['1.0.0 (9)', true],
        ['old.apk', false],
      ]
    )
    assert.isNull(comparisonView(answers({}), OF_RELEASE).choose)
  })

  test('shows the build of one of several stores, the first by default', ({ assert }) => {
    const stores = [
      { id: 'd1', name: 'Google Play' },
      { id: 'd2', name: 'Acme Store' },
    ]
    const chosen = (query: Record<string, string>) =>
      comparisonView(answers({}, [], stores), { ...OF_RELEASE, query }).choose?.options.map(
        ({ label, isOn }) => [label, isOn]
      )
    assert.deepEqual(chosen({}), [
      ['Google Play', true],
      ['Acme Store', false],
    ])
    assert.deepEqual(chosen({ destinationId: 'd2' })?.[1], ['Acme Store', true])
  })

  test('lists 200 changes of a section, and counts the others', ({ assert }) => {
    const changes = Array.from({ length: 1000 }, (_, each) =>
      change('frameworkAdded', `library a:${each}`, null, '1')
    )
    const [section] = comparisonView(answers({ changes }), OF_RELEASE).sections
    assert.deepEqual([section.rows.length, section.left], [200, 'and 800 more'])
  })
})

test.group('Sizes', () => {
  test('do not contradict their difference', ({ assert }) => {
    for (const [from, to, words] of [
      [2100, 2900, '2 kB → 3 kB, +1 kB'],
      [1400, 2600, '1 kB → 3 kB, +2 kB'],
      [2600, 2900, '3 kB → 3 kB, +300 B'],
      [900, 300, '900 B → 300 B, −600 B'],
      [48_210_000, 48_230_000, '48.2 MB → 48.2 MB, +20 kB'],
    ] as const) {
      assert.equal(`${sizeText(from)} → ${sizeText(to)}, ${sizeDifference(from, to)}`, words)
    }
  })
})
