import { type Problem } from '#foundation/core/problems/problem'
import { lacksIn, lacksInWords, type WhyNotMoving } from './lacking.js'
import { LACKS, type Lack } from './lacks.js'
import type { Tool } from './tool.js'

/** Reads why the release in question does not move. Null when that is unknown. */
export type AskWhy = () => Promise<WhyNotMoving | null>

const TELL = 'Tell them, and call again once it is there.'

/**
 * Says what to do after a refusal: what is missing, and who can provide it. An agent may act on
 * anything it reads here.
 */
export async function adviceOn(problem: Problem, tool: Tool, why: AskWhy): Promise<string> {
  const lack = LACKS[problem.code]
  if (!lack) return otherwise(problem, tool)
  const lacks = await lacksOf(problem, lack, why)
  if (lacks.length > 0) return `${lacksInWords(lacks)} ${TELL}`
  return `Missing: ${lack.missing}. ${lack.who}.`
}

/** Returns what the release lacks, for the given refusal. */
async function lacksOf({ code, extras }: Problem, { conditions }: Lack, why: AskWhy) {
  const steps = idsIn(extras.members?.incompleteSteps, 'stepId')
  if (!conditions && steps.size === 0) return []
  const result = await why()
  if (!result) return []
  const items = code === 'approvals_missing' ? idsIn(extras.members?.items, 'id') : null
  return lacksIn(result, (unmet, stepId) =>
    steps.size > 0
      ? stepId !== undefined && steps.has(stepId)
      : conditions!.includes(unmet.code) && (!items || items.has(unmet.subject?.id))
  )
}

const idsIn = (listed: unknown, name: string): ReadonlySet<unknown> =>
  new Set(Array.isArray(listed) ? listed.map((each: Record<string, unknown>) => each[name]) : [])

/** Returns advice for refusals about the request itself, or about time. */
function otherwise(problem: Problem, tool: Tool): string {
  const { code, status, extras } = problem
  switch (code) {
    case 'plan_unknown':
      return 'Call again without `plan` to get one, and change nothing else when sending its token.'
    case 'precondition_failed':
      return 'Read it again and decide again; then send its new `entityTag` as `ifMatch`.'
    case 'precondition_required':
      return 'Read it first, then send its `entityTag` as `ifMatch`.'
    case 'outcome_unknown':
      return 'It may have been done: read its current state before anything else.'
    case 'not_stored':
      return 'Nothing was changed: call again in a few seconds.'
    case 'daily_limit_reached':
      return `Missing: requests for today, which are used up. They come back at midnight UTC; the operator of the service sets how many there are. ${waitFor(problem)}`
  }
  if (status === 404) return 'Look up the id with a tool that lists; never guess ids.'
  if (status === 503 || status === 429) return waitFor(problem)
  if (status >= 500) return 'The service failed: tell a person if it keeps failing.'
  if (extras.errors?.length)
    return `Correct what \`errors\` names; ${tool.name} lists what each action takes.`
  return 'Change the request: the same call will be refused again.'
}

const waitFor = ({ retryAfter }: Problem) => `Wait ${retryAfter ?? 'a few'} seconds.`

/**
 * Returns the same advice for a read of why a release does not move. Null when nothing holds it.
 */
export function adviceFor(why: WhyNotMoving): string | null {
  const lacks = lacksIn(why)
  return lacks.length > 0 ? `${lacksInWords(lacks)} ${TELL}` : null
}
