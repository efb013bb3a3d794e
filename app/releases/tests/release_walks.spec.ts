import fc from 'fast-check'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { defaultGroups } from '#organizations/vocabulary'
import { REGRESSION_STATUSES } from '#releases/vocabulary'
import { makeApp } from '#tests/support/app_fixture'
import type { Api } from '#tests/support/api'
import { assertEventDeclared } from '#tests/support/contract'
import { makeWorld } from '#tests/support/world'
import {
  derived,
  ReleaseModel,
  TARGETS,
  VERSIONS,
  type Command,
  type ItemKind,
  type ModelActor,
  type ModelVersion,
} from './helpers/release_model.js'
import { makeItem } from './helpers/release_world.js'
import { unevaluated, unsoundness } from './helpers/soundness.js'
import { runs } from '#tests/support/effort'

const DATES = ['2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z', '2026-12-03T00:00:00.000Z']
const ITEM_STATUSES = [
  'notStarted',
  'inProgress',
  'complete',
  'approved',
  'passed',
  'blocked',
  'rejected',
  'notApplicable',
]

const DONE: Record<ItemKind, string> = {
  checklist: 'complete',
  approval: 'approved',
  regression: 'passed',
}

const version = fc.constantFrom(...VERSIONS)
const kind = fc.constantFrom('release' as const, 'release' as const, 'hotfix' as const)
const target = fc.constantFrom(...DATES, null)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: fc.constant('create' as const), version, kind }) },
  {
    weight: 12,
    arbitrary: fc.record({
      ask: fc.constantFrom('skip', 'unskip', 'unskip', 'kickoff', 'kickoff'),
      version,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ask: fc.constantFrom('complete', 'delete'), version }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      ask: fc.constant('item' as const),
      version,
      kind: fc.constantFrom('checklist' as const, 'approval' as const, 'regression' as const),
      status: fc.constantFrom(...ITEM_STATUSES, ...Array<string>(12).fill('done')),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ask: fc.constant('regression' as const),
      version,
      status: fc.constantFrom(...REGRESSION_STATUSES, 'inProgress'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant('approve' as const),
      version,
      approved: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant('rename' as const),
      version,
      name: fc.constantFrom('Winter', 'Summer'),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant('plan' as const),
      version,
      targets: fc.record(
        { targetKickoffAt: target, targetSubmitAt: target, targetReleaseAt: target },
        { requiredKeys: [] }
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ask: fc.constant('renumber' as const), version, to: version }),
  },
  { weight: 3, arbitrary: fc.record({ ask: fc.constant('turn' as const), version, kind }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ask: fc.constant('describe' as const),
      version,
      value: fc.integer({ min: 0, max: 2 }),
    }),
  }
)

/**
 * One call of a walk. Most calls are by the admin and for an existing release, so that they have an
 * effect. The status `done` is replaced by the done status of the item's kind.
 */
const step = fc.record({
  command,
  actor: fc.integer({ min: 0, max: 19 }),
  present: fc.option(fc.nat({ max: 2 }), { freq: 10 }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Every walk begins with three releases. */
const START: Step[] = (['1.0.1', '1.10.0', '1.9.0'] as const).map((each) => ({
  command: { ask: 'create', version: each, kind: 'release' },
  actor: 0,
  present: null,
}))

function callOf({ command: wanted, present }: Step, model: ReleaseModel): Command {
  const call =
    wanted.ask === 'item' && wanted.status === 'done'
      ? { ...wanted, status: DONE[wanted.kind] }
      : wanted
  const isSkipped = (each: ModelVersion) => model.releases.get(each)?.status === 'skipped'
  const hasSkipped = VERSIONS.some(isSkipped)
  const versions = VERSIONS.filter((each) =>
    call.ask === 'unskip' && hasSkipped ? isSkipped(each) : model.releases.has(each)
  )
  if (call.ask === 'create' || present === null || versions.length === 0) return call
  return { ...call, version: versions[present % versions.length] }
}

/** Sends a call to the API. */
function send(client: Api, app: string, items: Record<ItemKind, string>, call: Command) {
  const path = `/app/${app}/release/${app}:${call.version}`
  switch (call.ask) {
    case 'create':
      return client.post(`/app/${app}/release`, {
        version: call.version,
        releaseType: call.kind,
        ...(call.kind === 'hotfix' ? { baseTag: { name: VERSIONS[0] } } : {}),
      })
    case 'rename': {
      const headers = { 'if-match': call.stale ? '"stale"' : '*' }
      return client.put(path, { releaseName: call.name }, { headers })
    }
    case 'plan':
      return client.put(path, call.targets)
    case 'renumber':
      return client.put(path, { version: call.to })
    case 'turn':
      return client.put(path, { releaseType: call.kind })
    case 'describe':
      return client.put(`${path}/metadata`, { entries: [{ key: 'value', value: call.value }] })
    case 'item':
      return client.put(`${path}/checklistItem/${items[call.kind]}/status`, { status: call.status })
    case 'regression':
      return client.put(`${path}/regressionStatus`, { status: call.status })
    case 'approve':
      return client.put(`${path}/approval/screenshots`, { approved: call.approved })
    case 'delete':
      return client.delete(path)
    default:
      return client.put(`${path}/${call.ask}`)
  }
}

/** Converts an event to the form of the model. */
function reported(type: string, payload: any): string {
  switch (type) {
    case 'releaseStep.statusChanged': {
      const [changed] = payload.releaseSteps
      return `${type} ${changed.type} ${payload.previousStatus} ${changed.status}`
    }
    case 'release.regressionStatusUpdated':
      return `${type} ${payload.previous.regressionStatus} ${payload.release.regressionStatus}`
    case 'checklistItem.statusChanged': {
      const { kind: itemKind, status } = payload.checklistItem
      return `${type} ${itemKind} ${payload.previousStatus} ${status.type}`
    }
    default:
      return type
  }
}

/** Creates keys of one organization, one restricted to another app, and one of a stranger. */
async function makeActors() {
  const world = await makeWorld()
  const elsewhere = await makeApp(world)
  const stranger = await makeWorld()
  const actors: (ModelActor & { client: Api })[] = [
    { name: 'admin', client: world.admin, may: () => true, hasGroups: false },
    { name: 'reader', client: await world.keyed(), may: () => false, hasGroups: false },
    {
      name: 'elsewhere',
      client: await world.keyed({ groups: ['Release Pilots'], appIds: [elsewhere] }),
      may: () => true,
      hasGroups: true,
      always: 403,
    },
    {
      name: 'stranger',
      client: stranger.admin,
      may: () => true,
      hasGroups: false,
      always: 404,
    },
  ]
  for (const name of ['Release Pilots', 'Product Managers', 'QA', 'Approvers', 'Engineers']) {
    const group = defaultGroups.find((each) => each.name === name)!
    actors.push({
      name,
      client: await world.keyed({ groups: [name] }),
      may: (action) => group.userActions.some((each) => each === action),
      hasGroups: true,
    })
  }
  return { world, stranger, actors }
}

test.group('Walks over the operations of releases', () => {
  test('releases, train, steps and events match the model after every call', async ({ assert }) => {
    const { world, stranger, actors } = await makeActors()
    let sequence = 0

    const newEvents = async () => {
      const rows: { type: string; sequence: number; payload: string }[] = await db
        .from('events')
        .where('organization_id', world.organizationId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
      return rows.map((row) => {
        sequence += 1
        assert.equal(Number(row.sequence), sequence, 'no number is missing')
        const payload = JSON.parse(row.payload)
        assertEventDeclared(row.type, payload)
        return reported(row.type, payload)
      })
    }

    const compare = async (app: string, model: ReleaseModel, after: string) => {
      const { body } = await world.admin.get(
        `/v2/app/${app}/releases?limit=200&include=customMetadata`
      )
      const shown = [...model.releases.values()].map((release) => {
        const { regressionStatus, readyToSubmit, phase } = derived(release)
        return {
          ...release.targets,
          id: `${app}:${release.version}`,
          status: release.status,
          isHotfix: release.kind === 'hotfix',
          isKickedOff: release.kickedOff,
          releaseName: release.name,
          value: release.value,
          regressionStatus,
          readyToSubmit,
          phase,
        }
      })
      const found = body.data.map((release: any) => ({
        ...Object.fromEntries(TARGETS.map((name) => [name, release[name]])),
        id: release.id,
        status: release.status,
        isHotfix: release.releaseType === 'hotfix',
        isKickedOff: release.kickedOffAt !== null,
        releaseName: release.releaseName,
        value: release.customMetadata?.entries[0].value ?? null,
        regressionStatus: release.regressionStatus,
        readyToSubmit: release.readyToSubmit,
        phase: release.phase,
      }))
      assert.sameDeepMembers(found, shown, after)
      const rows = await db
        .from('release_steps')
        .join('releases', 'releases.id', 'release_steps.release_id')
        .where('releases.app_id', app)
        .select('releases.version', 'release_steps.type', 'release_steps.status')
      assert.sameDeepMembers(
        rows.map((row) => ({ ...row })),
        [...model.releases.values()].flatMap((release) =>
          Object.entries(derived(release).steps).map(([type, status]) => ({
            version: release.version,
            type,
            status,
          }))
        ),
        after
      )
    }

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }),
        async (walk) => {
          const app = await makeApp(world)
          const train = { admin: world.admin, app }
          const items: Record<ItemKind, string> = {
            checklist: await makeItem(train, { kind: 'checklist', stepType: 'approvals' }),
            approval: await makeItem(train, { kind: 'approval', stepType: 'approvals' }),
            regression: await makeItem(train, {
              kind: 'regression',
              stepType: 'regressionTesting',
            }),
          }
          const model = new ReleaseModel()
          for (const taken of [...START, ...walk]) {
            const call = callOf(taken, model)
            const actor = actors[taken.actor] ?? actors[0]
            const after = `${actor.name}: ${JSON.stringify(call)}`
            const expected = model.play(call, actor)
            const response = await send(actor.client, app, items, call)
            assert.equal(response.status, expected.status, `${after} ${response.text}`)
            assert.deepEqual(await newEvents(), expected.events, after)
            await compare(app, model, after)
            if (response.status < 300) assert.isEmpty(await unevaluated(world, app), after)
          }
        }
      ),
      // A failing walk is shortened for as long as there is time.
      { numRuns: runs(10), interruptAfterTimeLimit: 60_000 }
    )
    assert.isEmpty(await unsoundness(world))
    assert.isEmpty(await stranger.events())
  })
})
