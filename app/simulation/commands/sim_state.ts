import { OrganizationCommand } from '#organizations/commands/organization_command'
import { findWorld, timeIn } from '../queries/find_world.js'
import { linesOf, tellWorld } from '../world/tell_world.js'

export class SimState extends OrganizationCommand {
  static override commandName = 'sim:state'
  static override description = 'Tell how things stand in the simulated world of an organization'

  protected async work() {
    const scope = this.readScope(await this.ofOrganization())
    const row = await findWorld(scope)
    const document = tellWorld(row.state, timeIn(row, scope))
    return { document, text: linesOf(document).join('\n') }
  }
}
