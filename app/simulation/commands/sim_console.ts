import { args } from '@adonisjs/core/ace'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { actInConsole } from '../actions/act_in_console.js'
import { lockWorld } from '../queries/find_world.js'
import { consoleActionValidator } from '../validators/world_input.js'

export class SimConsole extends OrganizationCommand {
  static override commandName = 'sim:console'
  static override description = 'Act as a person in the console of a store of the simulated world'

  @args.string({ description: 'appStore or googlePlay' })
  declare store: string

  @args.string({ description: 'What to do there, as in scenarios: publishes, sends, halts, …' })
  declare deed: string

  protected async work() {
    const { store, deed: action } = await this.checked(consoleActionValidator, {
      store: this.store,
      deed: this.deed,
    })
    await this.inTransaction(await this.organizationPrincipal(), async (scope) =>
      actInConsole(scope, await lockWorld(scope), { store, deed: action })
    )
    return {
      document: { store, deed: action },
      text: `Somebody ${action} in the console of ${store}.`,
    }
  }
}
