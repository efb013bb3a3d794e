import fc from 'fast-check'
import { test } from '@japa/runner'
import { recordStepFacts } from '#releases/tests/helpers/release_world'
import { unsoundness } from '#releases/tests/helpers/soundness'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'
import {
  errorsOfEdit,
  stepGroupsOf,
  misplacedItems,
  wrongFlags,
  type Before,
  type ShownStep,
  type ShownItem,
  type WrittenStep,
  type WrittenWorkflow,
} from './workflow_oracle.js'
import { NAMES, tweak, tweaked, workflow, type Tweak } from './workflow_generators.js'
import {
  labelled,
  sameInRelease,
  sameInWorkflow,
  wrongIdentities,
  type AppStep,
  type KnownStep,
} from './workflow_identities.js'
import { runs } from '#tests/support/effort'

const progress = fc.oneof(
  fc.constant({ step: 'kickoff' as const }),
  fc.record({
    step: fc.constantFrom(...NAMES.regressionTesting!),
    status: fc.constantFrom('failed', 'passed', 'inProgress'),
  }),
  fc.record({
    step: fc.constantFrom(...NAMES.approvals!, ...NAMES.metadata!, 'screenshots'),
    approved: fc.boolean(),
  }),
  fc.record({
    step: fc.constant('betaTesting' as const),
    facts: fc.constantFrom({ state: 'available' }, { state: 'inReview' }),
  }),
  fc.record({
    step: fc.constant('submission' as const),
    facts: fc.constantFrom(
      { selectedBuild: true, submitted: false, invalidBinary: false },
      { selectedBuild: true, submitted: true, invalidBinary: false }
    ),
  }),
  fc.record({
    step: fc.constant('takeoff' as const),
    facts: fc.constant({ pending: true, released: false, notBefore: null }),
  })
)
type Progress = typeof progress extends fc.Arbitrary<infer Value> ? Value : never

const KINDS = {
  regressionItem: { type: 'regressionTesting', statuses: ['passed', 'failed'] },
  // Only rejections: an approval lapses with what it was given for.
  approval: { type: 'approvals', statuses: ['rejected'] },
} as const

const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ edit: workflow }) },
  { weight: 4, arbitrary: fc.record({ tweak }) },
  { weight: 3, arbitrary: fc.record({ work: progress }) },
  {
    weight: 1,
    arbitrary: fc.record({ make: fc.constantFrom('regressionItem' as const, 'approval' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ decide: fc.nat(5), dice: fc.nat(1) }) }
)

type Known = Omit<Before, 'steps'> & { steps: KnownStep[]; readyToSubmit: boolean }

/**
 * Returns the known state of a release, with its steps under their names before and after an edit.
 */
function underNames(
  known: Known,
  { steps: before }: Known,
  names: ReadonlyMap<string, string>
): Known {
  const steps = labelled(known.steps, names, new Set(before.map(({ id }) => id)))
  const nameOf = new Map(steps.map(({ id, name }) => [id, name]))
  const items = [...known.items].map(
    ([id, { step, isTouched }]) => [id, { step: nameOf.get(step)!, isTouched }] as const
  )
  const touched = [...known.touched].map((id) => nameOf.get(id)!)
  return { ...known, steps, items: new Map(items), touched: new Set(touched) }
}

/** An app with an active and an upcoming release, and the steps worked on in the active one. */
class Walk {
  /** Ids of steps that were worked on. */
  readonly touched = new Set<string>()
  /** The last workflow names of the releases' steps, by step id. */
  readonly #called = new Map<string, string>()
  /** The items of the app. */
  readonly items: { id: string; collection: keyof typeof KINDS }[] = []

  private constructor(
    readonly world: World,
    readonly app: string,
    private present: WrittenWorkflow
  ) {}

  /** Steps removed by small changes. */
  readonly #gone: WrittenStep[] = []

  static async begin(world: World, start: WrittenWorkflow): Promise<Walk> {
    const app = await makeApp(world, stepGroupsOf(start))
    for (const version of ['1.0.0', '1.1.0']) {
      await world.admin.post(`/app/${app.id}/release`, { version })
    }
    const walk = new Walk(world, app.id, start)
    for (const collection of ['regressionItem', 'regressionItem', 'approval', 'approval'] as const)
      await walk.make(collection)
    return walk
  }

  /** Returns the workflow as the app shows it. */
  async workflow(): Promise<AppStep[]> {
    const { body } = await this.world.admin.get(`/app/${this.app}`)
    return body.steps
  }

  async before(version: string): Promise<Known> {
    const path = `/v2/app/${this.app}/releases/${this.app}:${version}`
    const { body } = await this.world.admin.get(path)
    const called = new Map((await this.workflow()).map(({ id, name }) => [id, name]))
    const steps: KnownStep[] = body.steps.map((step: ShownStep & { stepConfigId: string }) => {
      const name = called.get(step.stepConfigId) ?? this.#called.get(step.id) ?? step.name
      this.#called.set(step.id, name)
      return { ...step, calledAs: name }
    })
    const worked = steps.filter(({ status, id }) => status !== 'notStarted' || this.has(id))
    const items = new Map<string, ShownItem>()
    for (const { id: step, data } of body.steps) {
      for (const { id, status } of data?.items ?? []) {
        items.set(id, { step, isTouched: status.type !== 'notStarted' })
      }
    }
    return {
      steps,
      items,
      touched: new Set(worked.map(({ id }) => id)),
      isActive: body.status === 'active',
      isKickedOff: body.kickedOffAt !== null,
      readyToSubmit: body.readyToSubmit,
    }
  }

  has = (stepId: string) => this.touched.has(stepId)

  /** Adds an item to the app. It is refused without a matching step. */
  async make(collection: keyof typeof KINDS): Promise<void> {
    const path = `/app/${this.app}/${collection}`
    const { status, body } = await this.world.admin.post(path, { title: 'Pay' })
    if (status === 201) this.items.push({ id: body.id, collection })
  }

  /** Sets the status of an item of the active release. */
  async decide(index: number, dice: number): Promise<void> {
    if (this.items.length === 0) return
    const { id, collection } = this.items[index % this.items.length]
    const { step } = (await this.before('1.0.0')).items.get(id) ?? {}
    if (step === undefined) return
    const { statuses } = KINDS[collection]
    const path = `/app/${this.app}/release/${this.app}:1.0.0/checklistItem/${id}/status`
    const { status } = await this.world.admin.put(path, {
      status: statuses[dice % statuses.length],
    })
    if (status === 200) this.touched.add(step)
  }

  async work(requested: Progress): Promise<void> {
    const { admin } = this.world
    const path = `/app/${this.app}/release/${this.app}:1.0.0`
    const { steps } = await this.before('1.0.0')
    const step = steps.find(({ name }) => name === requested.step)
    if (requested.step === 'kickoff') return void (await admin.put(`${path}/kickoff`))
    if (!step) return
    if ('facts' in requested) {
      await recordStepFacts(this, '1.0.0', requested.step, requested.facts)
      this.touched.add(step.id)
      return
    }
    const response =
      'status' in requested
        ? await admin.put(`${path}/step/${step.stepRunId}/regressionStatus`, {
            status: requested.status,
          })
        : await admin.put(`${path}/stepRun/${step.stepRunId}/approval`, {
            approved: 'approved' in requested && requested.approved,
          })
    const changed = (await this.before('1.0.0')).steps.find(({ id }) => id === step.id)!
    const { approved = true } = requested as { approved?: boolean }
    // A withdrawn approval still records who withdrew it, and when.
    const leavesTrace = step.type === 'approvals' || approved || changed.status !== step.status
    if (response.status === 200 && leavesTrace) this.touched.add(step.id)
  }

  tweak(how: Tweak): Promise<string[]> {
    return this.edit(tweaked(this.present, this.#gone, how))
  }

  async edit(wanted: WrittenWorkflow): Promise<string[]> {
    const isSame = stepGroupsOf(wanted) === stepGroupsOf(this.present)
    this.present = wanted
    const expected = sameInWorkflow(await this.workflow(), wanted)
    const versions = ['1.0.0', '1.1.0']
    const before = await Promise.all(versions.map((version) => this.before(version)))
    const path = `/app/${this.app}/app/config`
    const text = stepGroupsOf(wanted)
    const dry = await sendYaml(this.world.admin, 'PATCH', `${path}?dryRun=true`, text)
    const untouched = await Promise.all(versions.map((version) => this.before(version)))
    const reported = (await this.world.events()).filter(({ sequence }) => sequence !== null).length
    const response = await sendYaml(this.world.admin, 'PATCH', path, text)
    const errors: string[] = []
    if (response.status !== 200) errors.push(response.text)
    if (JSON.stringify(untouched) !== JSON.stringify(before)) errors.push('the dry run wrote')
    const ids = new Map((await this.workflow()).map(({ id, name }) => [name, id]))
    for (const [name, same] of expected) {
      if (same && ids.get(name) !== same.id) errors.push(`${same.name} is not ${name} now`)
    }

    const events = (await this.world.events()).filter(({ sequence }) => sequence !== null)
    if (isSame) {
      // Nothing is moved: a step that was kept because it was complete may be empty now.
      const after = await Promise.all(versions.map((version) => this.before(version)))
      const isLeft = JSON.stringify(after) === JSON.stringify(before) && events.length === reported
      if (!isLeft || dry.body.length > 0) errors.push('an edit of nothing changed something')
      return errors
    }
    for (const [index, version] of versions.entries()) {
      const after = await this.before(version)
      const note = (fault: string) => errors.push(`${version}: ${fault}`)
      const held = before[index].isActive ? before[index].touched : new Set<string>()
      const names = sameInRelease(before[index].steps, wanted, held, ids)
      wrongIdentities(before[index].steps, after.steps, names, held).forEach(note)
      const [was, is] = [before[index], after].map((each) => underNames(each, before[index], names))
      errorsOfEdit(was, wanted, is.steps, after.readyToSubmit).forEach(note)
      wrongFlags(was, wanted, is.steps).forEach(note)
      const types = new Map(
        this.items.map(({ id, collection }) => [id, KINDS[collection].type] as const)
      )
      misplacedItems(was, wanted, is, types).forEach(note)

      const releaseId = `${this.app}:${version}`
      const caused = events
        .slice(reported)
        .filter(({ payload }) => payload.release?.id === releaseId)
        .map(({ type }) => type)
      const planned = dry.body.filter((entry: any) => entry.releaseId === releaseId)
      if (`${planned.flatMap((entry: any) => entry.events)}` !== `${caused}`) {
        note(`planned ${JSON.stringify(planned)}, caused ${caused}`)
      }
      const changed = JSON.stringify(before[index].steps) !== JSON.stringify(after.steps)
      const places = (steps: readonly ShownStep[]) =>
        steps.map(({ id, name, groupIndex }) => `${groupIndex} ${id} ${name}`).join()
      const moved = places(before[index].steps) !== places(after.steps)
      if (moved && planned.length !== 1) note('changed, and the dry run did not say so')
      if (!changed && planned.length > 0)
        note(`planned ${JSON.stringify(planned)}, nothing changed`)
      if (planned.length > 0 && planned[0].to.readyToSubmit !== after.readyToSubmit) {
        note('planned another readiness')
      }
    }
    return errors
  }
}

test.group('An edit of the workflow of an app', () => {
  test('places every step of its releases and keeps what was worked on, whatever the progress', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await fc.assert(
      fc.asyncProperty(
        workflow,
        fc.array(command, { minLength: 8, maxLength: 20, size: 'max' }),
        async (start, commands) => {
          const walk = await Walk.begin(world, start)
          for (const each of commands) {
            if ('work' in each) await walk.work(each.work)
            else if ('make' in each) await walk.make(each.make)
            else if ('decide' in each) await walk.decide(each.decide, each.dice)
            else if ('tweak' in each) assert.deepEqual(await walk.tweak(each.tweak), [])
            else assert.deepEqual(await walk.edit(each.edit), [])
          }
        }
      ),
      {
        numRuns: runs(18),
        endOnFailure: false,
        interruptAfterTimeLimit: 200_000,
        markInterruptAsFailure: true,
      }
    )
    assert.deepEqual(await unsoundness(world), [])
  }).timeout(300_000)
})
