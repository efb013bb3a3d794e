import { args } from '@adonisjs/core/ace'
import { ConsoleCommand } from '#foundation/console/console_command'
import { exportConfiguration } from '../queries/export_configuration.js'

export class AppExport extends ConsoleCommand {
  static override commandName = 'app:export'
  static override description = 'Print the configuration file of an app'

  @args.string({ description: 'Id of the app' })
  declare appId: string

  protected async work() {
    const standing = await this.standingOfApp(this.appId)
    const yaml = await exportConfiguration(this.reading(standing), this.appId)
    return { document: { id: this.appId, configuration: yaml }, text: yaml.trimEnd() }
  }
}
