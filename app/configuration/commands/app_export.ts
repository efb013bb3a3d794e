import { args } from '@adonisjs/core/ace'
import { AppCommand } from '#apps/commands/app_command'

export class AppExport extends AppCommand {
  static override commandName = 'app:export'
  static override description = 'Print the configuration file of an app'

  @args.string({ description: 'Id of the app' })
  declare appId: string

  protected async work() {
    const { appId } = this
    const yaml = await this.execute('exportAppConfiguration', await this.ofApp(appId), {
      params: { appId },
    })
    return { document: { id: appId, configuration: yaml }, text: String(yaml).trimEnd() }
  }
}
