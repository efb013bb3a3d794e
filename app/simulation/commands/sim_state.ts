import { OrganizationCommand } from '#organizations/commands/organization_command'
import { stateOf } from '../core/ci.js'
import { findWorld, timeIn } from '../queries/find_world.js'

export class SimState extends OrganizationCommand {
  static override commandName = 'sim:state'
  static override description = 'Tell how things stand in the simulated world of an organization'

  protected async work() {
    const scope = this.readScope(await this.ofOrganization())
    const row = await findWorld(scope)
    const now = timeIn(row, scope)
    const { seed, ci } = row.state
    const runs = ci.runs.map((run) => ({
      id: run.id,
      workflowId: run.workflowId,
      branch: run.branch,
      state: stateOf(run, now),
      endsAt: new Date(run.endsAt).toISOString(),
    }))
    const instant = new Date(now).toISOString()
    const lines = runs.map(
      ({ id, workflowId, branch, state }) => `CI run ${id} of ${workflowId} at ${branch}: ${state}`
    )
    return {
      document: { seed, now: instant, ci: { runs } },
      text: [`It is ${instant} in the world of seed ${seed}.`, ...lines].join('\n'),
    }
  }
}
