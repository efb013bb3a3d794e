import { FakeProvider } from '#plugin-kit/fake/fake_provider'
import type { CiScenario, Scenario } from '#plugin-kit/fake/scenario'
import { stateOf, USUAL_CI, type SimulatedRun } from '../core/ci.js'
import { answerInWorld } from '../world/answer.js'
import { newWorld, type World } from '../world/world.js'

/** A world before the conformance suite: what the suite asks to be there is pinned. */
export class WorldFake extends FakeProvider {
  #world: World = newWorld('conformance')

  seed({ ci }: Scenario): void {
    this.#world = newWorld('conformance')
    if (ci) this.#world = withScenario(this.#world, ci)
  }

  state(): Scenario {
    const { ci, files } = this.#world
    const runs = ci.runs.map((run) => ({
      id: run.id,
      workflowId: run.workflowId,
      branch: run.branch,
      sha: run.sha,
      state: stateOf(run, this.now),
    }))
    return { ci: { workflows: [...ci.workflows], runs, artifacts: [...files] } }
  }

  protected async respond(request: Request): Promise<Response> {
    const token = request.headers.get('authorization')
    if (token !== 'Bearer good-token' && token !== 'Bearer other-token') {
      return Response.json({ message: 'There is no such world' }, { status: 401 })
    }
    const { response, world } = await answerInWorld(this.#world, this.now, request)
    this.#world = world
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
