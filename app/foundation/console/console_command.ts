import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import { errors as vineErrors } from '@vinejs/vine'
import type { Clock } from '../core/clock.js'
import { type UnitOfWork } from '../core/database/unit_of_work.js'
import { unrestricted, type Actor, type Principal, type Tenant } from '../core/principal.js'
import { inputOf, type PlainRequest } from '../api/execution/input_of.js'
import type { InputValidator } from '../api/operation/declaration.js'
import { operations } from '../api/operation/registry.js'
import { Problem } from '../core/problems/problem.js'
import type { Scope } from '../core/scope.js'
import { UsageError } from './usage_error.js'

/** Time limit for the end of a command that could not start, in milliseconds. */
const MAX_END_MS = 5000

/** The actor of everything done at the console. */
export const consoleActor: Actor = { type: 'system', id: null, name: 'console' }

/** The result of a command: a document for scripts, and lines for people. */
export interface Outcome {
  document: unknown
  text: string
  /** True if the command did its work but ends with a failing exit code: a failed check. */
  failed?: boolean
}

/** Returns the principal of the console, which may do everything in an organization. */
export function consolePrincipal(organization: Tenant): Principal {
  return { organization, actor: consoleActor, permissions: unrestricted }
}

/**
 * The base of every console command. With `--json`, standard output is one JSON document and
 * nothing else. A failure is one line on standard error and a failing exit code. Commands work
 * beside a running service and migrate the database if needed.
 */
export abstract class ConsoleCommand extends BaseCommand {
  static override options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print one JSON document and nothing else' })
  declare json: boolean

  /** Returns a request for help need not provide the required arguments. */
  static override validate(parsed: Parameters<typeof BaseCommand.validate>[0]): void {
    if (parsed.flags.help === undefined) super.validate(parsed)
  }

  declare protected database: Database
  declare protected clock: Clock
  declare protected unitOfWork: UnitOfWork

  /** Runs the command. @throws UsageError and Problem, shown as one line */
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
      if (this.staysAlive) await this.#end()
    }
  }

  /** Ends a command that would otherwise stay alive; `terminate` alone would lose the exit code. */
  async #end() {
    setTimeout(() => process.exit(1), MAX_END_MS).unref()
    await this.terminate().catch(() => undefined)
    process.exit(1)
  }

  async #open() {
    const { container } = this.app
    this.database = await container.make('lucid.db')
    this.clock = await container.make('clock')
    this.unitOfWork = await container.make('unitOfWork')
    const migrations = await container.make('migrations')
    await migrations.runDue()
  }

  protected readScope(of: Principal): Scope {
    return this.unitOfWork.readScope(of)
  }

  /** Runs work in one transaction, with its events and audit entries. */
  protected inTransaction<Result>(
    of: Principal,
    work: (scope: Scope) => Promise<Result>
  ): Promise<Result> {
    return this.unitOfWork.inTransaction(of, work)
  }

  /**
   * Carries out an operation like an API call.
   * @returns the parsed JSON of its answer, or other text unchanged
   * @throws UsageError for invalid input, and the problems of the operation
   */
  protected async execute(
    operationId: string,
    of: Principal,
    request: PlainRequest = {}
  ): Promise<unknown> {
    const executor = await this.app.container.make('executor')
    const operation = operations.get(operationId)
    const { headers, bytes } = await executor.execute(operation, of, {
      params: request.params ?? {},
      origin: { baseUrl: '' },
      input: () => inputOf(operation, { ...request, strict: true }).catch(throwUsageError),
      ifMatch: request.ifMatch,
    })
    const isJson = headers['content-type']?.startsWith('application/json')
    return isJson ? JSON.parse(String(bytes)) : String(bytes)
  }

  /** Validates options like the input of an API call. @throws UsageError that names the option */
  protected async checked<Output>(
    validator: InputValidator<Output>,
    options: Record<string, unknown>
  ): Promise<Output> {
    try {
      return await validator.validate(options)
    } catch (error) {
      if (!(error instanceof vineErrors.E_VALIDATION_ERROR)) throw error
      const messages = error.messages as { message: string }[]
      throw new UsageError(messages.map(({ message }) => `${message}.`).join(' '))
    }
  }
}

/** Turns invalid input into a UsageError with the messages only, as options have no pointers. */
function throwUsageError(error: unknown): never {
  const isInvalid =
    error instanceof Problem && (error.code === 'invalid_input' || error.code === 'invalid_query')
  if (!isInvalid) throw error
  throw new UsageError((error.extras.errors ?? []).map(({ message }) => `${message}.`).join(' '))
}

/** Returns the line that describes a failure; an unexpected one is also logged. */
function lineOf(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (error instanceof Problem) {
    const places = (error.extras.errors ?? []).map(({ path, pointer, line, column, message }) => {
      const position = line === undefined ? '' : ` (line ${line}, column ${column})`
      return `${path ?? pointer ?? ''}${position}: ${message}`
    })
    return [error.message, ...places].join('\n  ')
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database does not respond (${code}). See DATABASE_URL.`
  }
  logger.error({ err: error }, 'command failed')
  return `The command failed: ${message}`
}
