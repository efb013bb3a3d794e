import { FakeProvider } from '#plugin-kit/fake/fake_provider'
import type { CiScenario, Scenario } from '#plugin-kit/fake/scenario'
import { stateOf, USUAL_CI, type SimulatedRun } from '#simulated-providers/ci'
import { respondInWorld } from '../../world/answer.js'
import { newWorld, type World } from '../../world/world.js'
import { playScenarioOf, playsOf, testingPlaysOf } from './play_scenario.js'
import { scenarioOf, storesOf, testingStoresOf } from './app_store_scenario.js'
import { scenarioOfWorld, scenarioWorld } from './world_scenarios.js'

/** A world as a fake for the conformance suite, whose scenarios pin states. */
export class WorldFake extends FakeProvider {
  protected world: World = newWorld('conformance')

  /** @param store the store that the suite tests */
  constructor(private readonly store: 'apple' | 'google' = 'apple') {
    super()
  }

  seed(scenario: Scenario): void {
    const { ci, appStore, betaTesting } = scenario
    let world = scenarioWorld(newWorld('conformance'), scenario)
    if (ci) world = withScenario(world, ci)
    if (appStore) {
      const [appStores, plays] = [storesOf(appStore, this.now), playsOf(appStore, this.now)]
      world = { ...world, appStores, plays }
    }
    if (betaTesting) {
      const [appStores, plays] = [testingStoresOf(betaTesting), testingPlaysOf(betaTesting)]
      world = { ...world, appStores, plays }
    }
    this.world = world
  }

  state(): Scenario {
    const { ci, files, appStores, plays } = this.world
    const runs = ci.runs.map((run) => ({
      id: run.id,
      workflowId: run.workflowId,
      branch: run.branch,
      sha: run.sha,
      state: stateOf(run, this.now),
    }))
    return {
      ...scenarioOfWorld(this.world),
      ci: { workflows: [...ci.workflows], runs, artifacts: [...files] },
      ...(this.store === 'apple'
        ? scenarioOf(appStores, this.now)
        : playScenarioOf(plays, this.now)),
    }
  }

  protected async respond(request: Request): Promise<Response> {
    const token = request.headers.get('authorization')
    if (token !== 'Bearer good-token' && token !== 'Bearer other-token') {
      return Response.json({ message: 'There is no such world' }, { status: 401 })
    }
    const { response, world } = await respondInWorld(this.world, this.now, request)
    this.world = world
    return response
  }
}

function withScenario(world: World, { workflows, runs, artifacts }: CiScenario): World {
  const pinned = runs.map((run, index): SimulatedRun => {
    const { state, ...rest } = run
    const times = { queuedAt: 0, startsAt: 0, endsAt: 0 }
    const ending = 'succeeded' as const
    const more = { number: index + 1, inputs: {}, key: null, canceledAt: null, pinned: state }
    return { ...rest, ...times, ...more, ending }
  })
  return { ...world, files: artifacts, ci: { ...USUAL_CI, workflows, runs: pinned } }
}
