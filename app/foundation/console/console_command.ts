import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import { errors as vineErrors } from '@vinejs/vine'
import { migrateWhatIsDue } from '#start/migrate'
import type { Clock } from '../core/clock.js'
import { type UnitOfWork } from '../core/database/unit_of_work.js'
import { unrestricted, type Principal } from '../core/principal.js'
import type { InputValidator } from '../api/operation/declaration.js'
import { Problem } from '../core/problems/problem.js'
import type { Scope } from '../core/scope.js'
import type { Actor, Tenant } from '../core/principal.js'
import { Mistake } from './mistake.js'

/** Who causes what is done at the console. */
export const consoleActor: Actor = { type: 'system', id: null, name: 'console' }

/** What a command answers: a document for scripts, and lines for people. */
export interface Outcome {
  document: unknown
  text: string
  /** The command did its work and still ends with a failure: a check that did not pass. */
  failed?: boolean
}

interface TenantRow {
  id: string
  name: string
  require_if_match: boolean | number
}

/**
 * The base of every console command. With `--json` standard output is one JSON document
 * and nothing else; whatever went wrong is one line on standard error and a failing exit
 * code. Commands work beside a running service and bring a new database up to date.
 */
export abstract class ConsoleCommand extends BaseCommand {
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print one JSON document and nothing else' })
  declare json: boolean

  declare protected database: Database
  declare protected clock: Clock
  declare protected unitOfWork: UnitOfWork

  /** What the command does. @throws Mistake and Problem, shown as one line. */
  protected abstract work(): Promise<Outcome>

  override async run(): Promise<void> {
    try {
      await this.#open()
      const { document, text, failed } = await this.work()
      this.logger.log(this.json ? JSON.stringify(document) : text)
      if (failed) this.exitCode = 1
    } catch (error) {
      this.exitCode = 1
      this.logger.logError(lineOf(error))
    }
  }

  async #open() {
    const { container } = this.app
    this.database = await container.make('lucid.db')
    this.clock = await container.make('clock')
    this.unitOfWork = await container.make('unitOfWork')
    await migrateWhatIsDue(this.app)
  }

  /** Whose rows a command works on, by the organization's id or by its name when only one has it. */
  protected async standingOf(organization: string): Promise<Principal> {
    const found = await this.#tenants((query) =>
      query.where('id', organization).orWhere('name', organization)
    )
    if (found.length === 1) return standing(found[0])
    if (found.length === 0) throw new Mistake(`There is no organization "${organization}".`)
    const ids = found.map(({ id }) => id).join(', ')
    throw new Mistake(`Several organizations are named "${organization}"; give an id: ${ids}.`)
  }

  /** Whose app it is: the id of an app is unique in the whole service. */
  protected async standingOfApp(appId: string): Promise<Principal> {
    const [found] = await this.#tenants((query) =>
      query.whereIn('id', this.database.from('apps').where('id', appId).select('organization_id'))
    )
    if (!found) throw new Mistake(`There is no app "${appId}".`)
    return standing(found)
  }

  protected reading(of: Principal): Scope {
    return this.unitOfWork.reading(of)
  }

  /** Runs work in one transaction, with its events and audit entries. */
  protected writing<Result>(
    of: Principal,
    work: (scope: Scope) => Promise<Result>
  ): Promise<Result> {
    return this.unitOfWork.writing(of, work)
  }

  /** Checks options as an API call would be. @throws Mistake that names the option. */
  protected async checked<Output>(
    validator: InputValidator<Output>,
    options: Record<string, unknown>
  ): Promise<Output> {
    try {
      return await validator.validate(options)
    } catch (error) {
      if (!(error instanceof vineErrors.E_VALIDATION_ERROR)) throw error
      const messages = error.messages as { message: string }[]
      throw new Mistake(messages.map(({ message }) => `${message}.`).join(' '))
    }
  }

  async #tenants(
    narrow: (query: ReturnType<Database['from']>) => ReturnType<Database['from']>
  ): Promise<Tenant[]> {
    const rows: TenantRow[] = await narrow(this.database.from('organizations'))
      .select('id', 'name', 'require_if_match')
      .orderBy('id')
    return rows.map(({ id, name, require_if_match: requireIfMatch }) => ({
      id,
      name,
      requireIfMatch: Boolean(requireIfMatch),
    }))
  }
}

/** A command that works on one organization, named by `--org`. */
export abstract class OrganizationCommand extends ConsoleCommand {
  @flags.string({ description: 'Id or name of the organization', required: true })
  declare org: string

  /** The organization of `--org`. @throws Mistake when there is none, or several of the name. */
  protected ofOrganization(): Promise<Principal> {
    return this.standingOf(this.org)
  }
}

function standing(organization: Tenant): Principal {
  return { organization, actor: consoleActor, permissions: unrestricted }
}

/** The one line a failure gets; what nobody expected goes to the log as well. */
function lineOf(error: unknown): string {
  if (error instanceof Mistake) return error.message
  if (error instanceof Problem) {
    const places = (error.extras.errors ?? []).map(({ path, pointer, line, column, message }) => {
      const position = line === undefined ? '' : ` (line ${line}, column ${column})`
      return `${path ?? pointer ?? ''}${position}: ${message}`
    })
    return [error.message, ...places].join('\n  ')
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database does not answer (${code}). See DATABASE_URL.`
  }
  logger.error({ err: error }, 'command failed')
  return `The command failed: ${message}`
}
