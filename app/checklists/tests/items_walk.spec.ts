import fc from 'fast-check'
import { test } from '@japa/runner'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'
import { runs } from '#tests/support/effort'

/*
 * Runs random sequences of writes to items against a small model of the items of two releases.
 * Edits apply to upcoming releases and to untouched items of active ones, never to completed ones.
 */

type ReleaseName = 'first' | 'next'
type Command =
  | { do: 'create'; types: string[] }
  | { do: 'retitle'; item: number; title: string }
  | { do: 'retype'; item: number; types: string[] }
  | { do: 'delete'; item: number }
  | { do: 'status'; item: number; release: ReleaseName; status: string }
  | { do: 'comment'; item: number; release: ReleaseName; comment: string | null }
  | { do: 'complete' }

const item = fc.nat(5)
const release = fc.constantFrom<ReleaseName>('first', 'next')
const types = fc.subarray(['major', 'minor'], { minLength: 1 })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), types }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('retitle' as const),
      item,
      title: fc.constantFrom('a', 'b'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retype' as const), item, types }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), item }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      item,
      release,
      status: fc.constantFrom('notStarted', 'inProgress', 'passed', 'failed'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('comment' as const),
      item,
      release,
      comment: fc.constantFrom('why', null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('complete' as const) }) }
)

interface ItemState {
  title: string
  status: string
  comment: string | null
}

/** The expected state, as simply as possible. */
class Model {
  templates = new Map<string, { title: string; types: string[] }>()
  ids: string[] = []
  events = 0
  releases: Record<ReleaseName, { state: string; type: string; items: Map<string, ItemState> }> = {
    first: { state: 'active', type: 'major', items: new Map() },
    next: { state: 'upcoming', type: 'minor', items: new Map() },
  }

  /** Applies a changed or deleted template to the open releases. */
  spread(id: string) {
    const template = this.templates.get(id)
    for (const { state, type, items } of Object.values(this.releases)) {
      const entry = items.get(id)
      const touched = entry && (entry.status !== 'notStarted' || entry.comment !== null)
      if (state === 'completed' || (state === 'active' && touched)) continue
      if (!template?.types.includes(type)) items.delete(id)
      else {
        items.set(id, { status: 'notStarted', comment: null, ...entry, title: template.title })
      }
    }
  }

  complete() {
    this.releases.first.state = 'completed'
    this.releases.next.state = 'active'
  }
}

async function run(world: ItemWorld, names: Record<ReleaseName, string>, model: Model, c: Command) {
  const { admin, app } = world
  const path = (id: string) => `/app/${app}/checklistItem/${id}`
  if (c.do === 'create') {
    const { id } = await world.item('regressionItem', { title: 'new', releaseTypes: c.types })
    model.ids.push(id)
    model.templates.set(id, { title: 'new', types: c.types })
    model.spread(id)
    return
  }
  if (c.do === 'complete') {
    if (model.releases.first.state === 'completed') return
    await complete(world, names.first)
    model.complete()
    return
  }
  const id = model.ids[c.item % Math.max(1, model.ids.length)]
  if (id === undefined) return
  const template = model.templates.get(id)
  switch (c.do) {
    case 'retitle':
    case 'retype': {
      const changes = c.do === 'retitle' ? { title: c.title } : { releaseTypes: c.types }
      const { status } = await admin.put(path(id), changes)
      if (status !== (template ? 200 : 404)) throw new Error(`${c.do} answered ${status}`)
      if (!template) return
      const before = JSON.stringify(template)
      if (c.do === 'retitle') template.title = c.title
      else template.types = c.types
      if (JSON.stringify(template) !== before) model.spread(id)
      return
    }
    case 'delete': {
      const { status } = await admin.delete(`/app/${app}/regressionItems/batch`, { ids: [id] })
      if (status !== (template ? 200 : 422)) throw new Error(`delete answered ${status}`)
      if (template && model.templates.delete(id)) model.spread(id)
      return
    }
    case 'status':
    case 'comment': {
      const { state, items } = model.releases[c.release]
      const entry = items.get(id)
      const expected = !entry ? 404 : state === 'completed' ? 409 : 200
      const target = `/app/${app}/release/${names[c.release]}/checklistItem/${id}/${c.do}`
      const body = c.do === 'status' ? { status: c.status } : { comment: c.comment }
      const { status } = await admin.put(target, body)
      if (status !== expected) throw new Error(`${c.do} answered ${status}, not ${expected}`)
      if (!entry || expected !== 200) return
      if (c.do === 'comment') entry.comment = c.comment
      else if (entry.status !== c.status) {
        entry.status = c.status
        model.events++
      }
    }
  }
}

async function observed(world: ItemWorld, releaseId: string): Promise<Map<string, ItemState>> {
  const { body } = await world.admin.get(`/app/${world.app}/release/${releaseId}/checklistItems`)
  return new Map(
    body.map(({ id, title, status }: any) => [
      id,
      { title, status: status.type, comment: status.comment?.text ?? null },
    ])
  )
}

const sorted = (items: Map<string, ItemState>) =>
  [...items]
    .map(([id, { title, status, comment }]) => [id, title, status, comment])
    .sort((a, b) => (a[0]! < b[0]! ? -1 : 1))

test('items follow their templates through any sequence of writes', async ({ assert }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 20 }), async (commands) => {
      const world = await makeItemWorld()
      const names = { first: world.releaseId, next: await world.release({ version: '1.1.0' }) }
      const model = new Model()
      for (const each of commands) {
        await run(world, names, model, each)
        for (const name of ['first', 'next'] as const) {
          const shown = await observed(world, names[name])
          assert.deepEqual(sorted(shown), sorted(model.releases[name].items), JSON.stringify(each))
        }
      }
      const events = await world.world.events()
      const changes = events.filter(({ type }) => type === 'checklistItem.statusChanged')
      assert.lengthOf(changes, model.events)
      const numbers = events.flatMap(({ sequence }) => sequence ?? [])
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1)
      )
    }),
    { numRuns: runs(12) }
  )
})
