import type { Executor } from '#foundation/api/execution/execute'
import { inputOf, type PlainRequest } from '#foundation/api/execution/input_of'
import type { Rendered } from '#foundation/api/execution/render'
import type { Tell } from '#foundation/api/execution/rehearsal'
import type { OperationRequest } from '#foundation/api/execution/request'
import type { AnyOperation, Present } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Clock } from '#foundation/core/clock'
import type { Principal } from '#foundation/core/principal'
import { Moved, Problem, refuse } from '#foundation/core/problems/problem'
import type { Waiter } from '#foundation/core/yielding'
import type { Plans } from './plans.js'

/** The caller of an agent's request, and its executor. */
export interface Caller {
  principal: Principal
  /** The address the caller reaches the service at. */
  baseUrl: string
  executor: Executor
  plans: Plans
  clock: Clock
  /** The waiting client, if it may disconnect. */
  waiter?: Waiter
}

/** Has an operation carried out, as the same request over REST is. */
export function ask(
  caller: Caller,
  operation: AnyOperation,
  request: PlainRequest,
  how: Pick<OperationRequest, 'expect' | 'idempotencyKey'> = {}
): Promise<Rendered> {
  return following(request, async (present) =>
    caller.executor.execute(operation, caller.principal, {
      ...requestBy(caller, operation, present),
      ...how,
    })
  )
}

/**
 * Checks that a write that cannot be rehearsed may be requested.
 * @returns its present state, if the operation reports it
 * @throws what keeps the caller from it
 */
export function admitAsking(
  caller: Caller,
  operation: AnyOperation,
  request: PlainRequest
): Promise<Present | null> {
  return following(request, async (present) =>
    caller.executor.admit(operation, caller.principal, requestBy(caller, operation, present))
  )
}

/**
 * Rehearses a write and returns its effects as read inside the transaction. Nothing is stored or
 * sent.
 */
export function tryOut<Told>(
  caller: Caller,
  operation: AnyOperation,
  request: PlainRequest,
  tell: Tell<Told>
): Promise<Told> {
  return following(request, async (present) => {
    const asked = requestBy(caller, operation, present)
    return caller.executor.rehearse(operation, caller.principal, asked, tell)
  })
}

/** The answer of a read; null where the caller may not see it, or it is not there. */
export async function lookUp(
  caller: Caller,
  operationId: string,
  params: Record<string, string>
): Promise<string | null> {
  try {
    return (await ask(caller, operations.get(operationId), { params })).bytes.toString()
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return null
    throw error
  }
}

/** @throws not_found for what is no id */
function requestBy(
  { baseUrl, waiter }: Caller,
  operation: AnyOperation,
  request: PlainRequest
): OperationRequest {
  const { params = {}, ifMatch } = request
  // No id holds one, and PostgreSQL refuses it as text.
  if (Object.values(params).some((value) => value.includes('\0'))) throw refuse('not_found')
  const input = () => inputOf(operation, { ...request, strict: 'whole' })
  return { params, origin: { baseUrl }, input, ifMatch, waiter }
}

/** Follows moved ids as HTTP clients follow redirects. */
async function following<Result>(
  request: PlainRequest,
  work: (request: PlainRequest) => Promise<Result>
): Promise<Result> {
  try {
    return await work(request)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    const { from, to } = error
    const params = Object.entries(request.params ?? {}).map(([name, value]) => [
      name,
      value === from ? to : value,
    ])
    return work({ ...request, params: Object.fromEntries(params) as Record<string, string> })
  }
}
