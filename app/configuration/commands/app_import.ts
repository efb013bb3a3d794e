import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import { OrganizationCommand } from '#foundation/console/console_command'
import { Mistake } from '#foundation/console/mistake'
import { CreateAppFromConfiguration } from '../actions/create_app_from_configuration.js'
import { iconsFetched } from '#apps/actions/fetch_icon'
import { readConfigurationFile } from '../read_configuration_file.js'

export class AppImport extends OrganizationCommand {
  static override commandName = 'app:import'
  static override description = 'Make an app from a configuration file'

  @args.string({ description: 'The YAML file' })
  declare file: string

  @flags.boolean({ description: 'Only say what would be made' })
  declare dryRun: boolean

  protected async work() {
    const standing = await this.ofOrganization()
    const root = await readConfigurationFile({ bytes: await this.#bytes() })
    if (this.dryRun) {
      const plan = await new CreateAppFromConfiguration(this.reading(standing)).plan(root)
      return { document: plan, text: plan.map(({ op, path }) => `${op} ${path}`).join('\n') }
    }
    const appId = await this.writing(standing, (scope) =>
      new CreateAppFromConfiguration(scope).handle(root)
    )
    await iconsFetched()
    return { document: { id: appId }, text: `The app is ${appId}.` }
  }

  async #bytes(): Promise<Buffer> {
    try {
      return await readFile(this.file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Mistake(`The file "${this.file}" cannot be read (${code}).`)
    }
  }
}
