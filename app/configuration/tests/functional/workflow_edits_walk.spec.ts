import fc from 'fast-check'
import { test } from '@japa/runner'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { recordStepFacts } from '#releases/tests/helpers/release_world'
import { unsoundness } from '#releases/tests/helpers/soundness'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'
import {
  faultsOfEdit,
  stepGroupsOf,
  misplacedItems,
  wrongFlags,
  type Before,
  type ShownStep,
  type ShownItem,
  type WrittenStep,
  type WrittenWorkflow,
} from './workflow_oracle.js'

/** Names of steps; a second one of an archetype has its name and a 2. */
const MOVABLE = [
  'regressionTesting',
  'regressionTesting2',
  'approvals',
  'approvals2',
  'metadata',
  'screenshots',
  'betaTesting',
  'submission',
  'takeoff',
] as const satisfies (ReleaseStepType | `${ReleaseStepType}2`)[]

const archetypeOf = (name: string) => name.replace('2', '') as ReleaseStepType

/** Kickoff first, the submission before the takeoff, all else in any order and any groups. */
const workflow: fc.Arbitrary<WrittenWorkflow> = fc
  .tuple(
    fc.shuffledSubarray([...MOVABLE], { minLength: 1 }),
    fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3 })), {
      minLength: MOVABLE.length,
      maxLength: MOVABLE.length,
    })
  )
  .map(([order, dice]) => {
    const gates = ['submission', 'takeoff'].filter((each) => order.includes(each as never))
    let gate = 0
    const names = order.map((each) => (gates.includes(each) ? gates[gate++] : each))
    const groups: WrittenStep[][] = [[{ name: 'kickoff', archetype: 'kickoff', required: true }]]
    for (const [index, name] of names.entries()) {
      const [startsGroup, chance] = dice[index]
      if (startsGroup) groups.push([])
      groups.at(-1)!.push({ name, archetype: archetypeOf(name), required: chance > 0 })
    }
    return groups
  })

const progress = fc.oneof(
  fc.constant({ step: 'kickoff' as const }),
  fc.record({
    step: fc.constantFrom('regressionTesting' as const, 'regressionTesting2' as const),
    status: fc.constantFrom('failed', 'passed', 'inProgress'),
  }),
  fc.record({
    step: fc.constantFrom('approvals', 'approvals2', 'metadata', 'screenshots'),
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
  // What was approved falls with what it was given for.
  approval: { type: 'approvals', statuses: ['rejected'] },
} as const

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ edit: workflow }) },
  { weight: 3, arbitrary: fc.record({ work: progress }) },
  {
    weight: 1,
    arbitrary: fc.record({ make: fc.constantFrom('regressionItem' as const, 'approval' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ decide: fc.nat(5), dice: fc.nat(1) }) }
)

/** An app with an active and an upcoming release, and what was worked on in the active one. */
class Walk {
  readonly touched = new Set<string>()
  /** The items of the app. */
  readonly items: { id: string; collection: keyof typeof KINDS }[] = []

  private constructor(
    readonly world: World,
    readonly app: string,
    private present: WrittenWorkflow
  ) {}

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

  async before(version: string): Promise<Before & { readyToSubmit: boolean }> {
    const path = `/v2/app/${this.app}/releases/${this.app}:${version}`
    const { body } = await this.world.admin.get(path)
    const steps: ShownStep[] = body.steps
    const worked = steps.filter(({ status, name }) => status !== 'notStarted' || this.has(name))
    const items = new Map<string, ShownItem>()
    for (const { name: step, data } of body.steps) {
      for (const { id, status } of data?.items ?? []) {
        items.set(id, { step, isTouched: status.type !== 'notStarted' })
      }
    }
    return {
      steps,
      items,
      touched: new Set(worked.map(({ name }) => name)),
      isActive: body.status === 'active',
      isKickedOff: body.kickedOffAt !== null,
      readyToSubmit: body.readyToSubmit,
    }
  }

  has = (name: string) => this.touched.has(name)

  /** Adds an item to the app; one whose steps it does not have is refused. */
  async make(collection: keyof typeof KINDS): Promise<void> {
    const path = `/app/${this.app}/${collection}`
    const { status, body } = await this.world.admin.post(path, { title: 'Pay' })
    if (status === 201) this.items.push({ id: body.id, collection })
  }

  /** Gives an item of the active release a status. */
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

  async work(asked: Progress): Promise<void> {
    const { admin } = this.world
    const path = `/app/${this.app}/release/${this.app}:1.0.0`
    const { steps } = await this.before('1.0.0')
    const step = steps.find(({ name }) => name === asked.step)
    if (asked.step === 'kickoff') return void (await admin.put(`${path}/kickoff`))
    if (!step) return
    if ('facts' in asked) {
      await recordStepFacts(this, '1.0.0', asked.step, asked.facts)
      this.touched.add(asked.step)
      return
    }
    const answer =
      'status' in asked
        ? await admin.put(`${path}/step/${step.stepRunId}/regressionStatus`, {
            status: asked.status,
          })
        : await admin.put(`${path}/stepRun/${step.stepRunId}/approval`, {
            approved: asked.approved,
          })
    const changed = (await this.before('1.0.0')).steps.find(({ id }) => id === step.id)!
    const { approved = true } = asked as { approved?: boolean }
    // An approval that is withdrawn leaves who did so, and when.
    const leavesTrace = step.type === 'approvals' || approved || changed.status !== step.status
    if (answer.status === 200 && leavesTrace) this.touched.add(asked.step)
  }

  /**
   * A workflow without a name that takes the place of another of its archetype: that is the same
   * step under a new name.
   */
  private withoutNewNames(wanted: WrittenWorkflow): WrittenWorkflow {
    const present = this.present.flat()
    return wanted.map((group) =>
      group.map((step) => {
        const sameOf = (steps: readonly WrittenStep[]) =>
          steps.filter(({ archetype }) => archetype === step.archetype)
        const isAlone = sameOf(wanted.flat()).length === 1 && sameOf(present).length === 1
        return isAlone ? { ...step, name: sameOf(present)[0].name } : step
      })
    )
  }

  async edit(written: WrittenWorkflow): Promise<string[]> {
    const wanted = this.withoutNewNames(written)
    this.present = wanted
    const versions = ['1.0.0', '1.1.0']
    const before = await Promise.all(versions.map((version) => this.before(version)))
    const path = `/app/${this.app}/app/config`
    const text = stepGroupsOf(wanted)
    const dry = await sendYaml(this.world.admin, 'PATCH', `${path}?dryRun=true`, text)
    const untouched = await Promise.all(versions.map((version) => this.before(version)))
    const told = (await this.world.events()).filter(({ sequence }) => sequence !== null).length
    const answer = await sendYaml(this.world.admin, 'PATCH', path, text)
    const faults: string[] = []
    if (answer.status !== 200) faults.push(answer.text)
    if (JSON.stringify(untouched) !== JSON.stringify(before)) faults.push('the dry run wrote')

    const events = (await this.world.events()).filter(({ sequence }) => sequence !== null)
    for (const [index, version] of versions.entries()) {
      const after = await this.before(version)
      const note = (fault: string) => faults.push(`${version}: ${fault}`)
      faultsOfEdit(before[index], wanted, after.steps, after.readyToSubmit).forEach(note)
      wrongFlags(before[index], wanted, after.steps).forEach(note)
      const types = new Map(
        this.items.map(({ id, collection }) => [id, KINDS[collection].type] as const)
      )
      misplacedItems(before[index], wanted, after, types).forEach(note)

      const releaseId = `${this.app}:${version}`
      const caused = events
        .slice(told)
        .filter(({ payload }) => payload.release?.id === releaseId)
        .map(({ type }) => type)
      const planned = dry.body.filter((entry: any) => entry.releaseId === releaseId)
      if (`${planned.flatMap((entry: any) => entry.events)}` !== `${caused}`) {
        note(`planned ${JSON.stringify(planned)}, caused ${caused}`)
      }
      const changed = JSON.stringify(before[index].steps) !== JSON.stringify(after.steps)
      const names = (steps: readonly ShownStep[]) =>
        steps.map(({ name, groupIndex }) => `${groupIndex} ${name}`).join()
      const moved = names(before[index].steps) !== names(after.steps)
      if (moved && planned.length !== 1) note('changed, and the dry run did not say so')
      if (!changed && planned.length > 0)
        note(`planned ${JSON.stringify(planned)}, nothing changed`)
      if (planned.length > 0 && planned[0].to.readyToSubmit !== after.readyToSubmit) {
        note('planned another readiness')
      }
    }
    return faults
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
        fc.array(command, { minLength: 5, maxLength: 14, size: 'max' }),
        async (start, commands) => {
          const walk = await Walk.begin(world, start)
          for (const each of commands) {
            if ('work' in each) await walk.work(each.work)
            else if ('make' in each) await walk.make(each.make)
            else if ('decide' in each) await walk.decide(each.decide, each.dice)
            else assert.deepEqual(await walk.edit(each.edit), [])
          }
        }
      ),
      {
        numRuns: 25,
        endOnFailure: false,
        interruptAfterTimeLimit: 120_000,
        markInterruptAsFailure: true,
      }
    )
    assert.deepEqual(await unsoundness(world), [])
  }).timeout(240_000)
})
