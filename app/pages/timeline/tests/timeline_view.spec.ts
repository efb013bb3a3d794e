import { test } from '@japa/runner'
import { exampleRelease, exampleTimeline } from '#releases/examples'
import type { Entry, Release } from '../../release/answers.js'
import { exampleReader } from '../../tests/example_reader.js'
import { typeText } from '../type_text.js'
import { timelineView } from '../view.js'

const ADA = { type: 'user', id: 'user_ada', name: 'Ada' } as const
const CI = { type: 'system', id: null, name: 'CI' } as const
const SELECTS = { type: 'automation', id: null, name: 'selectLatestBuild' } as const
const TAGS = { type: 'automation', id: null, name: 'tagOnRelease' } as const

/** Returns the view of a timeline with one entry of each actor, in their order. */
function viewOf(actors: readonly Entry['actor'][], query: Record<string, string> = {}) {
  const entries = actors.map((actor, index): Entry => ({
    ...exampleTimeline.data[0],
    ...{ id: `evt_${index}`, title: `Entry ${index + 1}`, position: index + 1, actor },
    type: index % 2 ? 'ciBuild.statusChanged' : 'release.kickedOff',
  }))
  return timelineView(
    {
      release: exampleRelease('testing') as unknown as Release,
      entries,
      chain: { count: entries.length, broken: null },
    },
    { reader: exampleReader, params: { appId: 'acme-ios', releaseId: 'acme-ios:1.4.0' }, query }
  )
}

type Shown = ReturnType<typeof viewOf>

const runsOf = ({ days }: Shown) =>
  days.flatMap(({ runs }) =>
    runs.map(({ folded, entries }) => [folded, entries.map(({ position }) => position)])
  )

test.group('The view of a timeline', () => {
  test('folds consecutive entries of automations, and no others', ({ assert }) => {
    const view = viewOf([ADA, SELECTS, CI, CI, SELECTS, TAGS, SELECTS, ADA])
    assert.deepEqual(runsOf(view), [
      [null, [8]],
      ['3 automatic entries', [7, 6, 5]],
      [null, [4]],
      [null, [3]],
      [null, [2]],
      [null, [1]],
    ])
  })

  test('is filtered by actor and by type, and offers all that the timeline has', ({ assert }) => {
    const actors = [ADA, SELECTS, SELECTS, CI, ADA]
    const [who, what] = viewOf(actors).filters
    assert.deepEqual(
      who.options.map(({ value, label }) => [value, label]),
      [
        ['', 'Everybody'],
        ['user_ada', 'Ada'],
        ['CI', 'CI'],
        ['selectLatestBuild', 'Select latest build'],
      ]
    )
    assert.deepEqual(
      what.options.map(({ label }) => label),
      ['Everything', 'CI build status changed', 'Release kicked off']
    )
    const ofAda = viewOf(actors, { actor: 'user_ada' })
    assert.deepEqual(runsOf(ofAda), [
      [null, [5]],
      [null, [1]],
    ])
    assert.deepEqual(
      ofAda.filters[0].options.filter(({ isOn }) => isOn).map(({ value }) => value),
      ['user_ada']
    )
    assert.isTrue(ofAda.isFiltered)
    // Entries that the filter asks for are not folded.
    const automatic = viewOf(actors, { actor: 'selectLatestBuild' })
    assert.deepEqual(runsOf(automatic), [
      [null, [3]],
      [null, [2]],
    ])
    const both = viewOf(actors, { actor: 'user_ada', type: 'ciBuild.statusChanged' })
    assert.deepEqual([runsOf(both), both.empty], [[], 'Nothing matches.'])
    assert.equal(viewOf([]).empty, 'Nothing is in the timeline yet.')
  })

  test('continues on the next page, with the same filter', ({ assert }) => {
    const actors = Array.from({ length: 120 }, (_, index) => (index % 12 ? ADA : CI))
    const first = viewOf(actors, { actor: 'user_ada' })
    const positions = ({ days }: Shown) =>
      days.flatMap(({ runs }) =>
        runs.flatMap(({ entries }) => entries.map((each) => each.position))
      )
    assert.lengthOf(positions(first), 50)
    const query = Object.fromEntries(new URLSearchParams(first.more!.split('?')[1]))
    assert.equal(query.actor, 'user_ada')
    const second = viewOf(actors, query)
    const third = viewOf(
      actors,
      Object.fromEntries(new URLSearchParams(second.more!.split('?')[1]))
    )
    assert.isNull(third.more)
    const all = [first, second, third].flatMap(positions)
    assert.deepEqual(
      all,
      actors.flatMap((actor, index) => (actor === ADA ? [index + 1] : [])).reverse()
    )
    for (const before of ['x', '']) assert.isNotEmpty(positions(viewOf(actors, { before })))
  })
})

test.group('The type of an entry', () => {
  test('is shown in words', ({ assert }) => {
    assert.equal(typeText('releaseStep.statusChanged'), 'Release step status changed')
    assert.equal(typeText('ciBuild.statusChanged'), 'CI build status changed')
  })
})
