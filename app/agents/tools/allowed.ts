import type { Caller } from '../asking.js'
import { operationOf, type Tool } from './tool.js'

/** Returns the actions of a tool that the caller may request. The others are hidden. */
export function allowedActionsOf(
  { executor, principal }: Pick<Caller, 'executor' | 'principal'>,
  { actions }: Tool
): Tool['actions'] {
  return Object.fromEntries(
    Object.entries(actions).filter(([, action]) => executor.mayAsk(operationOf(action), principal))
  )
}
