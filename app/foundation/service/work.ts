import type { CommandOptions } from '@adonisjs/core/types/ace'
import { ConsoleCommand } from '../console/console_command.js'

export class WorkCommand extends ConsoleCommand {
  static override commandName = 'work'
  static override description =
    'Deliver webhooks and work through the job queue, without serving HTTP, until stopped'
  static override options: CommandOptions = { startApp: true, staysAlive: true }

  protected async work() {
    const work = await this.app.container.make('work')
    await work.start()
    return { document: { working: true }, text: 'Working; stop it with Ctrl+C or SIGTERM.' }
  }
}
