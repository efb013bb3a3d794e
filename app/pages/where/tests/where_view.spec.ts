import { test } from '@japa/runner'
import { exampleWhereIs } from '#insights/examples'
import { exampleReader } from '../../tests/example_reader.js'
import { whereView, type WhereAnswers } from '../view.js'

const [found] = exampleWhereIs.apps
const [release] = found.releases

const shown = (more: Partial<typeof found>) => {
  const app = { id: found.appId, name: 'Acme Shop', platform: 'ios', appGroup: null }
  const answers: WhereAnswers = { app, apps: [app], change: 'x', found: [{ ...found, ...more }] }
  return whereView(answers, { reader: exampleReader }).apps[0]
}

const NOBODY = { stores: [{ destinationId: null, storeType: 'apple', offered: 0 }], adopted: null }

test.group('The view of where a change is', () => {
  test('says how far it has come', ({ assert }) => {
    const { share } = found
    const all = { ...share, stores: [{ ...share.stores[0], offered: 100 }] }
    for (const [more, sentence] of [
      [{}, /^2\u00a0% of users can have it, the first since .+\.$/],
      [{ share: all }, /^All users can have it, the first since /],
      [{ share: { ...NOBODY, since: null } }, /^It is in \S+, which no user has yet\.$/],
      [{ share: { ...NOBODY, since: share.since } }, /, which users no longer get\.$/],
      [{ share: { ...NOBODY, since: null }, releases: [] }, /^No release has it yet\.$/],
    ] as const) {
      assert.match(shown(more as Partial<typeof found>).sentence, sentence)
    }
  })

  test('names the first release that brought it, and counts what it does not list', ({
    assert,
  }) => {
    const releases = Array.from({ length: 13 }, (_, index) => ({
      ...release,
      version: `5.${12 - index}.0`,
      how: index === 12 ? ('introduced' as const) : ('before' as const),
    }))
    const view = shown({ releases, share: { ...NOBODY, since: null } })
    assert.equal(view.sentence, 'It is in 5.0.0, which no user has yet.')
    assert.deepEqual([view.releases.length, view.left], [10, 'And 3 releases more.'])
  })
})
