import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { UsageError } from '#foundation/console/usage_error'
import type { PlanEntity } from '../entities.js'
import type { Warnings } from '../plan.js'

export class AppImport extends OrganizationCommand {
  static override commandName = 'app:import'
  static override description = 'Make an app from a configuration file'

  @args.string({ description: 'The YAML file' })
  declare file: string

  @flags.boolean({ description: 'Only say what would be made' })
  declare dryRun: boolean

  protected async work() {
    const made = await this.execute('createAppFromConfiguration', await this.ofOrganization(), {
      query: this.dryRun ? { dryRun: 'true' } : {},
      body: { bytes: await this.#bytes(), contentType: 'application/yaml' },
    })
    if (this.dryRun) {
      const plan = made as PlanEntity
      return { document: plan, text: plan.map(({ op, path }) => `${op} ${path}`).join('\n') }
    }
    const { id, warnings = [] } = made as { id: string; warnings?: Warnings }
    const lines = warnings.map(({ path, line, message }) => `${path} (line ${line}): ${message}`)
    const document = warnings.length > 0 ? { id, warnings } : { id }
    return { document, text: [`The app is ${id}.`, ...lines].join('\n') }
  }

  async #bytes(): Promise<Buffer> {
    try {
      return await readFile(this.file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new UsageError(`The file "${this.file}" cannot be read (${code}).`)
    }
  }
}
