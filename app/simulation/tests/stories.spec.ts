import { test } from '@japa/runner'
import { namesInBox } from '../scenarios/box.js'
import { STORIES, unreported } from '../scenarios/stories.js'
import { planOf, rehearsed } from './support/rehearsed.js'
import { isLong } from '#tests/support/effort'

/** Days after which a story is complete, if it takes long. */
const DAYS: Readonly<Record<string, number>> = {
  'happy-train': 10,
  'crash-spike': 9,
  'everything-at-once': 9,
}

/** Stories of the usual run; the long one plays all. */
const USUAL: readonly string[] = ['rejected']

test.group('Stories of the box', (group) => {
  group.each.timeout(400_000)

  test('exist for each scenario', async ({ assert }) => {
    assert.sameMembers(Object.keys(STORIES), await namesInBox())
  })

  const tried = Object.entries(STORIES).filter(([name]) => isLong || USUAL.includes(name))
  for (const [name, story] of tried) {
    test(`${name} happens as promised`, async ({ assert }) => {
      const { reported, came } = await rehearsed(await planOf(name, { days: DAYS[name] ?? 5 }))
      const said = reported.filter(({ kind }) => kind !== 'sent').map(({ text }) => text)
      assert.deepEqual(unreported(story, said), [], said.join('\n'))
      const instants = reported.map(({ at }) => at)
      assert.deepEqual(instants, instants.toSorted())
      const { givenUp, ...found } = came.audit
      assert.deepEqual(Object.values(found).flat(), [], JSON.stringify(found, null, 1))
      assert.isArray(givenUp)
    })
  }

  test('missing and forbidden events are reported', ({ assert }) => {
    const story = { reports: [/one/, /two/], never: [/three/] }
    assert.isEmpty(unreported(story, ['one', 'two']))
    assert.lengthOf(unreported(story, ['two', 'one']), 1)
    assert.deepEqual(unreported(story, ['one', 'two', 'three']), ['three'])
  })
})
