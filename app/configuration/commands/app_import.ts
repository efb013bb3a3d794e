import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import type { PlanEntity } from '../entities.js'
import type { Warnings } from '../plan.js'

/** The fields that identify an app for people. */
interface AppSummary {
  id: string
  name: string
  platform: string
}

export class AppImport extends OrganizationCommand {
  static override commandName = 'app:import'
  static override description = 'Create an app from a configuration file'

  @args.string({ description: 'The YAML file' })
  declare file: string

  @flags.boolean({ description: 'Only show what would be created' })
  declare dryRun: boolean

  protected async work() {
    const principal = await this.organizationPrincipal()
    const result = await this.execute('createAppFromConfiguration', principal, {
      query: this.dryRun ? { dryRun: 'true' } : {},
      body: { bytes: await this.#bytes(), contentType: 'application/yaml' },
    })
    if (this.dryRun) {
      const plan = result as PlanEntity
      return { document: plan, text: plan.map(({ op, path }) => `${op} ${path}`).join('\n') }
    }
    const { id, warnings = [], ...app } = result as AppSummary & { warnings?: Warnings }
    const lines = warnings.map(({ path, line, message }) => `${path} (line ${line}): ${message}`)
    const document = warnings.length > 0 ? { id, warnings } : { id }
    const namesakes = await this.#findNamesakes(principal, { id, ...app })
    const also = namesakes.map(
      (other) =>
        `${other} has the same name, and was not changed. "tarmac config apply ${this.file} --app ${other}" applies this file to it.`
    )
    return { document, text: [`The app is ${id}.`, ...lines, ...also].join('\n') }
  }

  /** Returns the ids of other apps with the name and platform of an app. */
  async #findNamesakes(
    principal: Principal,
    { id, name, platform }: AppSummary
  ): Promise<string[]> {
    const apps = (await this.execute('listApps', principal, {
      params: { orgId: principal.organization.id },
    })) as AppSummary[]
    return apps
      .filter((each) => each.id !== id && each.name === name && each.platform === platform)
      .map((each) => each.id)
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
