import type { Problem } from '#foundation/core/problems/problem'
import type { Tool } from './tool.js'

/** What to do after a refusal, in one sentence. */
export function adviceOn({ code, status, extras }: Problem, tool: Tool): string {
  switch (code) {
    case 'plan_stale':
      return 'Call again without `plan`, show the new plan to whoever decides, then send its token.'
    case 'plan_unknown':
      return 'Call again without `plan` to get one, and change nothing else when sending its token.'
    case 'precondition_failed':
      return 'Read the thing again and decide anew; then send its new `entityTag` as `ifMatch`.'
    case 'precondition_required':
      return 'Read the thing first and send its `entityTag` as `ifMatch`.'
    case 'action_missing':
    case 'admin_required':
    case 'app_scope_missing':
      return 'This key may not do it: ask a person with the rights, and do not try another way.'
    case 'four_eyes':
      return 'Another person has to do this: tell them, and do not try another way.'
    case 'outcome_unknown':
      return 'It may be done: read how it stands before anything else.'
    case 'not_stored':
      return 'Nothing was changed: call again in a few seconds.'
  }
  if (status === 404) return 'Look the id up with a tool that lists; ids are never guessed.'
  if (status === 503 || status === 429)
    return `Wait ${extras.headers?.['retry-after'] ?? 'a few'} seconds.`
  if (status >= 500) return 'The service or a provider failed: tell a person if it stays so.'
  if (extras.allowedActions?.length)
    return 'Choose one of `allowedActions`, or ask whoever decides.'
  if (status === 409) return 'Read how it stands now; the same call will be refused again.'
  if (extras.errors?.length)
    return `Mend what \`errors\` names; ${tool.name} lists what each action takes.`
  return 'Change the request: the same call will be refused again.'
}
