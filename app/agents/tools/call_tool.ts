import logger from '@adonisjs/core/services/logger'
import type { PlainRequest } from '#foundation/api/execution/input_of'
import { problemOf } from '#foundation/api/execution/problem_of'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { RequesterGone } from '#foundation/core/yielding'
import { ask, readOrNull, type Caller } from '../asking.js'
import { stopIn } from '../stops.js'
import { carriedOut, planned, tried, type Write } from '../two_steps.js'
import { adviceFor, adviceOn, type AskWhy } from './advice.js'
import type { WhyNotMoving } from './lacking.js'
import { actionOf, requestOf } from './request_of.js'
import { answerWith, bodyOf, refusalWith, shownOf, type ToolAnswer } from './result.js'
import { operationOf, type Arguments, type Tool } from './tool.js'

/** Arguments that do not change what is requested. */
const ABOUT_THE_CALL = new Set(['plan', 'dryRun', 'fields'])

const contentOf = (given: Arguments) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !ABOUT_THE_CALL.has(name)))

/**
 * Executes one action of a tool. Errors are returned with what to do next.
 * @throws RequesterGone
 */
export async function callTool(
  callerOf: () => Caller | Promise<Caller>,
  tool: Tool,
  given: Arguments
): Promise<ToolAnswer> {
  let why: AskWhy = async () => null
  try {
    const caller = await callerOf()
    const action = actionOf(caller, tool, given)
    const operation = operationOf(action)
    const request = requestOf(operation, given)
    why = () => whyNotMoving(caller, request)
    if (!isWrite(operation)) return await answered(caller, operation, request, given)
    return await written(caller, { operation, request, content: contentOf(given) }, given)
  } catch (error) {
    if (error instanceof RequesterGone) throw error
    const problem = problemOf(error)
    const { cause } = problem.extras
    if (problem.status >= 500 && cause !== undefined)
      logger.error({ err: cause, tool: tool.name }, 'a tool call failed')
    return refusalWith(problem, await adviceOn(problem, tool, why))
  }
}

/** Reads why the release of a request does not move, as far as the caller may see it. */
async function whyNotMoving(caller: Caller, { params = {} }: PlainRequest) {
  const { appId, releaseId } = params
  if (appId === undefined || releaseId === undefined) return null
  const result = await readOrNull(caller, 'whyNotMoving', { appId, releaseId })
  return result === null ? null : (JSON.parse(result) as WhyNotMoving)
}

/**
 * Returns the answer of a read. A page that does not fit is read again with fewer entries, so that
 * no entry is skipped.
 */
async function answered(
  caller: Caller,
  operation: AnyOperation,
  request: PlainRequest,
  given: Arguments
): Promise<ToolAnswer> {
  const rendered = await ask(caller, operation, request)
  const next = operation.id === 'whyNotMoving' ? adviceFor(bodyOf(rendered) as WhyNotMoving) : null
  const { shown, entries } = shownOf(rendered, given, next?.length)
  if (entries !== undefined && entries < Number(request.query?.limit)) {
    const shorter = { ...request, query: { ...request.query, limit: entries } }
    return answered(caller, operation, shorter, given)
  }
  return answerWith({
    outcome: 'answered',
    operation: operation.id,
    ...shown,
    ...(next !== null && { next }),
  })
}

/** Executes a write, or returns its plan if one was requested or must be shown first. */
async function written(caller: Caller, write: Write, given: Arguments): Promise<ToolAnswer> {
  const { operation, request } = write
  const { plan } = given
  const isPlanned = typeof plan === 'string'
  const isTried = given.dryRun === true
  const takesTwo = !isTried && !isPlanned && operation.steps!.areTwo(request)
  const stop = takesTwo ? await stopIn(caller, write) : null
  if (isTried || (takesTwo && !stop)) {
    const { rendered, ...shown } = await (isTried ? tried(caller, write) : planned(caller, write))
    const result = rendered ? shownOf(rendered, given).shown : {}
    return answerWith({ outcome: 'planned', operation: operation.id, ...shown, ...result })
  }
  const rendered = isPlanned
    ? await carriedOut(caller, write, plan)
    : await ask(caller, operation, stop ?? request)
  return answerWith({ outcome: 'done', operation: operation.id, ...shownOf(rendered, given).shown })
}
