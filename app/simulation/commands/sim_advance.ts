import { args } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { advanceWorld } from '../actions/advance_world.js'
import { spanOf } from '../duration.js'
import { lockWorld, timeIn } from '../queries/find_world.js'

export class SimAdvance extends OrganizationCommand {
  static override commandName = 'sim:advance'
  static override description = 'Let time pass in the simulated world of an organization'

  @args.string({ description: 'How long (90m, 2h30m, 3d), or until when (2026-11-20T12:00:00Z)' })
  declare span: string

  protected async work() {
    const of = await this.ofOrganization()
    const document = await this.inTransaction(of, async (scope) => {
      const row = await lockWorld(scope)
      const span = spanOf(this.span, timeIn(row, scope))
      if (span === null) {
        throw new UsageError(
          `"${this.span}" is no time to come of at most a year: 90m, 2h30m, 3d or 2026-11-20T12:00:00Z.`
        )
      }
      return advanceWorld(scope, row, span)
    })
    return { document, text: `It is ${document.now} in the world.` }
  }
}
