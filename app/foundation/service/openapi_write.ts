import { readFile, writeFile } from 'node:fs/promises'
import { flags } from '@adonisjs/core/ace'
import { currentDocument } from '../api/openapi/current_document.js'
import { ConsoleCommand } from '../console/console_command.js'

const FILE = 'docs/openapi.json'

export class OpenapiWrite extends ConsoleCommand {
  static override commandName = 'openapi:write'
  static override description = `Write the OpenAPI document to ${FILE}`

  @flags.boolean({ description: 'Write nothing; fail when the file differs' })
  declare check: boolean

  protected async work() {
    const path = this.app.makePath(FILE)
    const wanted = JSON.stringify(currentDocument(), null, 2) + '\n'
    const current = await readFile(path, 'utf8').catch(() => null)
    const differs = current !== wanted
    if (this.check) {
      const text = differs ? `${FILE} differs; run npm run openapi.` : `${FILE} is up to date.`
      return { document: { file: FILE, differs }, text, failed: differs }
    }
    if (differs) await writeFile(path, wanted)
    return {
      document: { file: FILE, differs },
      text: differs ? `${FILE} was written.` : `${FILE} is up to date.`,
    }
  }
}
