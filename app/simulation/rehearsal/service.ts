import type { ApplicationService } from '@adonisjs/core/types'
import { inputOf, type PlainRequest } from '#foundation/api/execution/input_of'
import type { Executor } from '#foundation/api/execution/execute'
import { operations } from '#foundation/api/operation/registry'
import type { Clock } from '#foundation/core/clock'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { Actor, Principal } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'

/**
 * The service as the participants of a rehearsal use it: through its operations, in this process.
 */
export class RehearsedService {
  private constructor(
    readonly principal: Principal,
    readonly clock: Clock,
    private readonly executor: Executor,
    private readonly unitOfWork: UnitOfWork
  ) {}

  static async of({ container }: ApplicationService, principal: Principal) {
    return new RehearsedService(
      principal,
      await container.make('clock'),
      await container.make('executor'),
      await container.make('unitOfWork')
    )
  }

  /** Calls an operation. @throws Problem if it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any
  async ask<Answer = any>(
    operationId: string,
    request: PlainRequest = {},
    actor: Actor = this.principal.actor
  ): Promise<Answer> {
    const operation = operations.get(operationId)
    const { bytes } = await this.executor.execute(
      operation,
      { ...this.principal, actor },
      {
        params: request.params ?? {},
        origin: { baseUrl: '' },
        input: () => inputOf(operation, { ...request, strict: true }),
      }
    )
    return (bytes.length === 0 ? undefined : JSON.parse(String(bytes))) as Answer
  }

  /** Runs work that is not an operation, in a transaction. */
  write<Result>(work: (scope: Scope) => Promise<Result>, actor?: Actor): Promise<Result> {
    const { principal } = this
    return this.unitOfWork.inTransaction(actor ? { ...principal, actor } : principal, work)
  }

  read(): Scope {
    return this.unitOfWork.readScope(this.principal)
  }
}
