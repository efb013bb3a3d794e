import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import { discardUnlessReferenced } from '../../core/files/stored_files.js'
import type { Principal } from '../../core/principal.js'
import type { Faults } from '../../core/problems/faults.js'
import { Moved, Problem, refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { giveWay } from '../../core/turns.js'
import type { Answer } from '../operation/answer.js'
import { isWrite, type AnyOperation, type Call, type Origin } from '../operation/declaration.js'
import { ownParams, parameterNames, parameters } from '../operation/parameters.js'
import type { OperationRegistry } from '../operation/registry.js'
import { entityTag, matchesTag } from './entity_tag.js'
import {
  runExclusive,
  findStoredAnswer,
  storeAnswer,
  type IdempotentRequest,
} from './idempotency.js'
import { render, type Rendered } from './render.js'
import { retryConflicts } from './retry_conflicts.js'
import { validateQuery, withRules } from './validate.js'
import type { WriteQueue } from './write_queue.js'

/** What a write is made of, read and validated. */
export interface Input {
  query: unknown
  body: unknown
  /** Of what was sent: the same request has the same. */
  fingerprint: string
  /** Takes back what reading it has stored (files), once the write is surely not done. */
  discard?: () => Promise<void>
}

/** A request to carry out an operation, wherever it comes from. */
export interface OperationRequest {
  params: Record<string, string>
  origin: Origin
  /** Reads the input; called only once the principal is let in. @throws its problems */
  input: () => Promise<Input>
  /** The `If-Match` of the asker. */
  ifMatch?: string
  /** Makes repeating the request safe. */
  idempotencyKey?: string | null
}

export interface ExecutorParts {
  unitOfWork: UnitOfWork
  operations: OperationRegistry
  writeQueue: WriteQueue
}

/**
 * Carries operations out: HTTP, console, agents, pages and workers only read a request and
 * show the answer. Who asks is let in, then the input is read, then the handler runs; for
 * a write inside one transaction with its idempotency record.
 */
export class Executor {
  constructor(private readonly parts: ExecutorParts) {}

  /** @throws the problem that keeps it from being done; then nothing is written. */
  async execute(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    const scope = this.parts.unitOfWork.readScope(principal)
    const params = ownParams(operation, principal, request.params)
    const refusal = await this.#admit(operation, scope, params)
    if (refusal) return this.#replayOrRefuse(operation, principal, scope, request, refusal)
    await this.#demandAccessTo(operation, scope, params)
    // Its key is read before the input, which may have stored files.
    if (isWrite(operation) && !operation.apart)
      return this.#write(operation, principal, { ...request, params })
    const { query, body } = await request.input()
    return render(
      await handlerOf(operation)({ scope, params, query, body, origin: request.origin })
    )
  }

  /** Carries out an operation that anybody may ask for. */
  async executeOpen(operation: AnyOperation, request: OperationRequest): Promise<Rendered> {
    const { query, body } = await request.input()
    const call = { scope: undefined, params: request.params, query, body, origin: request.origin }
    return render(await handlerOf(operation)(call as unknown as AnyCall))
  }

  async #write(
    operation: AnyOperation,
    principal: Principal,
    request: OperationRequest
  ): Promise<Rendered> {
    this.#demandPrecondition(operation, principal, request)
    const input = await request
      .input()
      .catch((error: unknown) => this.#checkTheRest(operation, principal, request, error))
    const idempotent = idempotentRequest(operation, principal, request, input.fingerprint)
    const attempt = () =>
      this.parts.unitOfWork.inTransaction(principal, async (scope) => {
        const kept = idempotent && (await findStoredAnswer(scope, idempotent))
        if (kept) return { rendered: kept, isReplay: true }
        const fresh = await this.#carryOut(operation, scope, request, input)
        if (idempotent) await storeAnswer(scope, idempotent, fresh)
        return { rendered: fresh, isReplay: false }
      })
    const { rendered } = await discardUnlessReferenced(
      async () => input.discard?.(),
      () =>
        runExclusive(idempotent, () =>
          this.parts.writeQueue.run(targetOf(operation, request.params, principal), async () => {
            const written = await retryConflicts(attempt)
            if (written.isReplay) await this.#demandMayAsk(operation, principal, request, input)
            return written
          })
        ),
      ({ isReplay }) => !isReplay
    )
    return rendered
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
    const takenBack = new Error('taken back')
    try {
      await this.parts.unitOfWork.inTransaction(principal, async (scope) => {
        await this.#carryOut(operation, scope, request, input)
        throw takenBack
      })
    } catch (error) {
      if (error instanceof Problem && error.status === 403) throw error
    }
  }

  /**
   * Of a body that is broken in places, the rules about the rest of it are looked at too.
   * @throws invalid_input with all of it; every other error as it is
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
      this.parts.writeQueue.run(targetOf(operation, params, principal), () =>
        this.parts.unitOfWork.inTransaction(principal, (scope) =>
          check({ scope, params, query: undefined, body, origin }, faults)
        )
      )
    )
  }

  /** Runs the handler of a write, inside its transaction. */
  async #carryOut(operation: AnyOperation, scope: Scope, request: OperationRequest, input: Input) {
    const { params, origin, ifMatch } = request
    const { query, body } = input
    await this.#lock(operation, scope, params)
    const call = { scope, params, query, body, origin }
    if (operation.precondition && ifMatch) await this.#demandMatch(operation, call, ifMatch)
    const answer = await handlerOf(operation)(call)
    await giveWay()
    const rendered = render(answer)
    await giveWay()
    if (operation.precondition && rendered.status === 200) {
      rendered.headers.etag = operation.precondition.isAnswer
        ? entityTag(rendered.bytes)
        : await this.#tagOf(operation.precondition, call, rendered)
    }
    if (operation.creates && rendered.status === 201) {
      rendered.headers.etag = await this.#tagOf({ of: operation.creates }, call, rendered)
    }
    return rendered
  }

  /** @throws precondition_failed */
  async #demandMatch({ precondition }: AnyOperation, call: AnyCall, ifMatch: string) {
    const { or, ...own } = precondition!
    const tag = await this.#tagOf(own, call)
    if (matchesTag(ifMatch, tag, false)) return
    if (or && matchesTag(ifMatch, await this.#tagOf({ of: or }, call), false)) return
    throw refuse('precondition_failed', {
      detail: 'If-Match does not name the present state; read it again.',
      headers: { etag: tag },
    })
  }

  /**
   * The refusal of a parameter that names nothing the principal can see; null when it may go on.
   * @throws any other refusal of a parameter
   */
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

  #demandAccess({ access, demand }: AnyOperation, scope: Scope) {
    const mayOwn = access.kind === 'actions' && access.orOwner && scope.hasGroups
    if (access.kind === 'actions' && !mayOwn) scope.demand(...access.anyOf)
    if (access.kind === 'admin' && !scope.permissions.admin) throw refuse('admin_required')
    demand?.(scope)
  }

  /** The same, with a refusal that knows what the request is about. */
  async #demandAccessTo(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    try {
      this.#demandAccess(operation, scope)
    } catch (refusal) {
      try {
        await operation.explainRefusal?.(scope, params)
      } catch (better) {
        // Who may not do it learns nothing of what is there.
        const isAbout = better instanceof Moved || (better as Problem).code === 'not_found'
        if (!isAbout) throw better
      }
      throw refusal
    }
  }

  #mayAccess(operation: AnyOperation, scope: Scope): boolean {
    try {
      this.#demandAccess(operation, scope)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  #demandPrecondition(
    operation: AnyOperation,
    principal: Principal,
    { ifMatch }: OperationRequest
  ) {
    if (!operation.precondition || !principal.organization.requireIfMatch || ifMatch) return
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
    if (!isRepeatable || !this.#mayAccess(operation, scope)) throw refusal
    const { fingerprint } = await request.input()
    const idempotent = idempotentRequest(operation, principal, request, fingerprint)!
    const kept = await this.parts.unitOfWork.inTransaction(principal, (writing) =>
      findStoredAnswer(writing, idempotent, 'asker')
    )
    if (!kept) throw refusal
    return kept
  }

  /** Writes to one thing follow each other: no lost update, no deadlock. */
  async #lock(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    if (!scope.isShared) return
    const [name, value] = targetParameter(operation, params, scope)
    if (!(await parameters.get(name).lock!(scope, value))) throw refuse('not_found')
  }

  /** The tag of the representation that the operation's precondition speaks of. */
  async #tagOf(
    { of, query }: NonNullable<AnyOperation['precondition']>,
    call: AnyCall,
    written?: Rendered
  ): Promise<string> {
    const target = this.parts.operations.get(of)
    const wanted = query?.(call.params, call.query as never) ?? {}
    const location = written?.headers.location ?? written?.headers['content-location']
    const params = location ? { ...call.params, ...paramsOf(target.path, location) } : call.params
    const answer = await handlerOf(target)({
      ...call,
      params,
      body: undefined,
      query: target.query ? await validateQuery(target.query, wanted) : undefined,
    })
    return entityTag(render(answer).bytes)
  }
}

type AnyCall = Call<unknown, unknown>

function handlerOf(operation: AnyOperation) {
  return operation.handle as unknown as (call: AnyCall) => Promise<Answer>
}

/** The parameter whose value writes follow each other for: the innermost that can be locked. */
function targetParameter(
  operation: AnyOperation,
  params: Record<string, string>,
  principal: Principal
): [name: string, value: string] {
  const locked = parameterNames(operation.path).findLast((name) => parameters.get(name).lock)
  if (locked) return [locked, params[locked]]
  for (const [name, { own, lock }] of parameters.entries()) {
    if (own && lock) return [name, own(principal)]
  }
  throw new Error('No parameter can be locked')
}

function targetOf(operation: AnyOperation, params: Record<string, string>, principal: Principal) {
  return targetParameter(operation, params, principal).join(' ')
}

function idempotentRequest(
  operation: AnyOperation,
  principal: Principal,
  { idempotencyKey }: OperationRequest,
  fingerprint: string
): IdempotentRequest | null {
  if (!idempotencyKey) return null
  const { method, path: route } = operation
  return { principal, key: idempotencyKey, method, route, fingerprint }
}

/** The values of a pattern's parameters in a path. */
function paramsOf(pattern: string, path: string): Record<string, string> {
  const names = pattern.split('/')
  const values = path.split('/')
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name.startsWith('{') && values[index] !== undefined
        ? [[name.slice(1, -1), decodeURIComponent(values[index])]]
        : []
    )
  )
}
