import { test } from '@japa/runner'
import { groups } from '#organizations/tables'
import { makeWorld, type World } from '#tests/support/world'
import { as, change, of, select, type Bindings, type Select } from '../core/database/statement.js'
import { flag, integer, json, optional, real, text } from '../core/database/table.js'
import type { Scope } from '../core/scope.js'
import { unitOfWork } from '../core/services.js'

const NAMES = select(
  of(groups, 'g', ['name']),
  'from groups g where g.organization_id = :org order by g.name desc'
)
const KINDS = select(
  {
    awkward: as(text(), "cast(:awkward as text) || ''"),
    nothing: as(optional(text()), 'cast(null as varchar(10))'),
    many: as(integer(), 'count(*)'),
    part: as(real(), 'cast(count(*) as double precision) / 4'),
    isSo: as(flag(), 'count(*) = 3'),
    data: as(json<object>(), "cast(:data as text) || ''"),
  },
  'from groups g where g.organization_id = :org'
)
const NOBODY = select(of(groups, 'g'), `from groups g where g.organization_id = :org and g.id = ''`)
const BOTH = select(
  { name: as(text(), 'b.name') },
  `from (
    select g.name, 1 as place from groups g
      where g.organization_id = :org and g.name = :first
    union all select g.name, 2 from groups g
      where g.organization_id = :org and g.name in json(:others)
  ) b order by b.place, b.name desc`
)
const FIRST = select(
  { name: as(text(), 'g.name') },
  `from groups g where g.organization_id = :org and g.is_default = :isDefault
   order by g.name desc limit :most`
)
const NAMED = select(
  { name: as(text(), 'g.name') },
  'from groups g where g.organization_id = :org and g.name = :name'
)
const SHARE = select(
  { share: as(real(), 'cast(:share as double precision) * count(*)') },
  'from groups g where g.organization_id = :org'
)
const BROKEN = select(
  { name: as(text(), 'g.name') },
  `from groups g where g.organization_id = :org and cast(:word as integer) / (:zero + 0) > 1
   and g.no_such_column = 1`
)
const RENAME = change(
  'update groups set name = :now where organization_id = :org and name = :before'
)

const awkward = ' "quotes" \\ \u2028 😀 tab\t $1 :org %'
const questions: [Select, Bindings][] = [
  [NAMES, {}],
  [KINDS, { awkward, data: JSON.stringify({ deep: [awkward, null, true, 1.5] }) }],
  [NOBODY, {}],
  [BOTH, { first: 'a', others: JSON.stringify(['b', 'c', awkward]) }],
]
const names = (rows: unknown[]) => rows.map((row) => (row as { name: string }).name)
const askAll = (scope: Scope) =>
  Promise.all(questions.map(([statement, bindings]) => scope.rows(statement, bindings)))

async function withGroups(): Promise<World> {
  const world = await makeWorld()
  await world.write(async (scope) => {
    const stored = { createdAt: scope.now, updatedAt: scope.now }
    const own = world.organizationId
    await scope.table('groups').delete()
    await scope.insert(
      groups,
      ['a', 'b', awkward].map((name, index) => {
        const id = `grp_${own}_${index}`
        return { id, name, nameKey: id, isDefault: false, userActions: [], ...stored }
      })
    )
  })
  return world
}

test.group('SELECTs that are sent together', () => {
  test('get the same answers as single ones, in order', async ({ assert }) => {
    const { principal, write } = await withGroups()
    const alone: unknown[] = []
    for (const [statement, bindings] of questions) {
      alone.push(await unitOfWork.readScope(principal).rows(statement, bindings))
    }
    assert.deepEqual(alone[0], [{ name: 'b' }, { name: 'a' }, { name: awkward }])
    assert.containSubset(alone[1], [{ awkward, nothing: null, isSo: true, part: 0.75 }])
    assert.deepEqual(alone[2], [])
    assert.deepEqual(await askAll(unitOfWork.readScope(principal)), alone)
    assert.deepEqual(await write(askAll), alone)
    const often = unitOfWork.readScope(principal)
    const many = await Promise.all(Array.from({ length: 60 }, () => often.rows(NAMES)))
    assert.deepEqual(many, Array(60).fill(alone[0]))
  })

  test('get the same answers for one statement with many bindings', async ({ assert }) => {
    const { principal, write } = await withGroups()
    const alone = (statement: Select, bindings: Bindings) =>
      unitOfWork.readScope(principal).rows(statement, bindings)
    const given: [Select, Bindings][] = [
      ...Array.from({ length: 700 }, (_, index): [Select, Bindings] => {
        const name = ['a', 'b', awkward, 'nobody'][index % 4]
        return [BOTH, { first: name, others: JSON.stringify(['b', name, `${index}`]) }]
      }),
      ...[1, 2, 3].map((most): [Select, Bindings] => [FIRST, { most, isDefault: false }]),
      ...[true, false].map((isDefault): [Select, Bindings] => [FIRST, { most: 2, isDefault }]),
      // Integers and fractions have no common type, so each is asked separately.
      ...['a', null].map((name): [Select, Bindings] => [NAMED, { name }]),
      ...[0.5, 1].map((share): [Select, Bindings] => [SHARE, { share }]),
      [NAMES, {}],
      [NAMES, {}],
    ]
    const expected = []
    for (const [statement, bindings] of given) expected.push(await alone(statement, bindings))
    const together = (scope: Scope) =>
      Promise.all(given.map(([statement, bindings]) => scope.rows(statement, bindings)))
    assert.deepEqual(await together(unitOfWork.readScope(principal)), expected)
    assert.deepEqual(await write(together), expected)
  })

  test('see earlier changes, and no later ones', async ({ assert }) => {
    const { write } = await withGroups()
    const seen = await write(async (scope) => {
      const before = [scope.rows(NAMES), scope.rows(NOBODY)]
      const changed = scope.change(RENAME, { before: 'a', now: 'z' })
      await changed
      const after = [scope.rows(NAMES), scope.rows(NOBODY)]
      return Promise.all([...before, ...after])
    })
    assert.deepEqual(names(seen[0]), ['b', 'a', awkward])
    assert.deepEqual(names(seen[2]), ['z', 'b', awkward])
  })

  test('fail together, but later ones do not', async ({ assert }) => {
    const { principal } = await withGroups()
    const scope = unitOfWork.readScope(principal)
    const bindings = { word: 'a', zero: 0 }
    const requested = await Promise.allSettled([scope.rows(NOBODY), scope.rows(BROKEN, bindings)])
    assert.equal(requested[1].status, 'rejected')
    assert.lengthOf(await scope.rows(NAMES), 3)
  })

  test('are sent before the transaction ends, and no change is sent after that', async ({
    assert,
  }) => {
    const { write } = await withGroups()
    const rejected: unknown[] = []
    for (const turns of [0, 1, 2, 3, 4]) {
      const late = async (scope: Scope) => {
        for (let turn = 0; turn < turns; turn++) await null
        await scope.change(RENAME, { before: 'a', now: `late ${turns}` })
      }
      const failed = write(async (scope) => {
        await scope.rows(NAMES)
        late(scope).catch(() => {})
        throw new Error('the work fails')
      })
      await assert.rejects(() => failed, 'the work fails')
      const after = await write((scope) => scope.rows(NAMES))
      assert.deepEqual(names(after), ['b', 'a', awkward], `${turns} turns later`)
    }
    await write(async (scope) => {
      await scope.rows(NAMES)
      scope.rows(NAMES).catch((error: unknown) => rejected.push(error))
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.isEmpty(rejected)
  })

  test('are read once by `rowsOnce`, until the scope changes their table', async ({ assert }) => {
    const { write } = await withGroups()
    await write(async (scope) => {
      const first = await scope.rowsOnce(NAMES)
      assert.strictEqual(await scope.rowsOnce(NAMES), first)
      await scope.change(RENAME, { before: 'b', now: 'y' })
      assert.deepEqual(names(await scope.rowsOnce(NAMES)), ['y', 'a', awkward])
      const named = (name: string) => scope.rowsOnce(NAMED, { name })
      assert.deepEqual([names(await named('y')), names(await named('b'))], [['y'], []])
      assert.strictEqual(await named('y'), await named('y'))
      await scope.table('groups').where('name', 'y').update({ name: 'x' })
      scope.forget('groups')
      assert.deepEqual(names(await scope.rowsOnce(NAMES)), ['x', 'a', awkward])
      assert.deepEqual(names(await named('y')), [])
    })
  })
})
