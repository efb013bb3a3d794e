import { test } from '@japa/runner'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { currentDocument } from '#foundation/api/openapi/current_document'
import { RELEASE_STEP_TYPES, type ReleaseStepType } from '#workflow/vocabulary'
import { neutralPart } from '../engine/facts.js'
import { makeTrain, makeItem, recordStepFacts, reported } from './helpers/release_world.js'

/*
 * Tests that the data of steps and runs depends on their type, and that no stored value is shown
 * unconverted. Every answer is also checked against the OpenAPI document
 * (`tests/support/contract.ts`).
 */

const everyStep = () =>
  makeTrain(['1.0.0'], { steps: RELEASE_STEP_TYPES.map((type) => ({ type })) })

type Train = Awaited<ReturnType<typeof everyStep>>

async function runOf(train: Train, type: ReleaseStepType) {
  const { stepRunId } = await train.step('1.0.0', type)
  return (await train.admin.get(`${train.path('1.0.0')}/stepRun/${stepRunId}`)).body
}

const decision = { comment: null, decidedBy: null, decidedAt: null }
const builds = { activeBuild: null, lockedBuildId: null, builds: 0 }

/** The initial data of runs. */
const FIRST_RUN_DATA: Record<ReleaseStepType, object> = {
  kickoff: {},
  featureReadiness: {},
  translations: {},
  rollbackBuild: builds,
  releaseCandidate: builds,
  regressionTesting: {
    regressionStatus: null,
    comment: null,
    url: null,
    setBy: null,
    setAt: null,
    testRuns: [],
  },
  betaTesting: { distributions: [] },
  screenshots: { approved: false, ...decision },
  metadata: { localizations: [], editedBy: null, approved: false, ...decision },
  approvals: { approved: null, ...decision },
  submission: { selectedBuilds: [], submittedAt: null, submissionId: null },
  storeReview: {},
  takeoff: {},
  rollout: {
    phased: {
      enabled: false,
      status: 'notStarted',
      percentage: 0,
      day: null,
      startedAt: null,
      automated: false,
    },
    adoption: null,
    health: [],
    flagChanges: [],
  },
}

const store = { appStoreVersion: null, selectedBuild: null }

/** The initial data of steps. */
const FIRST_STEP_DATA: Record<ReleaseStepType, object> = {
  kickoff: { branch: null, bump: null },
  featureReadiness: { total: 0, ready: 0, notReady: 0, ignored: 0 },
  translations: {},
  rollbackBuild: {},
  releaseCandidate: {},
  regressionTesting: { regressionStatus: 'notStarted', verdict: null, items: [], testRuns: [] },
  betaTesting: {},
  screenshots: {},
  metadata: {},
  approvals: { items: [], approvedCount: 0, totalCount: 0 },
  submission: store,
  storeReview: store,
  takeoff: store,
  rollout: store,
}

/** Facts that differ from the initial ones, by type. */
const FACTS_TO_SHOW: Record<ReleaseStepType, Record<string, unknown>> = {
  kickoff: { blockedReason: 'The branch exists.' },
  featureReadiness: { counts: { ready: 1, notReady: 1, ignored: 1, missing: 1 } },
  translations: { locales: [{ locale: 'de', percentage: 50 }] },
  rollbackBuild: { activeBuild: 'running' },
  releaseCandidate: { activeBuild: 'failed' },
  regressionTesting: { handSet: 'inProgress' },
  betaTesting: { state: 'inReview' },
  screenshots: { edited: true, approved: false },
  metadata: { edited: true, approved: true },
  approvals: { handSet: false },
  submission: { selectedBuild: true, invalidBinary: false, submitted: false },
  storeReview: { state: 'waiting' },
  takeoff: { pending: true, released: false, notBefore: '2030-01-01T00:00:00.000Z' },
  rollout: {
    state: 'active',
    percentage: 20,
    nextStage: { at: '2030-01-01T00:00:00.000Z', percentage: 50 },
  },
}

/** Returns the names of all members in a value, recursively. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return Object.entries(value).flatMap(([name, each]) => [name, ...namesIn(each)])
}

const schemas = () => (currentDocument().components as { schemas: Record<string, any> }).schemas

test.group('Data of step runs', () => {
  for (const type of RELEASE_STEP_TYPES) {
    test(`of ${type} follows its model from the start`, async ({ assert }) => {
      const train = await everyStep()
      const { body: run } = await train.admin.get(
        `${train.path('1.0.0')}/stepRun/${(await train.step('1.0.0', type)).stepRunId}`
      )
      assert.deepEqual(run.data, FIRST_RUN_DATA[type])
      const ofConfig = await train.admin.get(
        `/app/${train.app}/stepConfig/${run.stepConfigId}/release/${train.app}:1.0.0/stepRun`
      )
      assert.deepEqual(ofConfig.body, run)
      assert.deepEqual((await train.step('1.0.0', type)).data, FIRST_STEP_DATA[type])
    })
  }

  test('shows the decisions with their authors and comments', async ({ assert }) => {
    const train = await everyStep()
    const { admin, path } = train
    const at = async (type: ReleaseStepType, part = 'stepRun') =>
      `${path('1.0.0')}/${part}/${(await train.step('1.0.0', type)).stepRunId}`
    const by = { type: 'apiKey', name: 'admin' }

    await admin.put(`${await at('screenshots')}/approval`, { approved: true, comment: 'Fine' })
    assert.containsSubset((await runOf(train, 'screenshots')).data, {
      approved: true,
      comment: 'Fine',
      decidedBy: by,
    })
    const texts = { locale: 'en-US', whatsNew: 'Faster' }
    await admin.put(`${await at('metadata')}/metadata`, { localizations: [texts] })
    assert.containsSubset((await runOf(train, 'metadata')).data, {
      localizations: [texts],
      editedBy: by,
      approved: false,
      decidedBy: null,
    })
    await admin.put(`${await at('approvals')}/approval`, { approved: false })
    assert.containsSubset((await runOf(train, 'approvals')).data, {
      approved: false,
      decidedBy: by,
    })
    const url = 'https://tests.example/1'
    const given = { status: 'failed', comment: 'Crash', url }
    await admin.put(`${await at('regressionTesting', 'step')}/regressionStatus`, given)
    assert.containsSubset((await runOf(train, 'regressionTesting')).data, {
      regressionStatus: 'failed',
      comment: 'Crash',
      url,
      setBy: by,
    })
  })

  test('shows the progress of a rollout', async ({ assert }) => {
    const train = await everyStep()
    await recordStepFacts(train, '1.0.0', 'rollout', FACTS_TO_SHOW.rollout)
    assert.containsSubset((await runOf(train, 'rollout')).data.phased, {
      enabled: true,
      status: 'active',
      percentage: 20,
      automated: true,
    })
  })

  test('of a past run does not change', async ({ assert }) => {
    const train = await everyStep()
    const { admin, path } = train
    await admin.put(`${path('1.0.0')}/regressionStatus`, { status: 'inProgress' })
    const past = await runOf(train, 'regressionTesting')
    await admin.put(`${path('1.0.0')}/skip`)
    await admin.put(`${path('1.0.0')}/unskip`)
    const { body } = await admin.get(`${path('1.0.0')}/stepRun/${past.id}`)
    assert.deepEqual(body.data, past.data)
    assert.equal(body.data.regressionStatus, 'inProgress')
    assert.deepEqual(
      (await runOf(train, 'regressionTesting')).data,
      FIRST_RUN_DATA.regressionTesting
    )
  })
})

test.group('Stored facts and notes of steps', () => {
  test('appear in no answer and no event under their own names', async ({ assert }) => {
    const train = await everyStep()
    const { admin, app, path, world } = train
    await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    for (const type of RELEASE_STEP_TYPES) {
      await recordStepFacts(train, '1.0.0', type, FACTS_TO_SHOW[type])
    }
    const { body: steps } = await admin.get(`${path('1.0.0')}/steps`)
    const shown: unknown[] = [steps]
    for (const { id, stepRunId, stepConfigId } of steps) {
      for (const at of [
        `${path('1.0.0')}/step/${id}`,
        `${path('1.0.0')}/stepRun/${stepRunId}`,
        `/app/${app}/stepConfig/${stepConfigId}/release/${app}:1.0.0/stepRun`,
      ]) {
        const { status, body } = await admin.get(at)
        assert.equal(status, 200, at)
        shown.push(body)
      }
    }
    const wholes = [
      `/v2/app/${app}/releases`,
      `/v2/app/${app}/releases/${app}:1.0.0`,
      `${path('1.0.0')}/checklistItems`,
      `${path('1.0.0')}/timelineEvents`,
      `${path('1.0.0')}/whyNotMoving`,
    ]
    for (const at of wholes) shown.push((await admin.get(at)).body)
    shown.push(await reported(world))

    // These are also names of API members, with a meaning of their own.
    const models = new Set(['activeBuild', 'approved', 'percentage', 'selectedBuild'])
    const stored = RELEASE_STEP_TYPES.flatMap((type) => {
      assert.sameMembers(Object.keys(FACTS_TO_SHOW[type]), Object.keys(neutralPart(type).facts))
      return Object.keys(FACTS_TO_SHOW[type])
    }).filter((name) => !models.has(name))
    const names = new Set(namesIn(shown))
    for (const name of [...stored, 'facts', 'notes', 'approvedHash', 'organizationId']) {
      assert.isFalse(names.has(name), name)
    }
    assert.isTrue(names.has('phased'))
  })
})

test.group('Steps and runs in the document', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  const validator = (name: string) => {
    ajv.removeSchema('openapi.json')
    ajv.addSchema(currentDocument(), 'openapi.json')
    return ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` })
  }

  for (const name of ['ReleaseStepEntity', 'StepRunEntity']) {
    test(`${name} has the type as its discriminator`, ({ assert }) => {
      const { oneOf, discriminator } = schemas()[name]
      assert.equal(discriminator.propertyName, 'type')
      assert.sameMembers(Object.keys(discriminator.mapping), [...RELEASE_STEP_TYPES])
      const variants = new Set(Object.values(discriminator.mapping))
      assert.sameMembers(
        oneOf.map(({ $ref }: { $ref: string }) => $ref),
        [...variants]
      )
      for (const [type, place] of Object.entries<string>(discriminator.mapping)) {
        const own = schemas()[place.split('/').at(-1)!].allOf[1]
        assert.include(own.properties.type.enum, type)
        assert.sameMembers(own.required, ['type', 'data'])
      }
    })
  }

  test('data of another type is refused', async ({ assert }) => {
    const train = await everyStep()
    const isRun = validator('StepRunEntity')
    const isStep = validator('ReleaseStepEntity')
    const { body: steps } = await train.admin.get(`${train.path('1.0.0')}/steps`)
    for (const type of RELEASE_STEP_TYPES) {
      const run = await runOf(train, type)
      assert.isTrue(isRun(run), type)
      for (const other of RELEASE_STEP_TYPES) {
        if (sameModel(FIRST_RUN_DATA, type, other)) continue
        assert.isFalse(isRun({ ...run, data: FIRST_RUN_DATA[other] }), `${type} as ${other}`)
      }
      const step = steps.find((each: { type: string }) => each.type === type)
      assert.isTrue(isStep(step), type)
      for (const other of RELEASE_STEP_TYPES) {
        if (sameModel(FIRST_STEP_DATA, type, other)) continue
        assert.isFalse(isStep({ ...step, data: FIRST_STEP_DATA[other] }), `${type} as ${other}`)
      }
    }
  })
})

/** Returns whether the data of two types has the same members. */
function sameModel(
  data: Record<ReleaseStepType, object>,
  type: ReleaseStepType,
  other: ReleaseStepType
) {
  return (
    Object.keys(data[type]).every((name) => name in data[other]) &&
    isEmpty(data[type]) === isEmpty(data[other])
  )
}

const isEmpty = (value: object) => Object.keys(value).length === 0
