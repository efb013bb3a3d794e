import type { ChangeNumbers } from '../../core/events/change_numbers.js'
import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import { discardUnlessReferenced } from '../../core/files/stored_files.js'
import type { Principal } from '../../core/principal.js'
import type { Faults } from '../../core/problems/faults.js'
import { Moved, Problem, refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { demandWaiting, yieldToOthers, waitedFor } from '../../core/yielding.js'
import { isWrite, type AnyOperation, type Present } from '../operation/declaration.js'
import { ownParams, parameters } from '../operation/parameters.js'
import type { OperationRegistry } from '../operation/registry.js'
import { demandAccess, mayAccess } from './access.js'
import { withAhead } from './ahead.js'
import { answerOnce } from './answer_once.js'
import { actAndAnswer, type AnyCall } from './act_and_answer.js'
import { entityTag } from './entity_tag.js'
import { KeptAnswers } from './kept_answers.js'
import { findStoredAnswer, idempotentRequest, runExclusive, storeAnswer } from './idempotency.js'
import { demandMatch, representationOf, tagOf } from './preconditions.js'
import { asExpected, presentOf, rehearsed, takenBack, type Report } from './rehearsal.js'
import { render, type Rendered } from './render.js'
import type { Input, OperationRequest } from './request.js'
import { retryConflicts } from './retry_conflicts.js'
import { askForFirst, readFirst } from './read_first.js'
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
 * Carries operations out: HTTP, console, agents, pages and workers only read a request and
 * show the answer. Who asks is let in, then the input is read, then the handler runs; for
 * a write inside one transaction with its idempotency record.
 */
export class Executor {
  readonly #keptAnswers = new KeptAnswers()

  constructor(private readonly dependencies: ExecutorDependencies) {}

  /** @throws the problem that keeps it from being done; then nothing is written. */
  async execute(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    const scope = this.dependencies.unitOfWork.readScope(principal)
    if (!isWrite(operation) || operation.apart) {
      const answer = () => this.#answer(operation, principal, scope, request)
      const kept = { changes: this.dependencies.changes, keptAnswers: this.#keptAnswers }
      return answerOnce(kept, operation, principal, request, scope, answer)
    }
    const params = ownParams(operation, principal, request.params)
    const refusal = await this.#refusal(operation, scope, params)
    if (refusal) return this.#replayOrRefuse(operation, principal, scope, request, refusal)
    // Its key is read before the input, which may have stored files.
    return this.#write(operation, principal, { ...request, params })
  }

  async #answer(
    operation: AnyOperation,
    principal: Principal,
    scope: Scope,
    request: OperationRequest
  ): Promise<Rendered> {
    const params = ownParams(operation, principal, request.params)
    const refusal = await this.#refusal(operation, scope, params)
    if (refusal) throw refusal
    const { query, body } = await this.#read(operation, principal, request)
    if (request.waiter) demandWaiting(request.waiter)
    // Reads are short, and what is done apart may be stored in part: neither is broken off.
    return render(
      await actAndAnswer(operation, { scope, params, query, body, origin: request.origin })
    )
  }

  /** Returns whether a principal may call an operation at all, whatever its parameters. */
  mayAsk(operation: AnyOperation, principal: Principal): boolean {
    return mayAccess(operation, this.dependencies.unitOfWork.readScope(principal))
  }

  /** Uses a key up for what is carried out apart; false if it was used before. */
  useUp(operation: AnyOperation, principal: Principal, key: string): Promise<boolean> {
    return useUp(this.dependencies.unitOfWork, operation, principal, key)
  }

  /**
   * Lets a request in that is carried out apart, and does nothing of it.
   * @returns what it would change, as it is now, where it says so
   * @throws what keeps it from being asked
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
   * Rehearses a write: it is carried out and rolled back. Nothing is stored or sent.
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
    this.#demandPrecondition(operation, principal, own)
    const input = await this.#read(operation, principal, own)
    const { operations, unitOfWork } = this.dependencies
    const is = (scope: Scope, written?: Rendered) =>
      representationOf(operations, operation, { ...input, ...own, scope }, written)
    try {
      const was = await is(unitOfWork.readScope(principal))
      const reading = { was, is, report }
      const asked = await withAhead(this.dependencies, operation, principal, own, input, null)
      return await this.#inTurn(operation, principal, own, () =>
        retryConflicts(() =>
          this.#tried(operation, principal, own, (scope) =>
            rehearsed(scope, () => this.#carryOut(operation, scope, own, asked), reading)
          )
        )
      )
    } finally {
      await input.discard?.()
    }
  }

  #tried<Result>(
    operation: AnyOperation,
    principal: Principal,
    { params }: OperationRequest,
    work: (scope: Scope) => Promise<Result>
  ): Promise<Result> {
    return takenBack((each) => this.#transact(operation, principal, params, each), work)
  }

  /** Carries out an operation that anybody may ask for. */
  async executeOpen(operation: AnyOperation, request: OperationRequest): Promise<Rendered> {
    const { query, body } = await request.input()
    const call = { scope: undefined, params: request.params, query, body, origin: request.origin }
    return render(await actAndAnswer(operation, call as unknown as AnyCall))
  }

  async #write(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    this.#demandPrecondition(operation, principal, request)
    const input = await this.#read(operation, principal, request)
    const idempotent = idempotentRequest(operation, principal, request, input.fingerprint)
    const ask = () => withAhead(this.dependencies, operation, principal, request, input, idempotent)
    const work = async (scope: Scope, asked: Input) => {
      const kept = idempotent && (await findStoredAnswer(scope, idempotent))
      if (kept) return { rendered: kept, isReplay: true }
      const write = () => this.#carryOut(operation, scope, request, asked)
      const fresh = await (request.expect ? asExpected(scope, request.expect, write) : write())
      if (idempotent) await storeAnswer(scope, idempotent, fresh)
      return { rendered: fresh, isReplay: false }
    }
    const attempt = (asked: Input) =>
      this.#transact(operation, principal, request.params, (scope) => work(scope, asked))
    const { rendered } = await discardUnlessReferenced(
      async () => input.discard?.(),
      () =>
        runExclusive(idempotent, async () => {
          const asked = await ask()
          return this.#inTurn(operation, principal, request, async () => {
            const written = await retryConflicts(() => attempt(asked))
            if (written.isReplay) await this.#demandMayAsk(operation, principal, request, input)
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

  /** Does what writes to the same thing do one after the other. */
  #inTurn<Result>(
    operation: AnyOperation,
    principal: Principal,
    { params, waiter }: Pick<OperationRequest, 'params' | 'waiter'>,
    work: () => Promise<Result>
  ): Promise<Result> {
    if (operation.isUrgent) return work()
    waiter?.hears?.('Waits for its turn')
    return this.dependencies.writeQueue.run(targetOf(operation, params, principal), () => {
      if (waiter) demandWaiting(waiter)
      return work()
    })
  }

  /** Runs work on what an operation changes; what is urgent shares its transaction with nobody. */
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
   * Rules of who may are also in what a write does (whose item it is, how far a member of a
   * bucket may go): it is tried and taken back, and nothing else that it refuses counts.
   * @throws what keeps the principal from asking for it
   */
  async #demandMayAsk(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest,
    input: Input
  ): Promise<void> {
    try {
      await this.#tried(operation, principal, request, (scope) =>
        this.#carryOut(operation, scope, request, input)
      )
    } catch (error) {
      if (error instanceof Problem && error.status === 403) throw error
    }
  }

  /**
   * Reports faults in the rest of a partially malformed body.
   * @throws invalid_input with all faults; any other error unchanged
   */
  async #checkTheRest(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest,
    error: unknown
  ): Promise<never> {
    if (!operation.check) throw error
    const { params, origin } = request
    const check = operation.check as unknown as (call: AnyCall, faults: Faults) => Promise<unknown>
    throw await withRules(error, (body, faults) =>
      this.#inTurn(operation, principal, { params }, () =>
        this.#transact(operation, principal, params, (scope) =>
          check({ scope, params, query: undefined, body, origin }, faults)
        )
      )
    )
  }

  /** Runs the handler of a write, inside its transaction. */
  async #carryOut(operation: AnyOperation, scope: Scope, request: OperationRequest, input: Input) {
    const { params, origin, ifMatch, waiter } = request
    const { query, body, ahead } = input
    const { operations } = this.dependencies
    await this.#lock(operation, scope, params)
    waiter?.hears?.('Is carried out')
    const call = { scope, params, query, body, origin, ahead, ifMatch }
    if (operation.precondition && ifMatch)
      await demandMatch(operations, operation.precondition, call, ifMatch)
    const rendered = await waitedFor(waiter, async () => {
      const answer = await actAndAnswer(operation, call)
      await yieldToOthers()
      const made = render(answer)
      // Made here, where others are let in before and after.
      void made.bytes
      return made
    })
    await yieldToOthers()
    if (operation.precondition && rendered.status === 200) {
      rendered.headers.etag = operation.precondition.isAnswer
        ? entityTag(rendered.bytes)
        : await tagOf(operations, operation.precondition, call, rendered)
    }
    if (operation.creates && rendered.status === 201) {
      rendered.headers.etag = await tagOf(operations, { of: operation.creates }, call, rendered)
    }
    if (waiter) demandWaiting(waiter)
    return rendered
  }

  /**
   * Lets a request in. Answers the refusal of a parameter that names nothing the principal can
   * see; null when it may go on.
   * @throws any other refusal
   */
  async #refusal(
    operation: AnyOperation,
    scope: Scope,
    params: Record<string, string>
  ): Promise<Problem | null> {
    const refusal = await this.#admit(operation, scope, params)
    if (!refusal) await this.#demandAccessTo(operation, scope, params)
    return refusal
  }

  /** Adds the parameters that the principal implies to the request. @throws any refusal */
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
  async #demandAccessTo(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    try {
      demandAccess(operation, scope)
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

  #demandPrecondition(operation: AnyOperation, principal: Principal, request: OperationRequest) {
    const { precondition, isUrgent } = operation
    if (!precondition || isUrgent || !principal.organization.requireIfMatch || request.ifMatch)
      return
    throw refuse('precondition_required', {
      detail: 'This organization asks for If-Match on every write to an entity.',
    })
  }

  /**
   * A repeated request whose first run removed what it points at gets its first answer, if the
   * same asker repeats it and may still ask for it.
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
      findStoredAnswer(writing, idempotent, 'asker')
    )
    if (!kept) throw refusal
    return kept
  }

  /** Writes to one thing follow each other: no lost update, no deadlock. */
  async #lock(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    if (!scope.isShared) return
    const [name, value] = targetParameter(operation, params, scope)
    const locked = parameters.get(name).lock!(scope, value)
    askForFirst(operation, scope, params)
    if (!(await locked)) throw refuse('not_found')
  }
}
