import { OrganizationCommand } from '#organizations/commands/organization_command'
import { linesOfOwn, reportOwnWorld } from '../queries/report_own_world.js'

export class SimState extends OrganizationCommand {
  static override commandName = 'sim:state'
  static override description = 'Show the state of the simulated world of an organization'

  protected async work() {
    const document = await reportOwnWorld(this.readScope(await this.organizationPrincipal()))
    return { document, text: linesOfOwn(document).join('\n') }
  }
}
