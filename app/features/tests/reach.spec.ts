import { test } from '@japa/runner'
import fc from 'fast-check'
import { Reach, type AskedRange, type Seen } from '../code/reach.js'
import { enteredAt } from '../code/commit_line.js'
import { runs } from '#tests/support/effort'

interface Drawn {
  hash: string
  parents: string[]
}

/** Asks which of some commits those of a range after `edge` contain. */
function ask(drawn: readonly Drawn[], marked: readonly string[], isUnread = false) {
  const reads = { count: 0 }
  const commits = drawn.map(({ hash, parents }, index) => ({
    ...{ hash, place: index + 1, pickedFrom: [], reverts: [] },
    get parents() {
      reads.count++
      return parents
    },
  }))
  const entered = enteredAt(
    drawn.map((each, index) => ({ ...each, place: index + 1, pickedFrom: [], reverts: [] })),
    drawn.at(-1)?.hash ?? null
  )
  const places = new Map<string, Seen>()
  const range: AskedRange & { marks: Seen[] } = {
    edge: async () => [{ hash: 'edge', at: 1 }],
    isUnread,
    marks: [],
    walk: async () => commits,
  }
  for (const { hash, place } of commits) {
    places.set(hash, { hash, place, entered: entered.get(hash) ?? null, range })
  }
  for (const hash of marked) range.marks.push(places.get(hash)!)
  const reach = new Reach((hash) => [places.get(hash) ?? []].flat())
  return { reach, reads }
}

/** Returns the ancestors of each commit, including itself, by walking. */
function ancestors(drawn: readonly Drawn[]) {
  const all = new Map<string, Set<string>>()
  for (const { hash, parents } of drawn) {
    all.set(hash, new Set([hash, ...parents.flatMap((each) => [...(all.get(each) ?? [])])]))
  }
  return all
}

test.group('The commits that a commit contains', () => {
  test('are those that a walk finds, for one commit and for many at once', async ({ assert }) => {
    const drawing = fc.array(fc.tuple(fc.nat(5), fc.nat(40), fc.boolean()), {
      minLength: 1,
      maxLength: 90,
    })
    await fc.assert(
      fc.asyncProperty(drawing, fc.infiniteStream(fc.nat(3)), async (steps, chance) => {
        const drawn = steps.map(([first, second, isMerge], index) => {
          const back = (by: number) => (index - 1 - by < 0 ? 'edge' : `c${index - 1 - by}`)
          const parents = isMerge ? [back(first), back(second)] : [back(first)]
          return { hash: `c${index}`, parents: [...new Set(parents)] }
        })
        const marked = drawn.flatMap(({ hash }) => (chance.next().value === 0 ? hash : []))
        const all = ancestors(drawn)
        const { reach } = ask(drawn, marked)
        const many = await reach.fromEach([...drawn.map(({ hash }) => hash), 'unseen'])
        assert.equal(many.get('unseen')?.size, 0)
        const alone = ask(drawn, marked).reach
        for (const { hash } of drawn) {
          const expected = marked.filter((mark) => all.get(hash)!.has(mark))
          assert.sameMembers([...many.get(hash)!], expected, hash)
          assert.sameMembers([...(await alone.from(hash))], expected, hash)
        }
      }),
      { numRuns: runs(200), seed: Number(process.env.TEST_SEED ?? Date.now() % 1e9) }
    )
  })

  test('are found for many commits off a line by reading its range once', async ({ assert }) => {
    const drawn: Drawn[] = []
    for (let pair = 0, tip = 'edge'; pair < 1000; tip = `m${pair++}`) {
      drawn.push({ hash: `s${pair}`, parents: [tip] })
      drawn.push({ hash: `m${pair}`, parents: [tip, `s${pair}`] })
    }
    const sides = drawn.flatMap(({ hash }) => (hash.startsWith('s') ? hash : []))
    const { reach, reads } = ask(drawn, ['m500'])
    const has = await reach.fromEach(sides)
    const having = sides.filter((hash) => has.get(hash)!.size > 0)
    assert.deepEqual(having, sides.slice(501))
    const alone = ask(drawn, ['m500'])
    for (const hash of sides.slice(0, 50)) await alone.reach.from(hash)
    assert.isAtMost(reads.count, drawn.length)
    assert.isAtMost(alone.reads.count, drawn.length)
  })
})
