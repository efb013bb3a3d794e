import logger from '@adonisjs/core/services/logger'
import type { PlainRequest } from '#foundation/api/execution/input_of'
import { problemOf } from '#foundation/api/execution/problem_of'
import type { Rehearsed } from '#foundation/api/execution/request'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { isPublicDraft } from '#foundation/core/events/outbox'
import { refuse } from '#foundation/core/problems/problem'
import { NobodyWaits } from '#foundation/core/turns'
import { ask, demandAsking, lookUp, tryOut, type Caller } from '../asking.js'
import type { Plan } from '../plans.js'
import { adviceFor, adviceOn, type AskWhy } from './advice.js'
import type { WhyNotMoving } from './lacking.js'
import { actionOf, requestOf } from './request_of.js'
import { answerWith, bodyOf, refusalWith, shownOf, type ToolAnswer } from './result.js'
import { operationOf, type Arguments, type Tool, type ToolAction } from './tool.js'

/** What does not change what is asked. */
const ABOUT_THE_CALL = new Set(['plan', 'dryRun', 'fields'])

/**
 * Carries out one action of a tool; what goes wrong is told with what to do next.
 * @throws NobodyWaits
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
    return await written(caller, { action, operation, request, given })
  } catch (error) {
    if (error instanceof NobodyWaits) throw error
    const problem = problemOf(error)
    const { cause } = problem.extras
    if (problem.status >= 500 && cause !== undefined)
      logger.error({ err: cause, tool: tool.name }, 'a tool call failed')
    return refusalWith(problem, await adviceOn(problem, tool, why))
  }
}

/** Why the release of a request does not move, as its asker may read it. */
async function whyNotMoving(caller: Caller, { params = {} }: PlainRequest) {
  const { appId, releaseId } = params
  if (appId === undefined || releaseId === undefined) return null
  const answer = await lookUp(caller, 'whyNotMoving', { appId, releaseId })
  return answer === null ? null : (JSON.parse(answer) as WhyNotMoving)
}

/** What a read answers. A page that has no room is asked for anew, so that none is passed over. */
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

interface Write {
  action: ToolAction
  operation: AnyOperation
  request: PlainRequest
  given: Arguments
}

/** A write, or the plan of it where one was asked for or has to be shown first. */
async function written(caller: Caller, write: Write): Promise<ToolAnswer> {
  const { action, operation, request, given } = write
  const { confirmed } = action
  const inTwoSteps = typeof confirmed === 'function' ? confirmed(given) : confirmed === true
  const { plan } = given
  const isPlanned = typeof plan === 'string'
  if (given.dryRun === true || (inTwoSteps && !isPlanned)) return planned(caller, write, inTwoSteps)
  const expect = isPlanned
    ? caller.plans.expectation(planOf(caller, write), plan, caller.clock.now())
    : undefined
  // What asks others is done outside of a transaction: its plan is of the request alone.
  if (operation.apart) expect?.(null)
  const rendered = await ask(caller, operation, request, operation.apart ? undefined : expect)
  return answerWith({ outcome: 'done', operation: operation.id, ...shownOf(rendered, given).shown })
}

async function planned(caller: Caller, write: Write, inTwoSteps: boolean): Promise<ToolAnswer> {
  const { operation, request, given } = write
  const token = (would: Rehearsed | null) =>
    inTwoSteps && given.dryRun !== true
      ? caller.plans.write(planOf(caller, write), would, caller.clock.now())
      : null
  if (operation.apart) {
    const plan = token(null)
    const message = 'This action asks others, and cannot be tried out.'
    const errors = [{ pointer: '/dryRun', code: 'unknown', message }]
    await demandAsking(caller, operation, request)
    if (!plan) throw refuse('invalid_input', { detail: message, errors })
    return answerWith({
      outcome: 'planned',
      operation: operation.id,
      plan: { ...plan, events: [] },
    })
  }
  const would = await tryOut(caller, operation, request)
  return answerWith({
    outcome: 'planned',
    operation: operation.id,
    plan: toldPlan(would, token(would)),
    ...shownOf(would.rendered, given).shown,
  })
}

function planOf(caller: Caller, { operation, given }: Write) {
  const said = Object.entries(given).filter(([name]) => !ABOUT_THE_CALL.has(name))
  const { organization, actor } = caller.principal
  return {
    keyId: `${organization.id} ${actor.id}`,
    operation: operation.id,
    request: sorted(Object.fromEntries(said)),
  }
}

/** The same members in one order, however they were sent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, member]) => [name, sorted(member)])
}

/** Most events that a plan tells one by one. */
const MOST_EVENTS = 20

function toldPlan({ events }: Rehearsed, plan: Plan | null) {
  return {
    ...plan,
    events: events.slice(0, MOST_EVENTS).map((draft) => ({
      type: draft.type,
      title: draft.title,
      sent: isPublicDraft(draft),
    })),
  }
}
