import { flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { resetWorld } from '../actions/start_world.js'
import { lockWorld } from '../queries/find_world.js'

const options = vine.create({ seed: text(100).optional() })

export class SimReset extends OrganizationCommand {
  static override commandName = 'sim:reset'
  static override description = 'Restart the simulated world of an organization'

  @flags.string({ description: 'Another seed; the same by default' })
  declare seed: string | undefined

  protected async work() {
    const { seed = null } = await this.checked(options, { seed: this.seed })
    const document = await this.inTransaction(await this.organizationPrincipal(), async (scope) =>
      resetWorld(scope, await lockWorld(scope), seed)
    )
    return { document, text: `The world of seed ${document.seed} begins again.` }
  }
}
