import type { ChangeNumbers } from '../../core/events/change_numbers.js'
import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import { discardUnlessReferenced } from '../../core/files/stored_files.js'
import type { Principal } from '../../core/principal.js'
import { Moved, Problem, refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { requireWaiting, yieldToOthers, waitedFor } from '../../core/yielding.js'
import { isWrite, type AnyOperation, type Present } from '../operation/declaration.js'
import { ownParams, parameters } from '../operation/parameters.js'
import type { OperationRegistry } from '../operation/registry.js'
import { requireAccess, mayAccess } from './access.js'
import { withPrefetched } from './prefetch.js'
import { respondOnce } from './respond_once.js'
import { actAndRespond, type AnyCall, type Check } from './act_and_respond.js'
import { entityTag } from './entity_tag.js'
import { ResponseCache } from './response_cache.js'
import { findResponse, idempotentRequest, runExclusive, storeResponse } from './idempotency.js'
import { requireMatch, representationOf, tagOf } from './preconditions.js'
import { asExpected, presentOf, rehearsed, takenBack, type Report } from './rehearsal.js'
import { render, type Rendered } from './render.js'
import type { Input, OperationRequest } from './request.js'
import { retryConflicts } from './retry_conflicts.js'
import { prefetchFirst, readFirst } from './read_first.js'
import { targetOf, targetParameter } from './targets.js'
import { useUp } from './use_up.js'
import { withRules } from './validate.js'
import type { WriteQueue } from './write_queue.js'

export interface ExecutorDependencies {
  unitOfWork: UnitOfWork
  changes: ChangeNumbers
  operations: OperationRegistry
  writeQueue: WriteQueue
}

/**
 * Carries out operations for HTTP, console, agents, pages and workers, which only read requests and
 * show answers. It checks access, reads the input and runs the handler; a write runs in one
 * transaction with its idempotency record.
 */
export class Executor {
  readonly #responseCache = new ResponseCache()

  constructor(private readonly dependencies: ExecutorDependencies) {}

  /** @throws the problem that prevents the operation; then nothing is written */
  async execute(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    const scope = this.dependencies.unitOfWork.readScope(principal)
    if (!isWrite(operation) || operation.apart) {
      const respond = () => this.#respond(operation, principal, scope, request)
      const kept = { changes: this.dependencies.changes, responseCache: this.#responseCache }
      return respondOnce(kept, operation, principal, request, scope, respond)
    }
    const params = ownParams(operation, principal, request.params)
    const refusal = await this.#refusal(operation, scope, params)
    if (refusal) return this.#replayOrRefuse(operation, principal, scope, request, refusal)
    // Access is checked before the input is read, because reading it may store files.
    return this.#write(operation, principal, { ...request, params })
  }

  async #respond(
    operation: AnyOperation,
    principal: Principal,
    scope: Scope,
    request: OperationRequest
  ): Promise<Rendered> {
    const params = ownParams(operation, principal, request.params)
    const refusal = await this.#refusal(operation, scope, params)
    if (refusal) throw refusal
    const { query, body } = await this.#read(operation, principal, request)
    if (request.waiter) requireWaiting(request.waiter)
    // Not interrupted: reads are short, and an `apart` operation might be stored in part.
    return render(
      await actAndRespond(operation, { scope, params, query, body, origin: request.origin })
    )
  }

  /** Returns whether a principal may call an operation at all, whatever its parameters. */
  mayAsk(operation: AnyOperation, principal: Principal): boolean {
    return mayAccess(operation, this.dependencies.unitOfWork.readScope(principal))
  }

  /** Uses up an idempotency key for an `apart` operation; false if it was used before. */
  useUp(operation: AnyOperation, principal: Principal, key: string): Promise<boolean> {
    return useUp(this.dependencies.unitOfWork, operation, principal, key)
  }

  /**
   * Checks an `apart` request without carrying it out.
   * @returns the present state of what it would change, if the operation declares that
   * @throws the problem that prevents the request
   */
  async admit(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Present | null> {
    const own = await this.#letIn(operation, principal, request)
    const input = await this.#read(operation, principal, own)
    return presentOf(operation, {
      ...input,
      ...own,
      scope: this.dependencies.unitOfWork.readScope(principal),
    })
  }

  /**
   * Rehearses a write: carries it out and rolls it back. Nothing is stored or sent.
   * @throws what carrying it out would throw
   */
  async rehearse<Reported>(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest,
    report: Report<Reported>
  ): Promise<Reported> {
    if (!isWrite(operation) || operation.apart) throw new Error('Only writes are rehearsed')
    const own = await this.#letIn(operation, principal, request)
    this.#requirePrecondition(operation, principal, own)
    const input = await this.#read(operation, principal, own)
    const { operations, unitOfWork } = this.dependencies
    const represent = (scope: Scope, written?: Rendered) =>
      representationOf(operations, operation, { ...input, ...own, scope }, written)
    try {
      const was = await represent(unitOfWork.readScope(principal))
      const reading = { was, is: represent, report }
      const whole = await withPrefetched(this.dependencies, operation, principal, own, input, null)
      return await this.#inTurn(operation, principal, own, () =>
        retryConflicts(() =>
          this.#tryAndUndo(operation, principal, own, (scope) =>
            rehearsed(scope, () => this.#carryOut(operation, scope, own, whole), reading)
          )
        )
      )
    } finally {
      await input.discard?.()
    }
  }

  #tryAndUndo<Result>(
    operation: AnyOperation,
    principal: Principal,
    { params }: OperationRequest,
    work: (scope: Scope) => Promise<Result>
  ): Promise<Result> {
    return takenBack((undone) => this.#transact(operation, principal, params, undone), work)
  }

  /** Carries out an operation that anybody may call without a key. */
  async executeOpen(operation: AnyOperation, request: OperationRequest): Promise<Rendered> {
    const { query, body } = await request.input()
    const call = { scope: undefined, params: request.params, query, body, origin: request.origin }
    return render(await actAndRespond(operation, call as unknown as AnyCall))
  }

  async #write(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    this.#requirePrecondition(operation, principal, request)
    const input = await this.#read(operation, principal, request)
    const idempotent = idempotentRequest(operation, principal, request, input.fingerprint)
    const ask = () =>
      withPrefetched(this.dependencies, operation, principal, request, input, idempotent)
    const work = async (scope: Scope, whole: Input) => {
      const kept = idempotent && (await findResponse(scope, idempotent))
      if (kept) return { rendered: kept, isReplay: true }
      const write = () => this.#carryOut(operation, scope, request, whole)
      const fresh = await (request.expect ? asExpected(scope, request.expect, write) : write())
      if (idempotent) await storeResponse(scope, idempotent, fresh)
      return { rendered: fresh, isReplay: false }
    }
    const attempt = (whole: Input) =>
      this.#transact(operation, principal, request.params, (scope) => work(scope, whole))
    const { rendered } = await discardUnlessReferenced(
      async () => input.discard?.(),
      () =>
        runExclusive(idempotent, async () => {
          const whole = await ask()
          return this.#inTurn(operation, principal, request, async () => {
            const written = await retryConflicts(() => attempt(whole))
            if (written.isReplay)
              await this.#requireStillAllowed(operation, principal, request, input)
            return written
          })
        }),
      ({ isReplay }) => !isReplay
    )
    return rendered
  }

  #read(operation: AnyOperation, principal: Principal, request: OperationRequest): Promise<Input> {
    return request
      .input()
      .catch((error: unknown) => this.#checkTheRest(operation, principal, request, error))
  }

  /** Runs writes to the same thing one after the other. */
  #inTurn<Result>(
    operation: AnyOperation,
    principal: Principal,
    { params, waiter }: Pick<OperationRequest, 'params' | 'waiter'>,
    work: () => Promise<Result>
  ): Promise<Result> {
    if (operation.isUrgent) return work()
    waiter?.hears?.('Waiting for its turn')
    return this.dependencies.writeQueue.run(targetOf(operation, params, principal), () => {
      if (waiter) requireWaiting(waiter)
      return work()
    })
  }

  /** Runs the work of an operation in a transaction; an urgent one does not share it. */
  #transact<Result>(
    operation: AnyOperation,
    principal: Principal,
    params: Record<string, string>,
    work: (scope: Scope) => Promise<Result>
  ): Promise<Result> {
    const lock = targetOf(operation, params, principal)
    const ahead = () => readFirst(operation, principal, params)
    const together = operation.isUrgent ? undefined : { lock, kind: operation.id, ahead }
    return this.dependencies.unitOfWork.inTransaction(principal, work, { together })
  }

  /**
   * Checks the access of a repeated request: tries the write and undoes it, since some access rules
   * are in handlers, such as the owner of an item. @throws only its 403
   */
  async #requireStillAllowed(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest,
    input: Input
  ): Promise<void> {
    try {
      await this.#tryAndUndo(operation, principal, request, (scope) =>
        this.#carryOut(operation, scope, request, input)
      )
    } catch (error) {
      if (error instanceof Problem && error.status === 403) throw error
    }
  }

  /**
   * Reports errors in the rest of a partially malformed body.
   * @throws invalid_input with all errors; any other error unchanged
   */
  async #checkTheRest(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest,
    error: unknown
  ): Promise<never> {
    if (!operation.check) throw error
    const { params, origin } = request
    const check = operation.check as unknown as Check
    throw await withRules(error, (body, errors) =>
      this.#inTurn(operation, principal, { params }, () =>
        this.#transact(operation, principal, params, (scope) =>
          check({ scope, params, query: undefined, body, origin }, errors)
        )
      )
    )
  }

  /** Runs the handler of a write, inside its transaction. */
  async #carryOut(operation: AnyOperation, scope: Scope, request: OperationRequest, input: Input) {
    const { params, origin, ifMatch, waiter } = request
    const { query, body, prefetched } = input
    const { operations } = this.dependencies
    await this.#lock(operation, scope, params)
    waiter?.hears?.('Being carried out')
    const call = { scope, params, query, body, origin, prefetched, ifMatch }
    if (operation.precondition && ifMatch)
      await requireMatch(operations, operation.precondition, call, ifMatch)
    const rendered = await waitedFor(waiter, async () => {
      const response = await actAndRespond(operation, call)
      await yieldToOthers()
      const made = render(response)
      // Serializes the response here, between two points at which others are served.
      void made.bytes
      return made
    })
    await yieldToOthers()
    if (operation.precondition && rendered.status === 200) {
      rendered.headers.etag = operation.precondition.isResponse
        ? entityTag(rendered.bytes)
        : await tagOf(operations, operation.precondition, call, rendered)
    }
    if (operation.creates && rendered.status === 201) {
      rendered.headers.etag = await tagOf(operations, { of: operation.creates }, call, rendered)
    }
    if (waiter) requireWaiting(waiter)
    return rendered
  }

  /**
   * Checks whether a request is admitted.
   * @returns the not_found of a parameter that names nothing visible; null if admitted
   * @throws any other refusal
   */
  async #refusal(
    operation: AnyOperation,
    scope: Scope,
    params: Record<string, string>
  ): Promise<Problem | null> {
    const refusal = await this.#admit(operation, scope, params)
    if (!refusal) await this.#requireAccessTo(operation, scope, params)
    return refusal
  }

  /** Checks access, and adds the parameters that the principal implies. @throws any refusal */
  async #letIn(operation: AnyOperation, principal: Principal, request: OperationRequest) {
    const params = ownParams(operation, principal, request.params)
    const scope = this.dependencies.unitOfWork.readScope(principal)
    const refusal = await this.#refusal(operation, scope, params)
    if (refusal) throw refusal
    return { ...request, params }
  }

  async #admit(
    operation: AnyOperation,
    scope: Scope,
    params: Record<string, string>
  ): Promise<Problem | null> {
    try {
      for (const [name, { admit }] of parameters.in(operation.path)) {
        await admit?.(scope, params[name], isWrite(operation))
      }
      return null
    } catch (refusal) {
      if (refusal instanceof Problem && refusal.code === 'not_found') return refusal
      throw refusal
    }
  }

  /** Refuses a requester without access, by the subject of the request if it is known. */
  async #requireAccessTo(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    try {
      requireAccess(operation, scope)
    } catch (refusal) {
      try {
        await operation.explainRefusal?.(scope, params)
      } catch (better) {
        // A requester without permission must not learn what exists.
        const isAbout = better instanceof Moved || (better as Problem).code === 'not_found'
        if (!isAbout) throw better
      }
      throw refusal
    }
  }

  #requirePrecondition(operation: AnyOperation, principal: Principal, request: OperationRequest) {
    const { precondition, isUrgent } = operation
    if (!precondition || isUrgent || !principal.organization.requireIfMatch || request.ifMatch)
      return
    throw refuse('precondition_required', {
      detail: 'This organization requires If-Match on every write to an entity.',
    })
  }

  /**
   * Handles a request to something that does not exist. If its first run removed that thing, the
   * same requester gets the first answer again, if they still have access.
   * @throws the refusal in any other case
   */
  async #replayOrRefuse(
    operation: AnyOperation,
    principal: Principal,
    scope: Scope,
    request: OperationRequest,
    refusal: Problem
  ): Promise<Rendered> {
    const isRepeatable = isWrite(operation) && !operation.body && request.idempotencyKey
    if (!isRepeatable || !mayAccess(operation, scope)) throw refusal
    const { fingerprint } = await request.input()
    const idempotent = idempotentRequest(operation, principal, request, fingerprint)!
    const kept = await this.dependencies.unitOfWork.inTransaction(principal, (writing) =>
      findResponse(writing, idempotent, 'asker')
    )
    if (!kept) throw refusal
    return kept
  }

  /** Locks the target of a write, which prevents lost updates and deadlocks. */
  async #lock(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    if (!scope.isShared) return
    const [name, value] = targetParameter(operation, params, scope)
    const locked = parameters.get(name).lock!(scope, value)
    prefetchFirst(operation, scope, params)
    if (!(await locked)) throw refuse('not_found')
  }
}
