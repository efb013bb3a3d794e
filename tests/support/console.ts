import ace from '@adonisjs/core/services/ace'
import type { ConsoleCommand } from '#foundation/console/console_command'

type CommandClass = new (...args: ConstructorParameters<typeof ConsoleCommand>) => ConsoleCommand

/** Runs a console command with `--json` in this process; answers its output by stream. */
export async function runCommand(command: CommandClass, argv: string[]) {
  ace.ui.switchMode('raw')
  try {
    const instance = (await ace.create(command as never, [...argv, '--json'])) as ConsoleCommand
    await instance.exec()
    const logs = instance.logger.getLogs()
    const linesOf = (stream: string) =>
      logs.flatMap((each) => (each.stream === stream ? [each.message] : [])).join('\n')
    const stdout = linesOf('stdout')
    const document: any = stdout === '' ? null : JSON.parse(stdout)
    return { code: instance.exitCode ?? 0, stdout, stderr: linesOf('stderr'), document }
  } finally {
    ace.ui.switchMode('normal')
  }
}
