import type { Executor } from '#foundation/api/execution/execute'
import { inputOf, type PlainRequest } from '#foundation/api/execution/input_of'
import { requireIds, followingMoved } from '#foundation/api/execution/moved_ids'
import type { Rendered } from '#foundation/api/execution/render'
import type { Report } from '#foundation/api/execution/rehearsal'
import type { OperationRequest } from '#foundation/api/execution/request'
import type { AnyOperation, Present } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Clock } from '#foundation/core/clock'
import type { Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import type { Waiter } from '#foundation/core/yielding'
import type { Plans } from './plans.js'

/** The caller behind an agent, and what executes its requests. */
export interface Caller {
  principal: Principal
  /** The address under which the caller reaches the service. */
  baseUrl: string
  executor: Executor
  plans: Plans
  clock: Clock
  /** The waiter for the answer, who may stop waiting. */
  waiter?: Waiter
}

/** Executes an operation, in the same way as the request over REST. */
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
 * Checks whether the caller may request a write that cannot be rehearsed.
 * @returns the current state the write would change, if the operation provides it
 * @throws the problem that keeps the caller from it
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

/** Rehearses a write and describes the result inside its transaction. Nothing is stored or sent. */
export function tryOut<Reported>(
  caller: Caller,
  operation: AnyOperation,
  request: PlainRequest,
  report: Report<Reported>
): Promise<Reported> {
  return following(request, async (present) => {
    const requested = requestBy(caller, operation, present)
    return caller.executor.rehearse(operation, caller.principal, requested, report)
  })
}

/**
 * Executes a read. Returns null when the caller may not see the result, or when it does not exist.
 */
export async function readOrNull(
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

/** @throws not_found for an invalid id */
function requestBy(
  { baseUrl, waiter }: Caller,
  operation: AnyOperation,
  request: PlainRequest
): OperationRequest {
  const { params = {}, ifMatch } = request
  requireIds(params)
  const input = () => inputOf(operation, { ...request, strict: 'whole' })
  return { params, origin: { baseUrl }, input, ifMatch, waiter }
}

/** Executes a request, and again with the new id of an object that has moved. */
const following = <Result>(
  request: PlainRequest,
  work: (request: PlainRequest) => Promise<Result>
): Promise<Result> => followingMoved(request.params ?? {}, (params) => work({ ...request, params }))
