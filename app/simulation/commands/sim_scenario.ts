import { args, flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { playScenario } from '../actions/start_world.js'
import { lockWorld } from '../queries/find_world.js'
import { scenarioFile } from '../scenarios/box.js'
import { readScenario } from '../scenarios/read_scenario.js'

const options = vine.create({ seed: text(100).optional() })

export class SimScenario extends OrganizationCommand {
  static override commandName = 'sim:scenario'
  static override description = 'Restart the simulated world of an organization with a scenario'
  static override help = 'The world begins again.'

  @args.string({ description: 'A YAML file, or the name of a built-in scenario' })
  declare file: string

  @flags.string({ description: 'Another seed; that of the scenario by default' })
  declare seed: string | undefined

  protected async work() {
    const { seed = null } = await this.checked(options, { seed: this.seed })
    const scenario = await readScenario(await scenarioFile(this.file))
    const document = await this.inTransaction(await this.organizationPrincipal(), async (scope) =>
      playScenario(scope, await lockWorld(scope), scenario, seed)
    )
    return { document, text: `The world of seed ${document.seed} plays: ${document.scenario}.` }
  }
}
