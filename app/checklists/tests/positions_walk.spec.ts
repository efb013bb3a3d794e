import fc from 'fast-check'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeItemWorld, type ItemWorld } from './helpers/items.js'
import { runs } from '#tests/support/effort'

/*
 * Runs random sequences of writes to items. Afterwards no two items of a step share a position, and
 * a release shows its items by position.
 */

const STEPS = [
  { type: 'kickoff' },
  { type: 'regressionTesting', name: 'By hand' },
  { type: 'regressionTesting', name: 'By machine' },
  { type: 'approvals' },
] as const

const position = fc.option(fc.nat(4), { nil: undefined, freq: 2 })
/** One of the four steps by its id, or the first of its type. */
const place = fc.record({ step: fc.nat(3), byId: fc.boolean() })
const nth = fc.nat(40)
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      kind: fc.constantFrom(
        'checklistItem' as const,
        'approval' as const,
        'regressionItem' as const
      ),
      place,
      position,
      oneOff: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), nth, place, position }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('touch' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const) }) }
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

class Walk {
  readonly #items: { id: string; kind: string }[] = []
  readonly #releases: string[]
  #version = 0

  constructor(
    private readonly world: ItemWorld,
    private readonly stepIds: readonly string[]
  ) {
    this.#releases = [world.releaseId]
  }

  async do(action: Command): Promise<void> {
    const { admin, app, releaseId } = this.world
    if (action.do === 'release') {
      const version = `1.${++this.#version}.0`
      this.#releases.push(await this.world.release({ version }))
      return
    }
    if (action.do === 'create') {
      const { kind, position: at, oneOff, place: where } = action
      const { body, status } = await admin.post(`/app/${app}/${kind}`, {
        title: `${kind} ${this.#items.length}`,
        ...(kind === 'checklistItem' && this.#placement(where)),
        ...(at !== undefined && { position: at }),
        ...(oneOff && { releaseId }),
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      this.#items.push({ id: body.id, kind })
      return
    }
    const item = this.#items[action.nth % Math.max(1, this.#items.length)]
    if (!item) return
    const path = `/app/${app}/checklistItem/${item.id}`
    if (action.do === 'move') {
      await admin.put(path, {
        placement: { ...this.#placement(action.place), position: action.position },
      })
    } else if (action.do === 'touch') {
      await admin.put(`/app/${app}/release/${releaseId}/checklistItem/${item.id}/comment`, {
        comment: 'Seen',
      })
    } else {
      await admin.delete(`/app/${app}/regressionItems/batch`, { ids: [item.id] })
    }
  }

  #placement({ step, byId }: { step: number; byId: boolean }) {
    return byId ? { stepConfigId: this.stepIds[step] } : { stepType: STEPS[step].type }
  }

  /** Returns every violation of the two rules, in words. */
  async errors(): Promise<string[]> {
    const { admin, app } = this.world
    const errors: string[] = []
    for (const releaseId of this.#releases) {
      const { body } = await admin.get(`/app/${app}/release/${releaseId}/checklistItems`)
      for (const stepConfigId of this.stepIds) {
        const shown = body.filter((each: any) => each.placement.stepConfigId === stepConfigId)
        const at: number[] = shown.map((each: any) => each.placement.position)
        if (at.some((each, index) => index > 0 && each <= at[index - 1])) {
          errors.push(`${releaseId} shows ${at}`)
        }
      }
      for (const each of body) {
        const path = `/app/${app}/checklistItem/${each.id}?releaseId=${releaseId}`
        const one = (await admin.get(path)).body
        if (one.placement.position !== each.placement.position) {
          errors.push(`${each.title} is at ${one.placement.position} when it is asked for alone`)
        }
      }
    }
    const templates = await db
      .from('checklist_items as c')
      .leftJoin('step_configs as s', 's.id', 'c.step_config_id')
      .where('c.app_id', app)
      .whereNull('c.deleted_at')
      .select('c.position', 'c.release_id', db.raw('coalesce(c.step_type, s.type) as type'))
    const places = templates.map((row) => `${row.release_id} ${row.type} ${row.position}`)
    if (new Set(places).size < places.length) errors.push(`the app has ${places.sort()}`)
    return errors
  }
}

test('no two items of a step share a position, through any sequence of writes', async ({
  assert,
}) => {
  const required = { standard: { required: true }, hotfix: { required: true } }
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 8, maxLength: 24, size: 'max' }),
      async (commands) => {
        const steps = STEPS.map((step) => ({ ...step, releaseTypes: required }))
        const world = await makeItemWorld({ steps })
        const app = (await world.admin.get(`/app/${world.app}`)).body
        const walk = new Walk(
          world,
          app.steps.map((each: { id: string }) => each.id)
        )
        for (const each of commands) await walk.do(each)
        assert.deepEqual(await walk.errors(), [])
      }
    ),
    { numRuns: runs(20), interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true }
  )
}).timeout(200_000)

test('a one-off goes to the given position, before the template with that position', async ({
  assert,
}) => {
  const world = await makeItemWorld()
  for (const title of ['a', 'b']) await world.item('regressionItem', { title })
  const { releaseId } = world
  await world.item('regressionItem', { title: 'last', releaseId })
  await world.item('regressionItem', { title: 'first', releaseId, position: 0 })
  const { body } = await world.admin.get(`/app/${world.app}/release/${releaseId}/checklistItems`)
  assert.deepEqual(
    body.map((each: any) => [each.title, each.placement.position]),
    [
      ['first', 0],
      ['a', 1],
      ['b', 2],
      ['last', 3],
    ]
  )
})
