import type { Caller } from '../asking.js'
import { operationOf, type Tool } from './tool.js'

/** The actions of a tool that a caller may ask for at all: others are not shown to them. */
export function allowedActionsOf(
  { executor, principal }: Pick<Caller, 'executor' | 'principal'>,
  { actions }: Tool
): Tool['actions'] {
  return Object.fromEntries(
    Object.entries(actions).filter(([, action]) => executor.mayAsk(operationOf(action), principal))
  )
}
